import type { Catalog } from '#catalog/index.ts'
import type { Reader } from '../../readRows.ts'
import type { NameBook } from '../names.ts'
import type { Sentences } from '../sentences/index.ts'
import type { Coins } from './coin.ts'
import { readCoins } from './readCoins.ts'

export type { Coin, CoinMint, Coins, CoinTrade, NewCoin } from './coin.ts'
export type { TokenFlag } from './safety.ts'

export type CoinKind = 'meme' | 'stable'

export type CoinReader = {
  readonly reader: Reader
  readonly sentences: () => Promise<Sentences>
  readonly names: () => Promise<NameBook>
  readonly catalog: Pick<Catalog, 'tokens' | 'tokenRules'>
}

/** How old an answer about coins may be before it is read anew: it rests on all balances, and pages never wait for it. */
const FRESH_MS = 60_000

/** Coins with their holders, trades and flags, kept for a minute. */
export function createCoins(
  deps: CoinReader,
  now: () => number = Date.now,
): (kind: CoinKind) => Promise<Coins> {
  const held = new Map<CoinKind, { coins: Coins; readAt: number }>()
  const reading = new Map<CoinKind, Promise<Coins>>()
  const read = async (kind: CoinKind): Promise<Coins> => {
    try {
      const [sentences, names] = await Promise.all([deps.sentences(), deps.names()])
      const coins = await readCoins(
        { reader: deps.reader, catalog: deps.catalog, sentences, names, rules: deps.catalog.tokenRules },
        kind,
      )
      held.set(kind, { coins, readAt: now() })
      return coins
    } finally {
      reading.delete(kind)
    }
  }
  return async kind => {
    const kept = held.get(kind)
    if (kept === undefined || now() - kept.readAt > FRESH_MS) {
      if (!reading.has(kind)) reading.set(kind, read(kind))
      if (kept === undefined) return reading.get(kind)!
      reading.get(kind)?.catch(() => undefined)
    }
    return kept.coins
  }
}
