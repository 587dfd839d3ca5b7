/** Words of what became of a transaction, and of what a source does not tell. */
const STATUS: Record<string, string> = {
  success: 'succeeded',
  abort_by_response: 'rolled back: the contract returned an error',
  abort_by_post_condition: 'rolled back: a post-condition failed',
  problematic_skipped: 'skipped by the node as harmful',
}
export const statusText = (status: string): string => STATUS[status] ?? status

/** A value in words, or a dash (`otherwise`) where its source does not tell it. */
export function told<Value, Text>(value: Value | null, text: (value: Value) => Text): Text | '–'
export function told<Value, Text, Otherwise>(
  value: Value | null,
  text: (value: Value) => Text,
  otherwise: Otherwise,
): Text | Otherwise
export function told<Value>(
  value: Value | null,
  text: (value: Value) => unknown,
  otherwise: unknown = '–',
): unknown {
  return value === null ? otherwise : text(value)
}
