import type { Random } from './random.ts'

/** A JSON Schema of the API document, as far as requests are drawn from it. */
export type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: unknown
}

type Parameter = {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: Schema
}

/** An operation of the API document with its address. */
export type Operation = {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly parameters: readonly Parameter[]
  /** Undefined for a request without a body, `bytes` for one that takes any. */
  readonly body: Schema | 'bytes' | undefined
  readonly isStream: boolean
}

type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Record<string, unknown>>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

export function operationsOf({ paths }: Document): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { operationId, parameters, requestBody, responses } = operation as {
        operationId: string
        parameters?: Parameter[]
        requestBody?: { content: Record<string, { schema: Schema }> }
        responses: Record<string, { content?: Record<string, unknown> }>
      }
      const json = requestBody?.content['application/json']?.schema
      return {
        id: operationId,
        method: method.toUpperCase(),
        path,
        parameters: parameters ?? [],
        body: requestBody === undefined ? undefined : (json ?? 'bytes'),
        isStream: responses['200']?.content?.['text/event-stream'] !== undefined,
      }
    }),
  )
}

/** What plausible values are drawn from. */
export type Pools = {
  /** Ids that somebody has seen, of everybody. */
  readonly ids: readonly string[]
  readonly hashes: readonly string[]
  /** Statements, names and other words. */
  readonly sql: readonly string[]
  readonly words: readonly string[]
}

const WRONG: readonly unknown[] = [
  null,
  '',
  -1,
  1e18,
  true,
  [],
  {},
  ['a'],
  "' OR '1'='1",
  '../../etc/passwd',
  '%',
  '*',
  '{{x}}',
  '00000000-0000-4000-8000-000000000000',
  'undefined',
  '\u202e',
]
/** One value in so many is one that the schema does not allow. */
const WRONG_IN = 25

export const pick = <T>(random: Random, from: readonly T[]): T => from[random.below(from.length)] as T

/** Draws values of schemas: mostly allowed ones that point at something. */
export function createValues(document: Document, pools: Pools, random: Random) {
  const resolved = (schema: Schema): Schema =>
    schema.$ref === undefined
      ? schema
      : (document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {})

  function textOf(name: string, { format, pattern }: Schema): string {
    if (format === 'uuid' || /^(?:id|forkOf|.*Id)$/.test(name)) return pick(random, pools.ids)
    if (name === 'hash' || pattern?.includes('[0-9a-f]{64}')) return pick(random, pools.hashes)
    if (format === 'date' || /^(?:from|to|day|known)$/.test(name)) return '2024-01-31'
    if (format === 'date-time' || name === 'before') return '2099-01-01T00:00:00Z'
    if (/sql|first|second/i.test(name)) return pick(random, pools.sql)
    if (name === 'sort') return String(random.below(5) - 2)
    if (name === 'filter')
      return JSON.stringify([
        { column: 0, operator: pick(random, ['contains', 'isNotNull', 'equals']), value: 'a' },
      ])
    return pick(random, pools.words)
  }

  function value(name: string, given: Schema, depth = 0): unknown {
    const schema = resolved(given)
    if (random.below(WRONG_IN) === 0) return pick(random, WRONG)
    if (schema.const !== undefined) return schema.const
    if (schema.enum !== undefined) return pick(random, schema.enum)
    const choices = schema.anyOf ?? schema.oneOf
    if (choices !== undefined) return value(name, pick(random, choices), depth)
    const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0]
    switch (type) {
      case 'integer':
      case 'number': {
        const low = Math.max(schema.minimum ?? 0, -1000)
        const high = Math.min(schema.maximum ?? 1000, low + 1000)
        return low + random.below(Math.max(1, Math.floor(high - low) + 1))
      }
      case 'boolean':
        return random.below(2) === 0
      case 'null':
        return null
      case 'array':
        return depth > 3
          ? []
          : Array.from({ length: random.below(3) }, () => value(name, schema.items ?? {}, depth + 1))
      case 'object': {
        const { properties = {}, required = [], additionalProperties } = schema
        const known = Object.entries(properties)
          .filter(([key]) => required.includes(key) || random.below(2) === 0)
          .map(([key, of]) => [key, value(key, of, depth + 1)] as const)
        const more =
          typeof additionalProperties === 'object' && random.below(2) === 0
            ? [[pick(random, pools.words), value('value', additionalProperties, depth + 1)] as const]
            : []
        return Object.fromEntries([...known, ...more])
      }
      default:
        return textOf(name, schema)
    }
  }
  return value
}

/** A request as it is sent. */
export type DrawnRequest = {
  readonly method: string
  readonly path: string
  readonly body: string | undefined
}

/** Draws a request of an operation. `change` may replace its body. */
export function drawRequest(
  { method, path, parameters, body }: Operation,
  value: ReturnType<typeof createValues>,
  random: Random,
  change: (body: unknown, path: string) => unknown = given => given,
): DrawnRequest {
  const text = (drawn: unknown) => (typeof drawn === 'string' ? drawn : (JSON.stringify(drawn) ?? ''))
  let address = path
  const query = new URLSearchParams()
  for (const { name, in: place, required, schema } of parameters) {
    if (place === 'path')
      address = address.replace(`{${name}}`, encodeURIComponent(text(value(name, schema))) || '-')
    else if (place === 'query' && (required || random.below(3) === 0))
      query.append(name, text(value(name, schema)))
  }
  const search = query.size === 0 ? '' : `?${query}`
  const drawn = body === undefined || body === 'bytes' ? body : change(value('body', body), address)
  return {
    method,
    path: address + search,
    body: drawn === undefined ? undefined : drawn === 'bytes' ? 'a,b\n1,2\n' : JSON.stringify(drawn),
  }
}
