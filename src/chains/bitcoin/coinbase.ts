/**
 * The height that a coinbase script begins with, or null: version 2 blocks and later push it first, in the shortest form
 * of a script number (BIP-34). Early version 2 blocks were free to push anything: what is not in that form gives null.
 */
export function coinbaseHeight(blockVersion: number, script: Uint8Array): number | null {
  const first = script[0]
  if (blockVersion < 2 || first === undefined) return null
  if (first === 0x00) return 0
  if (first >= 0x51 && first <= 0x60) return first - 0x50
  if (first > 4 || script.length <= first) return null
  let height = 0
  for (let i = first; i >= 1; i--) height = height * 256 + script[i]!
  const top = script[first]!
  const isNegative = top >= 0x80
  const isPadded = top === 0 && (first === 1 || script[first - 1]! < 0x80)
  return isNegative || isPadded || height <= 16 ? null : height
}

/** Runs of at least four printable ASCII characters in a coinbase script, joined by spaces: what pools sign with. */
export function coinbaseText(script: Uint8Array): string {
  const ascii = Buffer.from(script).toString('latin1')
  return (ascii.match(/[\x20-\x7e]{4,}/g) ?? []).join(' ').trim()
}
