import { parseType } from '#kernel/clarityType.ts'
import { admits, type ClarityType } from './type.ts'
import { type ClarityField, type ClarityValue, fieldOf } from './value.ts'

/** A print of a contract's source, as the catalogue lists it. */
export type PrintShape = {
  /** The function that prints it. */
  readonly functionName: string
  readonly type: ClarityType
  /** Texts that stand in the source itself: field, or path of fields with dots, to text. */
  readonly literals: readonly { readonly path: readonly string[]; readonly text: string }[]
}

/** An entry of the catalogue: `in` the function, `shape` the type of the value, `literals` its fixed texts. */
export type ListedPrint = {
  readonly in: string
  readonly shape: string
  readonly literals?: Readonly<Record<string, string>> | undefined
}

/** Fields that name what happened, the most telling first. There is no standard: these are what contracts in use have. */
const TOPIC_FIELDS = ['topic', 'action', 'event', 'event-type', 'op', 'notification', 'type', 'a']

/** A print event with what the contract's source says of it. */
export type PrintEvent = {
  /** What happened: the fixed text of the field that contracts use for it; null where the print has no fixed text. */
  readonly topic: string | null
  /** Every function that prints just this. */
  readonly functionNames: readonly string[]
  /** The fields of a tuple, without the topic's; one field named `value` for any other value. */
  readonly fields: readonly ClarityField[]
}

/** Shapes by contract, as `catalog/stacks/prints.json` lists them. Errors: `ClarityTypeError` for a shape that is no type. */
export function parsePrintCatalogue(catalogue: {
  readonly contracts: Readonly<Record<string, readonly ListedPrint[]>>
}): ReadonlyMap<string, readonly PrintShape[]> {
  return new Map(
    Object.entries(catalogue.contracts).map(([contract, listed]) => [contract, parsePrints(listed)]),
  )
}

/** Reads the prints of a contract. Errors: `ClarityTypeError` for a shape that is no type. */
export function parsePrints(listed: readonly ListedPrint[]): PrintShape[] {
  return listed.map(({ in: functionName, shape, literals = {} }) => ({
    functionName,
    type: parseType(shape),
    literals: Object.entries(literals).map(([path, text]) => ({ path: path.split('.'), text })),
  }))
}

/**
 * Recognises a printed value by the shapes of its contract: all fixed texts must stand in it, and it must be of the type. Where
 * several shapes fit, those with the most fixed texts are meant. Null where none fits: the value then speaks for itself.
 */
export function recognisePrint(value: ClarityValue, shapes: readonly PrintShape[]): PrintEvent | null {
  const fitting = shapes.filter(shape => hasLiterals(value, shape) && admits(shape.type, value))
  const most = Math.max(0, ...fitting.map(shape => shape.literals.length))
  const meant = fitting.filter(shape => shape.literals.length === most)
  const [first] = meant
  if (first === undefined) return null
  const topic =
    TOPIC_FIELDS.map(name => first.literals.find(({ path }) => path.join('.') === name)).find(Boolean) ??
    first.literals[0]
  const fields = value.type === 'tuple' ? value.fields : [{ name: 'value', value }]
  return {
    topic: topic?.text ?? null,
    functionNames: [...new Set(meant.map(shape => shape.functionName))],
    fields: fields.filter(({ name }) => topic?.path.length !== 1 || name !== topic.path[0]),
  }
}

const EVENT_NAME = /^[\w:.-]{1,64}$/

/**
 * What happened, by the value alone: the text of the field that contracts use for it, where it looks like a name. Null where there
 * is none: for prints whose shape nobody has listed.
 */
export function topicField(value: ClarityValue): string | null {
  if (value.type !== 'tuple') return null
  for (const name of TOPIC_FIELDS) {
    const topic = fieldOf(value, name)
    if (topic?.type !== 'string-ascii' && topic?.type !== 'string-utf8') continue
    if (EVENT_NAME.test(topic.value)) return topic.value
  }
  return null
}

function hasLiterals(value: ClarityValue, { literals }: PrintShape): boolean {
  return literals.every(({ path, text }) => {
    let at: ClarityValue | undefined = value
    for (const name of path) {
      at = at?.type === 'tuple' ? fieldOf(at, name) : name === 'value' && path.length === 1 ? at : undefined
    }
    return (at?.type === 'string-ascii' || at?.type === 'string-utf8') && at.value === text
  })
}
