import type { DecodedTransactions, Envelope } from '../block.ts'
import { nextInstruction, pushedBytes, type ScriptCursor, scriptCursor } from '../instructions.ts'
import { witnessEndOf } from '../witness.ts'

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
export function envelopesOf(block: DecodedTransactions, txIndex: number): Envelope[] {
  const { bytes, txs, inputs } = block
  const found: Envelope[] = []
  for (let i = txs.firstInput[txIndex]!; i < txs.firstInput[txIndex + 1]!; i++) {
    const at = inputs.witnessOffset[i]!
    const witness = Buffer.from(bytes.buffer, bytes.byteOffset + at, inputs.witnessLength[i]!)
    if (at === 0 || !witness.includes(PROTOCOL)) continue
    const script = leafScriptOf(witnessEndOf(block, i).last)
    if (script === undefined) continue
    for (const payload of envelopePayloads(script)) {
      found.push({
        txIndex,
        vin: i - txs.firstInput[txIndex]!,
        envelope: found.length,
        ...contentOf(payload),
      })
    }
  }
  return found
}

/** The tapscript of a script-path spend by position alone (BIP-341): the item before the control block. */
function leafScriptOf(items: readonly Uint8Array[]): Uint8Array | undefined {
  const hasAnnex = items.length >= 3 && items.at(-1)?.[0] === ANNEX_PREFIX
  return items.length < 2 ? undefined : items.at(hasAnnex ? -3 : -2)
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
