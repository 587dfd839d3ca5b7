import { daysBetween, type Market, type TokenHistory } from '#metrics/index.ts'
import { quoted } from '../apps/table.ts'
import { type Reader, readRows } from '../readRows.ts'

/** What an index may be built from, with bitcoin and ether beside it, on days without a gap. */
export type IndexMarket = Market & {
  /** Closes by day, NaN where none is held. */
  readonly closes: Readonly<Record<'btc' | 'eth', Float64Array>>
  /** Tokens and the layers whose fees weigh them, as the indices name them. */
  readonly symbols: Readonly<Record<string, string>>
}

/** What is known of some tokens, day by day: what a backtest is computed from. */
export const inputsSql = (
  tokens: readonly string[],
): string => `SELECT token, day, price_usd, price_source, supply, supply_source, volume_usd
FROM index_token_days
WHERE token IN (${tokens.map(quoted).join(', ')})
ORDER BY day, token`

const MARKET_SQL = `SELECT token, day, price_usd, supply, volume_usd
FROM index_token_days
ORDER BY token, day`

const FEES_SQL = `SELECT m.token AS token, o.day AS day, argMin(o.value, (if(s.id = '', 1000, s.rank), o.source)) AS usd
FROM latest_observations AS o
INNER JOIN (SELECT DISTINCT token, fees_of FROM index_members WHERE fees_of != '') AS m ON m.fees_of = o.entity
LEFT JOIN sources AS s ON s.id = o.source
WHERE o.metric = 'fees.chain_usd' AND o.value >= 0
GROUP BY m.token, o.day`

const CLOSES_SQL = `SELECT lower(c.asset) AS asset, c.day AS day, c.close AS close
FROM usd_closes AS c
WHERE c.asset IN ('BTC', 'ETH')`

const SYMBOLS_SQL = `SELECT token, any(symbol) AS symbol
FROM index_members
GROUP BY token
ORDER BY token`

type Told = {
  readonly token: string
  readonly day: string
  readonly price_usd: number | null
  readonly supply: number | null
  readonly volume_usd: number | null
}

/** Reads it. A day that has not ended is left out. */
export async function readIndexMarket(reader: Reader, now = Date.now()): Promise<IndexMarket> {
  const [told, fees, closes, symbols] = await Promise.all([
    readRows<Told>(reader, MARKET_SQL),
    readRows<{ token: string; day: string; usd: number }>(reader, FEES_SQL),
    readRows<{ asset: 'btc' | 'eth'; day: string; close: number }>(reader, CLOSES_SQL),
    readRows<{ token: string; symbol: string }>(reader, SYMBOLS_SQL),
  ])
  const today = new Date(now).toISOString().slice(0, 10)
  const known = told.filter(({ day }) => day < today)
  const daysTold = known.map(({ day }) => day).sort()
  const [first, last] = [daysTold[0], daysTold.at(-1)]
  const days = first === undefined || last === undefined ? [] : daysBetween(first, last)
  const placeOf = new Map(days.map((day, place) => [day, place]))
  const column = () => new Float64Array(days.length).fill(Number.NaN)
  const tokens = new Map<string, TokenHistory>()
  for (const { token, day, price_usd: price, supply, volume_usd: volume } of known) {
    const place = placeOf.get(day)!
    let history = tokens.get(token)
    if (history === undefined) {
      history = { token, priceUsd: column(), supply: column(), volumeUsd: column(), feesUsd: column() }
      tokens.set(token, history)
    }
    if (price !== null) history.priceUsd[place] = price
    if (supply !== null) history.supply[place] = supply
    if (volume !== null) history.volumeUsd[place] = volume
  }
  for (const { token, day, usd } of fees) {
    const place = placeOf.get(day)
    const history = tokens.get(token)
    if (place !== undefined && history !== undefined) history.feesUsd[place] = usd
  }
  const beside = { btc: column(), eth: column() }
  for (const { asset, day, close } of closes) {
    const place = placeOf.get(day)
    if (place !== undefined) beside[asset][place] = close
  }
  return {
    days,
    tokens: [...tokens.values()],
    closes: beside,
    symbols: Object.fromEntries(symbols.map(({ token, symbol }) => [token, symbol])),
  }
}
