import type { ClickHouseClient } from '@clickhouse/client'
import type { Checked } from './checkAnswer.ts'

/** A figure as it is kept, in the texts of both columns: equal texts are equal figures. */
export type Kept = { readonly figure: string; readonly observedAt: number }
/** The newest day of a series of one source, and its figure. */
export type Newest = { readonly day: string; readonly figure: number }

/** What is held of a source for whom an answer speaks of. */
export type Held = {
  /** By `figureKey`: the revision that counts. */
  readonly figures: ReadonlyMap<string, Kept>
  readonly prices: ReadonlyMap<string, Kept>
  /** By `seriesKey`. */
  readonly newest: ReadonlyMap<string, Newest>
}

export const seriesKey = (metric: string, entity: string, breakdown: string): string =>
  JSON.stringify([metric, entity, breakdown])
export const figureKey = (series: string, day: string): string => `${series} ${day}`

/** Longer lists of names would not fit the address of a request. */
const MOST_NAMES = 40

/** Reads what the source has said so far, of the days from the first of the answer on. */
export async function readHeld(
  reader: Pick<ClickHouseClient, 'query'>,
  source: string,
  { observations, prices }: Pick<Checked, 'observations' | 'prices'>,
): Promise<Held> {
  const rows = async (query: string, query_params: Record<string, unknown>): Promise<string[][]> => {
    const answer = await reader.query({
      query,
      query_params,
      format: 'JSONCompactEachRow',
      clickhouse_settings: { output_format_json_quote_64bit_integers: 1 },
    })
    return await answer.json<string[]>()
  }
  const metrics = [...new Set(observations.map(({ metric }) => metric))]
  const entities = [...new Set(observations.map(({ entity }) => entity))]
  const isFew = entities.length <= MOST_NAMES
  const of = `source = {source:String} AND metric IN {metrics:Array(String)}${isFew ? ' AND entity IN {entities:Array(String)}' : ''}`
  const params = { source, metrics, ...(isFew && { entities }) }
  const [figureRows, newestRows, priceRows, newestPrices] = await Promise.all([
    observations.length === 0
      ? []
      : rows(
          `SELECT
  metric, entity, breakdown, toString(day),
  argMax(concat(ifNull(toString(amount), ''), ' ', ifNull(toString(value), '')), observed_at),
  toString(toUnixTimestamp(max(observed_at)))
FROM observations
WHERE ${of} AND day >= {from:Date}
GROUP BY metric, entity, breakdown, day`,
          { ...params, from: firstDay(observations) },
        ),
    observations.length === 0
      ? []
      : rows(
          `SELECT
  metric, entity, breakdown, toString(max(day)),
  argMax(toString(ifNull(toFloat64(amount), ifNull(value, 0))), (day, observed_at))
FROM observations
WHERE ${of}
GROUP BY metric, entity, breakdown`,
          params,
        ),
    prices.length === 0
      ? []
      : rows(
          `SELECT
  asset, quote, toString(day),
  argMax(concat(ifNull(toString(open), ''), ' ', ifNull(toString(high), ''), ' ', ifNull(toString(low), ''), ' ', toString(close)), observed_at),
  toString(toUnixTimestamp(max(observed_at)))
FROM prices
WHERE source = {source:String} AND asset IN {assets:Array(String)} AND day >= {from:Date}
GROUP BY asset, quote, day`,
          { source, assets: assetsOf(prices), from: firstDay(prices) },
        ),
    prices.length === 0
      ? []
      : rows(
          `SELECT asset, quote, toString(max(day)), argMax(toString(close), (day, observed_at))
FROM prices
WHERE source = {source:String} AND asset IN {assets:Array(String)}
GROUP BY asset, quote`,
          { source, assets: assetsOf(prices) },
        ),
  ])
  return {
    figures: new Map(
      figureRows.map(([metric = '', entity = '', breakdown = '', day = '', figure = '', at]) => [
        figureKey(seriesKey(metric, entity, breakdown), day),
        { figure, observedAt: Number(at) },
      ]),
    ),
    prices: new Map(
      priceRows.map(([asset = '', quote = '', day = '', figure = '', at]) => [
        figureKey(priceSeries(asset, quote), day),
        { figure, observedAt: Number(at) },
      ]),
    ),
    newest: new Map([
      ...newestRows.map(
        ([metric = '', entity = '', breakdown = '', day = '', figure]) =>
          [seriesKey(metric, entity, breakdown), { day, figure: Number(figure) }] as const,
      ),
      ...newestPrices.map(
        ([asset = '', quote = '', day = '', close]) =>
          [priceSeries(asset, quote), { day, figure: Number(close) }] as const,
      ),
    ]),
  }
}

/** Prices have no metric: their series is named by asset and currency. */
export const priceSeries = (asset: string, quote: string): string => seriesKey('price', asset, quote)

const assetsOf = (prices: Checked['prices']): string[] => [...new Set(prices.map(({ asset }) => asset))]
const firstDay = (of: readonly { readonly day: string }[]): string => of.map(({ day }) => day).sort()[0] ?? ''
