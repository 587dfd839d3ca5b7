import type { DecodedTransactions, Envelope } from '../block.ts'
import { nextInstruction, pushedBytes, type ScriptCursor, scriptCursor } from '../instructions.ts'

const OP_IF = 0x63
const OP_ENDIF = 0x68
const ANNEX_PREFIX = 0x50
const PROTOCOL = Buffer.from('ord')
const BODY_START_BYTES = 256
/** A brc-20 operation is a short JSON object: no longer body is parsed. */
const LONGEST_BRC20_BYTES = 4096

/**
 * The ord envelopes that the inputs of a transaction reveal: `OP_0 OP_IF "ord" … OP_ENDIF` in the script of a script-path
 * spend, several an input. As in ord, the leaf script is the last witness item but one (but two under an annex), whatever
 * the leaf version and whatever is spent; a script that breaks off inside a push reveals nothing.
 * Source: ordinals/ord, `src/inscriptions/envelope.rs`.
 */
export function envelopesOf(block: DecodedTransactions, txIndex: number): readonly Envelope[] {
  const { bytes, inputs } = block
  const first = block.txs.firstInput[txIndex]!
  const end = block.txs.firstInput[txIndex + 1]!
  let found: Envelope[] | undefined
  for (let i = first; i < end; i++) {
    const at = inputs.witnessOffset[i]!
    if (at === 0 || !findLeafScript(bytes, at) || !namesProtocol(bytes, leaf.start, leaf.end)) continue
    for (const payload of envelopePayloads(bytes.subarray(leaf.start, leaf.end))) {
      found ??= []
      found.push({ txIndex, vin: i - first, envelope: found.length, ...contentOf(payload) })
    }
  }
  return found ?? NONE
}

const NONE: readonly Envelope[] = []

/** The place of the last leaf script found: one for all, because nearly every input of a chain is asked for its own. */
const leaf = { start: 0, end: 0 }

/**
 * Finds the tapscript of a script-path spend by position alone (BIP-341), in the decoded witness that begins at `at`: the
 * item before the control block. An annex (a last item of at least two that begins with 0x50) is taken off first. False where
 * fewer than two items are left: a key-path spend has no leaf script.
 */
function findLeafScript(bytes: Uint8Array, at: number): boolean {
  const count = compactSizeAt(bytes, at)
  if (count < 2) return false
  let pos = at + compactSizeWidth(bytes[at]!)
  for (let item = 3; item < count; item++) pos += compactSizeWidth(bytes[pos]!) + compactSizeAt(bytes, pos)
  // Now at the last item but two, if there are so many.
  let before = pos
  let beforeEnd = pos
  if (count > 2) {
    before = pos + compactSizeWidth(bytes[pos]!)
    beforeEnd = before + compactSizeAt(bytes, pos)
    pos = beforeEnd
  }
  const start = pos + compactSizeWidth(bytes[pos]!)
  const end = start + compactSizeAt(bytes, pos)
  const lastStart = end + compactSizeWidth(bytes[end]!)
  const hasAnnex = bytes[end] !== 0 && bytes[lastStart] === ANNEX_PREFIX
  if (hasAnnex && count === 2) return false
  leaf.start = hasAnnex ? before : start
  leaf.end = hasAnnex ? beforeEnd : end
  return true
}

const compactSizeWidth = (first: number): number => (first < 0xfd ? 1 : first === 0xfd ? 3 : 5)

/** A CompactSize that was checked before; no length in a block takes its longest form. */
function compactSizeAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!
  if (first < 0xfd) return first
  const low = bytes[at + 1]! + bytes[at + 2]! * 2 ** 8
  return first === 0xfd ? low : low + bytes[at + 3]! * 2 ** 16 + bytes[at + 4]! * 2 ** 24
}

/** Up to here a search in place beats the making of a view for the built-in one. */
const SHORT_BYTES = 512

/** Whether `ord` occurs: without it a script need not be read. */
function namesProtocol(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start > SHORT_BYTES)
    return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).includes(PROTOCOL)
  // One of any three bytes in a row is in the word, wherever it stands.
  for (let i = start + 2; i < end; i += 3) {
    const byte = bytes[i]
    if (byte === 0x64) {
      if (bytes[i - 1] === 0x72 && bytes[i - 2] === 0x6f) return true
    } else if (byte === 0x72) {
      if (bytes[i - 1] === 0x6f && i + 1 < end && bytes[i + 1] === 0x64) return true
    } else if (byte === 0x6f && i + 2 < end && bytes[i + 1] === 0x72 && bytes[i + 2] === 0x64) return true
  }
  return false
}

/** The pushes of each envelope in a script. */
function envelopePayloads(script: Uint8Array): Uint8Array[][] {
  const c = scriptCursor(script)
  const payloads: Uint8Array[][] = []
  let isRead = nextInstruction(c)
  while (isRead) {
    // `OP_0`, then `OP_IF`, then the protocol: what does not fit is looked at again as a possible beginning.
    if (!isEmptyPush(c)) {
      isRead = nextInstruction(c)
      continue
    }
    isRead = nextInstruction(c)
    if (!isRead || !isOpcode(c, OP_IF)) continue
    isRead = nextInstruction(c)
    if (!isRead || !isProtocolPush(c)) continue
    const payload: Uint8Array[] = []
    while (true) {
      isRead = nextInstruction(c)
      if (!isRead) break
      const push = pushedBytes(c) ?? pushedNumber(c.opcode)
      if (push === undefined) break
      payload.push(push)
    }
    if (isRead && isOpcode(c, OP_ENDIF)) payloads.push(payload)
    if (isRead) isRead = nextInstruction(c)
  }
  return c.isBroken ? [] : payloads
}

const isOpcode = (c: ScriptCursor, opcode: number): boolean => c.opcode === opcode

const isEmptyPush = (c: ScriptCursor): boolean => c.pushAt >= 0 && c.pushLength === 0

function isProtocolPush(c: ScriptCursor): boolean {
  const push = pushedBytes(c)
  return push !== undefined && PROTOCOL.equals(push)
}

/** What OP_1NEGATE and OP_1 to OP_16 push. */
function pushedNumber(opcode: number): Uint8Array | undefined {
  if (opcode === 0x4f) return Uint8Array.of(0x81)
  return opcode >= 0x51 && opcode <= 0x60 ? Uint8Array.of(opcode - 0x50) : undefined
}

type Content = Pick<Envelope, 'contentType' | 'bodyBytes' | 'isBrc20' | 'bodyStart'>

/** Fields come in pairs of tag and value; an empty tag begins the body, which is the rest joined. */
function contentOf(payload: readonly Uint8Array[]): Content {
  const bodyTag = payload.findIndex((push, i) => i % 2 === 0 && push.length === 0)
  const fieldCount = bodyTag < 0 ? payload.length : bodyTag
  let contentType = ''
  for (let i = 0; i + 1 < fieldCount; i += 2) {
    const tag = payload[i]!
    if (tag.length === 1 && tag[0] === 1) {
      contentType = Buffer.from(payload[i + 1]!).toString('utf8')
      break
    }
  }
  const parts = bodyTag < 0 ? [] : payload.slice(bodyTag + 1)
  const bodyBytes = parts.reduce((sum, part) => sum + part.length, 0)
  const isShort = bodyBytes <= LONGEST_BRC20_BYTES
  const start = Buffer.concat(parts, isShort ? bodyBytes : BODY_START_BYTES)
  return {
    contentType,
    bodyBytes,
    isBrc20: isShort && isBrc20(contentType, start),
    bodyStart: Uint8Array.from(start.subarray(0, BODY_START_BYTES)),
  }
}

/** A JSON object with `"p": "brc-20"` in a text or JSON inscription. Source: the brc-20 specification (domo, layer1). */
function isBrc20(contentType: string, body: Buffer): boolean {
  if (!/^(text\/plain|application\/json)\b/.test(contentType) || !body.includes('brc-20')) return false
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'))
    return typeof parsed === 'object' && parsed !== null && 'p' in parsed && parsed.p === 'brc-20'
  } catch {
    return false
  }
}
