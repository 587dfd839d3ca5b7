import type { DecodedTransactions } from './block.ts'
import { nextInstruction, pushedBytes, scriptCursor } from './instructions.ts'
import { scriptTypeOf } from './scriptType.ts'
import { outputScriptOf } from './txsOf.ts'
import { witnessItemsOf } from './witness.ts'

const CHECKSIG = 0xac
const CHECKMULTISIG = 0xae
const MOST_MULTISIG_KEYS = 20
const WITNESS_SCALE = 4

/**
 * Signature operation cost of a transaction, as limited to 80,000 a block. `prevScripts` are the scripts of the outputs
 * that its inputs spend, in order; without them what P2SH and witness spends add is left out, which makes the figure a
 * lower bound. Source: Bitcoin Core `GetTransactionSigOpCost`, BIP-141.
 */
export function sigopCost(
  decoded: DecodedTransactions,
  txIndex: number,
  prevScripts?: readonly Uint8Array[],
): number {
  const { bytes, txs, inputs } = decoded
  const first = txs.firstInput[txIndex]!
  let cost = 0
  for (let o = txs.firstOutput[txIndex]!; o < txs.firstOutput[txIndex + 1]!; o++) {
    cost += WITNESS_SCALE * sigops(outputScriptOf(decoded, o), false)
  }
  for (let i = first; i < txs.firstInput[txIndex + 1]!; i++) {
    const at = inputs.scriptOffset[i]!
    const scriptSig = bytes.subarray(at, at + inputs.scriptLength[i]!)
    cost += WITNESS_SCALE * sigops(scriptSig, false)
    const spent = prevScripts?.[i - first]
    if (spent === undefined) continue
    const redeem = scriptTypeOf(spent) === 'p2sh' ? lastPush(scriptSig) : undefined
    if (redeem !== undefined) cost += WITNESS_SCALE * sigops(redeem, true)
    cost += witnessSigops(redeem ?? spent, witnessItemsOf(decoded, i))
  }
  return cost
}

/** A key hash costs one, a script hash what its script counts; taproot has its own budget and costs none (BIP-342). */
function witnessSigops(program: Uint8Array, items: readonly Uint8Array[]): number {
  const type = scriptTypeOf(program)
  const script = items.at(-1)
  if (type === 'v0_p2wpkh') return 1
  return type === 'v0_p2wsh' && script !== undefined ? sigops(script, true) : 0
}

/** Counts checks of signatures; `isAccurate` takes the number of keys of a multisig from the opcode before it. */
function sigops(script: Uint8Array, isAccurate: boolean): number {
  const c = scriptCursor(script)
  let count = 0
  let before = -1
  while (nextInstruction(c)) {
    if (c.opcode === CHECKSIG || c.opcode === CHECKSIG + 1) count += 1
    if (c.opcode === CHECKMULTISIG || c.opcode === CHECKMULTISIG + 1) {
      count += isAccurate && before >= 0x51 && before <= 0x60 ? before - 0x50 : MOST_MULTISIG_KEYS
    }
    before = c.opcode
  }
  return count
}

/** The last push of a script of nothing but pushes, or undefined. */
function lastPush(script: Uint8Array): Uint8Array | undefined {
  const c = scriptCursor(script)
  let last: Uint8Array | undefined
  while (nextInstruction(c)) {
    if (c.opcode > 0x60) return undefined
    last = pushedBytes(c)
  }
  return c.isBroken ? undefined : last
}
