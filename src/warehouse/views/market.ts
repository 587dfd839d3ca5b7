import { BASE_DATABASE } from '../ddl.ts'
import { btcUsdDaily } from '../tables/rollups.ts'
import { commentsOf, type View, view } from '../view.ts'

const { run: _, ...closeColumns } = btcUsdDaily.columns

export const btcUsdDailyView: View = view('btc_usd_daily', {
  doc: btcUsdDaily.doc,
  columns: commentsOf(closeColumns),
  sql: `SELECT day, close, source
FROM ${BASE_DATABASE}.btc_usd_daily FINAL`,
})

export const latestObservations: View = view('latest_observations', {
  doc: 'One row per outside figure as its source last gave it; `observations` holds the revisions too.',
  columns: {
    metric: 'metric id',
    entity: 'entity',
    key: 'value of the metric’s dimension; empty without one',
    day: 'UTC day the figure is for',
    amount: 'the figure where it is an integer amount or a count',
    value: 'the figure where it is a price or a ratio',
    source: 'source id',
    observed_at: 'when it was last seen to differ',
  },
  sql: `SELECT
  metric, entity, breakdown AS key, day,
  argMax(tuple(o.amount), o.observed_at).1 AS amount,
  argMax(tuple(o.value), o.observed_at).1 AS value,
  source,
  max(o.observed_at) AS observed_at
FROM observations AS o
GROUP BY metric, entity, breakdown, day, source`,
})

export const usdCloses: View = view('usd_closes', {
  doc: 'One row per asset and UTC day: its close in US dollars from the most trusted publisher that has the day; a USDT is taken as a dollar.',
  columns: {
    asset: 'asset, as in `prices`',
    day: 'UTC day',
    close: 'last price of the day, US dollars',
    source: 'source id',
    spread: 'highest close among publishers over the lowest one, less one; 0 with one publisher',
  },
  sql: `SELECT
  p.asset AS asset, p.day AS day,
  argMin(p.close, (if(s.id = '', 1000, s.rank), p.source)) AS close,
  argMin(p.source, (if(s.id = '', 1000, s.rank), p.source)) AS source,
  max(p.close) / min(p.close) - 1 AS spread
FROM (
  SELECT asset, day, source, argMaxIf(o.close, o.observed_at, o.close > 0) AS close
  FROM prices AS o
  WHERE quote IN ('USD', 'USDT')
  GROUP BY asset, day, source
  HAVING close > 0
) AS p
LEFT JOIN sources AS s ON s.id = p.source
GROUP BY p.asset, p.day`,
})
