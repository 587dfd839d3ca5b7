import { multisigKeys } from '../multisig.ts'

const PREFIX = Buffer.from('CNTRPRTY')

/**
 * Whether the data of an OP_RETURN is a Counterparty message: its prefix in plain, or hidden by ARC4 under the txid of the
 * transaction's first input. Source: Counterparty protocol specification.
 */
export function isCounterpartyData(data: Uint8Array, firstInputTxid: Uint8Array): boolean {
  return data.length > PREFIX.length && (hasPrefix(data, 0) || hasPrefix(arc4(firstInputTxid, data), 0))
}

/**
 * Whether a bare multisig output carries a Counterparty message: the keys but the last, without their first and last byte,
 * joined and hidden by ARC4, hold a length and then the prefix. The last key is the sender's, of either length.
 * `script` must be a bare multisig. Source: as above.
 */
export function isCounterpartyMultisig(script: Uint8Array, firstInputTxid: Uint8Array): boolean {
  const hidden = Buffer.concat(
    multisigKeys(script)
      .slice(0, -1)
      .map(key => key.subarray(1, -1)),
  )
  return hidden.length > PREFIX.length && hasPrefix(arc4(firstInputTxid, hidden), 1)
}

function hasPrefix(data: Uint8Array, at: number): boolean {
  for (let i = 0; i < PREFIX.length; i++) if (data[at + i] !== PREFIX[i]) return false
  return true
}

/** Scratch of `arc4`, which runs for nearly every OP_RETURN. */
const STATE = new Uint8Array(256)
const ORDERED = STATE.map((_, i) => i)
const PLAIN = new Uint8Array(PREFIX.length + 1)

/** The first nine bytes of an ARC4 stream over `data`, enough to see length and prefix; they last until the next call. */
function arc4(key: Uint8Array, data: Uint8Array): Uint8Array {
  STATE.set(ORDERED)
  let j = 0
  for (let i = 0, k = 0; i < 256; i++) {
    const kept = STATE[i]!
    j = (j + kept + key[k]!) & 0xff
    STATE[i] = STATE[j]!
    STATE[j] = kept
    k = k + 1 === key.length ? 0 : k + 1
  }
  j = 0
  for (let n = 0; n < PLAIN.length; n++) {
    const i = n + 1
    const kept = STATE[i]!
    j = (j + kept) & 0xff
    STATE[i] = STATE[j]!
    STATE[j] = kept
    PLAIN[n] = data[n]! ^ STATE[(STATE[i]! + kept) & 0xff]!
  }
  return PLAIN
}
