import { type View, view } from '../view.ts'

export const btcUsdDaily: View = view('btc_usd_daily', {
  doc: 'One row per UTC day: the close of BTC in USD from the most trusted feed that has the day.',
  columns: { day: 'UTC day', close: 'last price of the day, USD', source: 'feed that gave it' },
  sql: `SELECT day, close, source
FROM (
  SELECT p.day AS day, argMax(p.close, p.observed_at) AS close, p.source AS source
  FROM prices AS p
  WHERE p.asset = 'BTC' AND p.quote = 'USD'
  GROUP BY p.day, p.source
) AS feeds
INNER JOIN sources AS s ON s.id = feeds.source
ORDER BY day, s.rank
LIMIT 1 BY day`,
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
