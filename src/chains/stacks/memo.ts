/** What shows nothing: controls, format characters, unassigned ones and spaces. As Rust's `unicode::printable`. */
const NOT_PRINTABLE = /[\p{C}\p{Z}]/u
const GAPS = /[\ufffd\s]+/gu
const PLAIN = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/

/**
 * Readable text of a memo (or of any bytes that may hold text): what is no UTF-8 or prints nothing becomes a space, runs of spaces
 * become one, the ends are trimmed; '' where nothing is left. As the public API writes memos: `memoToString` of
 * `hirosystems/stacks-encoding-native-js`.
 */
export function memoText(memo: Uint8Array): string {
  let end = memo.length
  while (end > 0 && memo[end - 1] === 0) end--
  if (end === 0) return ''
  const text = Buffer.from(memo.buffer, memo.byteOffset, end).toString('utf8')
  if (PLAIN.test(text)) return text
  let shown = ''
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)) {
    // A cluster of several characters is taken for printable.
    const isLone = [...segment].length === 1
    shown += isLone && NOT_PRINTABLE.test(segment) ? ' ' : segment
  }
  return shown.replace(GAPS, ' ').trim()
}
