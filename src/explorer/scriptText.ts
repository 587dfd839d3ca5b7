import { HAS_CONTROL_CHARACTERS, readUtf8 } from './text.ts'

const PUSHDATA1 = 0x4c
const PUSHDATA4 = 0x4e

/** What an OP_RETURN output carries, where its pushes are text one and all; else null. */
export function opReturnText(script: Uint8Array): string | null {
  if (script[0] !== 0x6a) return null
  const parts: Uint8Array[] = []
  let at = 1
  while (at < script.length) {
    const opcode = script[at] ?? 0
    at += 1
    let length = opcode
    if (opcode > PUSHDATA4) return null
    if (opcode >= PUSHDATA1) {
      const width = 1 << (opcode - PUSHDATA1)
      length = 0
      for (let i = width - 1; i >= 0; i--) length = length * 256 + (script[at + i] ?? 0)
      at += width
    }
    if (at + length > script.length) return null
    parts.push(script.subarray(at, at + length))
    at += length
  }
  const text = readUtf8(Buffer.concat(parts))
  return text === null || text === '' || HAS_CONTROL_CHARACTERS.test(text) ? null : text
}
