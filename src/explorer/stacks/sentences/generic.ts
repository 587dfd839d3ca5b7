import { visibleText } from '#chains/stacks/index.ts'
import type { Told } from './placeholders.ts'
import { plain, type SentencePart } from './sentence.ts'
import { looseParts, opened, principalPart } from './values.ts'

/** Most arguments that a sentence names: the page of the transaction has all. */
const MOST_NAMED = 5

/** A call of which nothing is known but its function and arguments. */
export function genericCall(told: Told, names: readonly string[] | undefined): SentencePart[] {
  const { functionName, contract, values, isDone } = told
  const shown = values.slice(0, MOST_NAMED)
  const parts = [
    plain(`${isDone ? 'called' : 'call'} ${visibleText(functionName, 60)} of `),
    principalPart(contract),
  ]
  shown.forEach((value, index) => {
    parts.push(plain(index === 0 ? ' with ' : ', '))
    if (names?.[index] !== undefined) parts.push(plain(`${names[index]} `))
    parts.push(...looseParts(value))
  })
  if (values.length > shown.length) parts.push(plain(` and ${values.length - shown.length} more`))
  return parts
}

/** A print that has no pattern: what it is called, with its fields. */
export function genericPrint(told: Told, event: string): SentencePart[] {
  const value = opened(told.values[0])
  const head = event === '' ? 'printed' : `printed ${visibleText(event, 60)}`
  if (value?.type !== 'tuple') return [plain(`${head}: `), ...looseParts(value)]
  const fields = value.fields.filter(field => !isEvent(field.value, event))
  const shown = fields.slice(0, MOST_NAMED)
  const parts: SentencePart[] = [plain(head)]
  shown.forEach((field, index) => {
    parts.push(plain(`${index === 0 ? ': ' : ', '}${field.name} `), ...looseParts(field.value))
  })
  if (fields.length > shown.length) parts.push(plain(` and ${fields.length - shown.length} more`))
  return parts
}

const isEvent = (value: { readonly type: string; readonly value?: unknown }, event: string): boolean =>
  event !== '' && value.type.startsWith('string') && value.value === event
