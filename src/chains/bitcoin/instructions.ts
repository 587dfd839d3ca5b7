/** A cursor over the instructions of a script. After `nextInstruction` it describes the one just read. */
export type ScriptCursor = {
  readonly bytes: Uint8Array
  readonly end: number
  pos: number
  opcode: number
  /** Where the pushed bytes begin; -1 for an instruction that pushes none. OP_0 pushes an empty string. */
  pushAt: number
  pushLength: number
  /** The script ends inside a push. */
  isBroken: boolean
}

export function scriptCursor(bytes: Uint8Array, at = 0, length = bytes.length - at): ScriptCursor {
  return { bytes, end: at + length, pos: at, opcode: -1, pushAt: -1, pushLength: 0, isBroken: false }
}

/** Steps to the next instruction; false at the end, or where the script breaks off inside a push. */
export function nextInstruction(c: ScriptCursor): boolean {
  if (c.isBroken || c.pos >= c.end) return false
  const { bytes } = c
  const opcode = bytes[c.pos++]!
  c.opcode = opcode
  c.pushAt = -1
  c.pushLength = 0
  if (opcode > 0x4e) return true
  let length = opcode
  if (opcode >= 0x4c) {
    const width = opcode === 0x4c ? 1 : opcode === 0x4d ? 2 : 4
    if (c.pos + width > c.end) return breakOff(c)
    length = 0
    for (let i = width - 1; i >= 0; i--) length = length * 256 + bytes[c.pos + i]!
    c.pos += width
  }
  if (length > c.end - c.pos) return breakOff(c)
  c.pushAt = c.pos
  c.pushLength = length
  c.pos += length
  return true
}

/** The bytes that the current instruction pushes, or undefined if it pushes none. */
export function pushedBytes(c: ScriptCursor): Uint8Array | undefined {
  return c.pushAt < 0 ? undefined : c.bytes.subarray(c.pushAt, c.pushAt + c.pushLength)
}

function breakOff(c: ScriptCursor): false {
  c.isBroken = true
  c.pos = c.end
  c.pushAt = -1
  return false
}
