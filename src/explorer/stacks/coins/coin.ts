import type { TokenFlag } from './safety.ts'

/** A fungible token as far as the blocks held, its contract and the catalogue tell of it. Null: not told. */
export type Coin = {
  contract: string
  asset: string
  symbol: string
  name: string
  decimals: number | null
  /** Read by the catalogue; its kind there. Null: a stranger. */
  listed: string | null
  /** Who keeps what stands behind it, by the catalogue’s entry of this very contract. */
  custody: string | null
  /** Null where not every block since its making is held. */
  holders: number | null
  top10Share: number | null
  gini: number | null
  /** Contracts among those that have some: they are no holders. */
  contracts: number | null
  supply: string | null
  /** ISO 8601 time of the block that made its contract; null where that block is not held. */
  madeAt: string | null
  /**
   * Transfers of 30 days, and swaps of 7: null where none is indexed and blocks of those days are missing. Above 0 they are
   * of the indexed blocks alone (`indexedHours`).
   */
  moves: number | null
  trades: number | null
  buyers: number | null
  sellers: number | null
  volumeUstx: string | null
  /** Of the 7 days before; null where blocks of the newest 14 are missing. */
  volumeBeforeUstx: string | null
  /** Bought with STX less sold for STX, over 7 days; null where blocks of them are missing. */
  netBoughtUstx: string | null
  priceUstx: number | null
  /** Change of the price since the last swap before an hour, a day and 7 days ago. */
  change1h: number | null
  change24h: number | null
  change7d: number | null
  /** Supply at that price, micro-STX. */
  mcapUstx: number | null
  liquidityUstx: string | null
  flags: TokenFlag[] | null
  /** Why it is left out of lists; null where it is not. */
  spam: string | null
  usedBy: { contract: string; words: string }[]
}

export type CoinTrade = {
  txid: string
  time: string
  protocol: string
  trader: string
  traderName: string | null
  given: string
  got: string
}
export type CoinMint = {
  txid: string
  time: string
  action: string
  who: string
  whoName: string | null
  words: string
}
export type NewCoin = {
  contract: string
  deployer: string
  deployerName: string | null
  height: number
  txid: string
  time: string
}
export type Coins = {
  coins: Coin[]
  leftOut: Coin[]
  /** Whole hours up to the newest block that are indexed without a gap; null where every block is. */
  indexedHours: number | null
  trades: CoinTrade[]
  mints: CoinMint[]
  made: NewCoin[]
}
