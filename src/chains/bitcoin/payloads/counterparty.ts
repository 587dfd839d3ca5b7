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
 * joined and hidden by ARC4, hold a length and then the prefix. Source: as above.
 */
export function isCounterpartyMultisig(script: Uint8Array, firstInputTxid: Uint8Array): boolean {
  const parts: Uint8Array[] = []
  for (let at = 1; script[at] === 33; at += 34) parts.push(script.subarray(at + 2, at + 33))
  const hidden = Buffer.concat(parts.slice(0, -1))
  return hidden.length > PREFIX.length && hasPrefix(arc4(firstInputTxid, hidden), 1)
}

const hasPrefix = (data: Uint8Array, at: number): boolean => PREFIX.every((byte, i) => data[at + i] === byte)

/** The first bytes of an ARC4 stream over `data`: enough to see length and prefix. */
function arc4(key: Uint8Array, data: Uint8Array): Uint8Array {
  const state = new Uint8Array(256)
  for (let i = 0; i < 256; i++) state[i] = i
  let j = 0
  for (let i = 0; i < 256; i++) {
    j = (j + state[i]! + key[i % key.length]!) & 0xff
    swap(state, i, j)
  }
  const plain = new Uint8Array(Math.min(data.length, PREFIX.length + 1))
  j = 0
  for (let n = 0; n < plain.length; n++) {
    const i = (n + 1) & 0xff
    j = (j + state[i]!) & 0xff
    swap(state, i, j)
    plain[n] = data[n]! ^ state[(state[i]! + state[j]!) & 0xff]!
  }
  return plain
}

function swap(state: Uint8Array, a: number, b: number): void {
  const kept = state[a]!
  state[a] = state[b]!
  state[b] = kept
}
