/** A part of a text and its replacement. */
export type Edit = { readonly start: number; readonly end: number; readonly text: string }

/** Applies edits to a text. They can be in any order and must not overlap. */
export function edited(text: string, edits: readonly Edit[]): string {
  let result = ''
  let from = 0
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(from, edit.start) + edit.text
    from = edit.end
  }
  return result + text.slice(from)
}
