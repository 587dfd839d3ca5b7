import type { AnswerField } from './context.ts'

type Schema = {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
  const?: unknown
  enum?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema | boolean
  prefixItems?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  additionalProperties?: Schema | boolean
}

/** Deeper than that an answer is read in the answer itself. */
const DEEPEST = 5
const MOST_VALUES = 8
const REF = '#/components/schemas/'

/**
 * What is in an answer, field by field, from its JSON schema (draft 2020-12) and the schemas that it points at: `points[].day`.
 * A schema that holds itself is told once.
 */
export function answerFields(schema: unknown, schemas: Readonly<Record<string, unknown>>): AnswerField[] {
  const fields: AnswerField[] = []
  const walk = (given: Schema, path: string, isAlways: boolean, within: readonly string[]): void => {
    const name = given.$ref?.startsWith(REF) ? given.$ref.slice(REF.length) : undefined
    if (name !== undefined && within.includes(name)) return
    const inside = name === undefined ? within : [...within, name]
    const own = name === undefined ? given : (schemas[name] as Schema)
    const { kept, isNullable } = variantsOf(own)
    if (path !== '')
      fields.push({
        path,
        type: [name ?? typeOf(own, kept), ...(isNullable ? ['null'] : [])].join(' or '),
        about: given.description ?? own.description ?? null,
        isAlways,
      })
    if (path.split('.').length >= DEEPEST) return
    for (const variant of kept) children(variant, path, kept.length === 1, inside)
  }
  const children = (variant: Schema, path: string, isOnly: boolean, within: readonly string[]): void => {
    const name = variant.$ref?.startsWith(REF) ? variant.$ref.slice(REF.length) : undefined
    if (name !== undefined) {
      if (!within.includes(name)) children(schemas[name] as Schema, path, isOnly, [...within, name])
      return
    }
    const dot = path === '' ? '' : '.'
    for (const [key, inner] of Object.entries(variant.properties ?? {}))
      walk(inner, `${path}${dot}${key}`, isOnly && (variant.required ?? []).includes(key), within)
    if (typeof variant.items === 'object') children(variant.items, `${path}[]`, true, within)
    if (typeof variant.additionalProperties === 'object')
      walk(variant.additionalProperties, `${path}${dot}{key}`, false, within)
  }
  walk(schema as Schema, '', true, [])
  // Variants of one thing share fields: the first word stands.
  const seen = new Set<string>()
  return fields.filter(({ path }) => !seen.has(path) && seen.add(path))
}

function variantsOf(schema: Schema): { kept: Schema[]; isNullable: boolean } {
  const all = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (all === undefined) return { kept: [schema], isNullable: false }
  const kept = all.filter(({ type }) => type !== 'null')
  return { kept, isNullable: kept.length < all.length }
}

const oneOf = (schema: Schema): string => {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) {
    const values = schema.enum.map(value => JSON.stringify(value))
    return values.length > MOST_VALUES
      ? `${values.slice(0, MOST_VALUES).join(' or ')} or ${values.length - MOST_VALUES} more`
      : values.join(' or ')
  }
  if (schema.$ref !== undefined) return schema.$ref.slice(REF.length)
  if (schema.type === 'array')
    return typeof schema.items === 'object'
      ? `list of ${typeOf(schema.items, variantsOf(schema.items).kept)}`
      : 'list'
  if (schema.format !== undefined) return schema.format
  return Array.isArray(schema.type) ? schema.type.join(' or ') : (schema.type ?? 'anything')
}

const typeOf = (own: Schema, kept: readonly Schema[]): string =>
  kept.length === 1 && kept[0] === own ? oneOf(own) : [...new Set(kept.map(oneOf))].join(' or ')
