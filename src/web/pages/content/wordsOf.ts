import type { WrittenInline } from '#http/contract.ts'

/** The plain words of a line: what headings are called by. */
export const wordsOf = (line: readonly WrittenInline[]): string =>
  line.map(part => ('text' in part ? part.text : 'children' in part ? wordsOf(part.children) : '')).join('')
