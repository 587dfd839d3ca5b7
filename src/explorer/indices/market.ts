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

/**
 * What is known of tokens day by day, and of the fees that weigh them: what a backtest is computed from, of some tokens or of all.
 * A layer's fees of a day on which nothing is told of its token are a row too.
 */
export const inputsSql = (tokens?: readonly string[]): string => `SELECT
  if(t.token = '', f.token, t.token) AS token, if(t.token = '', f.day, t.day) AS day,
  t.price_usd AS price_usd, t.price_source AS price_source, t.supply AS supply, t.supply_source AS supply_source,
  t.volume_usd AS volume_usd, f.fees_usd AS fees_usd, f.fees_source AS fees_source
FROM index_token_days AS t
FULL JOIN (
  SELECT m.token AS token, d.day AS day, toNullable(d.fees_usd) AS fees_usd, d.fees_source AS fees_source
  FROM index_fee_days AS d
  INNER JOIN (SELECT DISTINCT token, fees_of FROM index_members) AS m ON m.fees_of = d.layer
) AS f ON f.token = t.token AND f.day = t.day${
  tokens === undefined ? '' : `\nWHERE token IN (${tokens.map(quoted).join(', ')})`
}
ORDER BY day, token`

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
  readonly fees_usd: number | null
}

/** Reads it. A day that has not ended is left out. */
export async function readIndexMarket(reader: Reader, now = Date.now()): Promise<IndexMarket> {
  const [told, closes, symbols] = await Promise.all([
    readRows<Told>(reader, inputsSql()),
    readRows<{ asset: 'btc' | 'eth'; day: string; close: number }>(reader, CLOSES_SQL),
    readRows<{ token: string; symbol: string }>(reader, SYMBOLS_SQL),
  ])
  const today = new Date(now).toISOString().slice(0, 10)
  const known = told.filter(({ day }) => day < today)
  const [first, last] = [known[0]?.day, known.at(-1)?.day]
  const days = first === undefined || last === undefined ? [] : daysBetween(first, last)
  const placeOf = new Map(days.map((day, place) => [day, place]))
  const column = () => new Float64Array(days.length).fill(Number.NaN)
  const tokens = new Map<string, TokenHistory>()
  for (const { token, day, price_usd: price, supply, volume_usd: volume, fees_usd: fees } of known) {
    const place = placeOf.get(day)!
    let history = tokens.get(token)
    if (history === undefined) {
      history = { token, priceUsd: column(), supply: column(), volumeUsd: column(), feesUsd: column() }
      tokens.set(token, history)
    }
    if (price !== null) history.priceUsd[place] = price
    if (supply !== null) history.supply[place] = supply
    if (volume !== null) history.volumeUsd[place] = volume
    if (fees !== null) history.feesUsd[place] = fees
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
