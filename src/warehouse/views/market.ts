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
