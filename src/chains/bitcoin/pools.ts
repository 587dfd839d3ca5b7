import type { Network } from '#kernel/bitcoin.ts'
import { addressOf } from './address/address.ts'

/** A mining pool of the catalogue (`catalog/bitcoin/mining-pools.json`). */
export type MiningPool = {
  readonly name: string
  /** Texts that it writes into the coinbase script. */
  readonly tags: readonly string[]
  /** Addresses that its coinbases pay. */
  readonly addresses: readonly string[]
  readonly link: string
}

export type PoolMatch = {
  readonly pool: string
  /** `tag:<tag>` or `address:<address>`. */
  readonly rule: string
}

/**
 * The pool that mined a block, or null where no rule matches. A tag in the coinbase script comes before a payout address,
 * because proxies and marketplaces pay to addresses of others; the longest tag that occurs wins, then the order of the
 * list. Tags are compared byte by byte, in their own case. A tag can be forged: it says what the miner claims.
 */
export function poolOf(
  pools: readonly MiningPool[],
  coinbaseScript: Uint8Array,
  payoutScripts: readonly Uint8Array[],
  network: Network,
): PoolMatch | null {
  const script = Buffer.from(coinbaseScript)
  let byTag: PoolMatch | null = null
  let longest = 0
  for (const { name, tags } of pools) {
    for (const tag of tags) {
      if (tag.length > longest && script.includes(tag)) {
        byTag = { pool: name, rule: `tag:${tag}` }
        longest = tag.length
      }
    }
  }
  if (byTag !== null) return byTag
  const paid = new Set(payoutScripts.map(payout => addressOf(payout, network)))
  for (const { name, addresses } of pools) {
    const address = addresses.find(candidate => paid.has(candidate))
    if (address !== undefined) return { pool: name, rule: `address:${address}` }
  }
  return null
}
