import { type Reader, refusal, take } from '../reader.ts'

const TAB = 0x09
const LINE_FEED = 0x0a
const FORM_FEED = 0x0c
const CARRIAGE_RETURN = 0x0d
/** Tab and line feed. Source: stacks-core `StacksString`. */
export const SOURCE_SPACES: readonly number[] = [TAB, LINE_FEED]
/** White space as Rust has it. Source: stacks-core `Value::string_ascii_from_bytes`. */
export const STRING_SPACES: readonly number[] = [TAB, LINE_FEED, FORM_FEED, CARRIAGE_RETURN]

const HIGH_BITS = 0x80808080 | 0

/** The next bytes as text, which must be printable ASCII or one of the spaces. */
export function readAscii(r: Reader, length: number, spaces: readonly number[], what: string): string {
  const start = take(r, length, what)
  const end = start + length
  const { bytes, view } = r
  let at = start
  // Four bytes at once: the high bit of one shows that it, or one beside it, is below 0x20 or above 0x7e.
  while (at + 4 <= end) {
    const word = view.getInt32(at)
    if (((word | (word - 0x20202020) | (word + 0x01010101)) & HIGH_BITS) !== 0)
      demandAscii(bytes, at, at + 4, spaces, what)
    at += 4
  }
  demandAscii(bytes, at, end, spaces, what)
  return bytes.toString('latin1', start, end)
}

function demandAscii(
  bytes: Uint8Array,
  start: number,
  end: number,
  spaces: readonly number[],
  what: string,
): void {
  for (let i = start; i < end; i++) {
    const byte = bytes[i]!
    if ((byte >= 0x20 && byte <= 0x7e) || spaces.includes(byte)) continue
    throw refusal(
      'text',
      `Byte 0x${byte.toString(16).padStart(2, '0')} is no character of a ${what}`,
      what,
      i,
    )
  }
}
