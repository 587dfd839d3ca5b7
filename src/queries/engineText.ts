/**
 * Strings of the engine's answer, read so that each character is one byte (latin1): the engine does not check that a string
 * is text.
 */

const ASCII = /^[\t\n\r\x20-\x7e]*$/
const HAS_CONTROL = /[^\P{Cc}\t\n\r]/u
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Whether the bytes are UTF-8 without control characters other than tab and line ends. */
export function isText(value: string): boolean {
  if (ASCII.test(value)) return true
  try {
    return !HAS_CONTROL.test(strictUtf8.decode(bytesOf(value)))
  } catch {
    return false
  }
}

export const textOf = (value: string): string => (ASCII.test(value) ? value : bytesOf(value).toString('utf8'))

/** The engine writes these two line separators as escapes, which `JSON.parse` has already turned into characters. */
export function bytesOf(value: string): Buffer {
  const asBytes = value.replace(/[\u2028\u2029]/g, separator => Buffer.from(separator).toString('latin1'))
  return Buffer.from(asBytes, 'latin1')
}
