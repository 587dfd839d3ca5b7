import type { DecodedTransactions } from '../block.ts'
import { nextInstruction, pushedBytes, scriptCursor } from '../instructions.ts'

/** An output `OP_RETURN <data>`, the form in which every protocol here but the runes carries its bytes. */
export type DataOutput = {
  readonly txIndex: number
  readonly vout: number
  readonly data: Buffer
}

const OP_RETURN = 0x6a

/** The bytes that the output script of one OP_RETURN and one push carries, or undefined for any other script. */
export function dataOf({ bytes, outputs }: DecodedTransactions, output: number): Buffer | undefined {
  const at = outputs.scriptOffset[output]!
  if (bytes[at] !== OP_RETURN) return undefined
  const c = scriptCursor(bytes, at, outputs.scriptLength[output]!)
  if (!nextInstruction(c) || !nextInstruction(c)) return undefined
  const push = pushedBytes(c)
  if (push === undefined || c.pos !== c.end) return undefined
  return Buffer.from(push.buffer, push.byteOffset, push.length)
}

/** True where `data` begins with the ASCII text. */
export function startsWith(data: Buffer, text: string): boolean {
  if (data.length < text.length) return false
  for (let i = 0; i < text.length; i++) if (data[i] !== text.charCodeAt(i)) return false
  return true
}
