/** Control characters other than tab and line ends: what holds one is no text. */
export const HAS_CONTROL_CHARACTERS = /[^\P{Cc}\t\n\r]/u

/** UTF-8 as text, or null where the bytes are none. */
export function readUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** The same of bytes that may be cut within their last character. */
export function readUtf8Start(bytes: Uint8Array): string | null {
  for (let cut = 0; cut <= 3 && cut <= bytes.length; cut++) {
    const text = readUtf8(bytes.subarray(0, bytes.length - cut))
    if (text !== null) return text
  }
  return null
}
