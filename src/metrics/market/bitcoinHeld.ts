import type { Catalog } from '#catalog/index.ts'
import { type Members, type Metric, metric, SUM_OF_KEYS } from '../metric.ts'
import { sourcesOfRowSql, sourcesSql } from '../sourcesSql.ts'
import { published, REFERENCES, slugsWhere } from './published.ts'

/** Bitcoin, and tokens that stand for it, on a layer, as Bitcoin Layers counts it. */
export function bitcoinHeldMetrics({ layers }: Catalog): Metric[] {
  const shared = {
    unit: 'sat',
    type: 'Int64',
    entityKind: 'layer',
    entities: slugsWhere(
      layers,
      ({ ids, assessments }) =>
        ids.bitcoinLayers !== undefined || assessments.some(({ by }) => by === 'Bitcoin Layers'),
    ),
    sources: ['bitcoinlayers.supplies', 'explorers.recorded', 'bitcoinlayers.supplies.recorded'],
    since: { day: '2024-10-22' },
    references: [REFERENCES.bitcoinLayers],
  } as const
  return [
    ...published({
      ...shared,
      id: 'btc.bridged',
      name: 'BTC bridged',
      definition: 'Satoshis of bitcoin and bitcoin-backed tokens on the layer at the end of the UTC day.',
      why: 'What people trust the layer with, in bitcoin: it does not move with the price.',
      how: 'Supply of each bitcoin token on the layer as Bitcoin Layers reads it from the layer’s contracts, summed. Of 5 Aug 2026 explorers report the supply of the layer’s own token: sBTC, L-BTC, and the public capacity of Lightning. The newest day wins on each layer, then the order of the sources. Sums over layers add each layer’s newest day and state the oldest one.',
      misleads:
        'A wrapped wrapper can count twice. btc.unique deducts that. Custodial tokens and tokens of the layer’s own bridge both count and are not equally safe. If only the layer’s own token is reported, tokens of other custodians are missing.',
      direction: 'up',
    }),
    ...published({
      ...shared,
      id: 'btc.by_token',
      name: 'BTC bridged by token',
      breakdown: { name: 'token', values: [], total: 'btc.bridged' },
      headline: SUM_OF_KEYS,
      definition: 'Satoshis of each bitcoin-backed token on the layer at the end of the UTC day.',
      why: 'Who controls the keys of the bitcoin backing the layer’s bitcoin tokens.',
      how: 'Supply on the layer by token as Bitcoin Layers reads it from the layer’s contracts.',
      misleads:
        'Tokens count one for one, regardless of market price and custodian. Read it with their grades.',
      direction: 'neither',
    }),
  ]
}

/** The publisher’s `solv-solvbtccore` as the catalogue’s `solvbtc-core`: without the issuer, and both without hyphens. */
const BARE_KEY = "replaceAll(substring(a.key, position(a.key, '-') + 1), '-', '')"

/** What follows from the amounts of each bitcoin token on a layer. */
export function bitcoinFlowMetrics({ tokens }: Catalog, byToken: Metric): Metric[] {
  const shared = {
    entityKind: 'layer',
    entities: byToken.entities,
    sources: byToken.sources,
    cadence: 'day',
    calendar: 'reported',
    isPerPublisher: byToken.isPerPublisher,
    since: byToken.since,
    needs: byToken.needs,
    references: byToken.references,
  } as const
  const amounts = `amounts AS (
${byToken.sql}
  )`
  const outside = `'whole' AS state, ${sourcesSql('a.source')} AS source,
  CAST(NULL AS Nullable(UInt32)) AS from_height, CAST(NULL AS Nullable(UInt32)) AS to_height, max(a.as_of) AS as_of`
  const bitcoinTokens = new Set(tokens.filter(({ kind }) => kind === 'btc').map(({ id }) => id))
  const wrappers = tokens
    .filter(({ claimOn }) => claimOn !== undefined && bitcoinTokens.has(claimOn))
    .map(({ id }) => id)
  const isNoClaim = `${BARE_KEY} NOT IN (${wrappers.length === 0 ? "''" : wrappers.map(id => `'${id.replaceAll('-', '')}'`).join(', ')})`
  const tokensWhere = (condition: string): Members => ({
    name: 'tokens',
    isSum: true,
    isReportedDaily: true,
    sql: `WITH
  ${amounts}
SELECT day, key, value, state, source, from_height, to_height, as_of
FROM amounts AS a
WHERE ${condition}
ORDER BY day, key`,
  })
  return [
    metric({
      ...shared,
      id: 'btc.unique',
      name: 'BTC bridged, counted once',
      unit: 'sat',
      definition:
        'Satoshis of the bitcoin tokens on the layer at the end of the UTC day, without tokens that are claims on another bitcoin token.',
      why: 'A bitcoin that was wrapped, staked and lent is one bitcoin.',
      how: 'Sum of btc.by_token, excluding tokens that the catalog lists as claims on another token (`claimOn` in catalog/tokens).',
      misleads:
        'Tokens with unknown backing count in full. An underlying token can be on another layer and is then in no layer’s sum.',
      sql: `WITH
  ${amounts}
SELECT
  a.day AS day, '' AS key, sum(a.value) AS value, ${outside}
FROM amounts AS a
WHERE ${isNoClaim}
GROUP BY a.day
ORDER BY day`,
      members: tokensWhere(isNoClaim),
      aggregate: 'last',
      direction: 'up',
    }),
    metric({
      ...shared,
      id: 'inflow.usd',
      name: 'Bitcoin that came in',
      unit: 'USD',
      breakdown: { name: 'token', values: [] },
      headline: SUM_OF_KEYS,
      definition:
        'Change of the amount of each bitcoin token on the layer since the day before × the close of bitcoin, in US dollars.',
      why: 'Separates flows from price changes. Below 0, bitcoin leaves.',
      how: 'Difference of btc.by_token to the day before × the close of the day; only where one publisher reports both days. Tokens other than bitcoin’s have no published amounts by layer and are left out.',
      misleads: 'Coins that an issuer moves between layers are an inflow here and an outflow there.',
      sql: `WITH
  ${amounts},
  steps AS (
    SELECT
      day, key, value, source, as_of,
      lagInFrame(toNullable(value)) OVER own AS before, lagInFrame(toNullable(day)) OVER own AS day_before,
      lagInFrame(source) OVER own AS source_before
    FROM amounts
    WINDOW own AS (PARTITION BY key ORDER BY day ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
  )
SELECT
  s.day AS day, s.key AS key, (s.value - s.before) / 100000000 * nullIf(p.close, 0) AS value, 'whole' AS state,
  ${sourcesOfRowSql('s.source', 's.source_before')} AS source, CAST(NULL AS Nullable(UInt32)) AS from_height, CAST(NULL AS Nullable(UInt32)) AS to_height,
  s.as_of AS as_of
FROM steps AS s
LEFT JOIN btc_usd_daily AS p ON p.day = s.day
-- Publishers count differently, so what changes with the publisher did not come in.
WHERE s.day_before = s.day - 1 AND splitByChar('.', s.source)[1] = splitByChar('.', s.source_before)[1]
ORDER BY day, key`,
      aggregate: 'sum',
      direction: 'up',
    }),
    metric({
      ...shared,
      id: 'tvl.constant_price',
      name: 'BTC bridged at constant price',
      unit: 'USD',
      definition:
        'Amount of the bitcoin tokens on the layer on each UTC day × the close of bitcoin on the first day of the range that has a figure, in US dollars.',
      why: 'Not affected by prices. It rises only when coins arrive.',
      how: 'Sum of btc.by_token × one close. DefiLlama’s TVL has no amounts by token, so other tokens are excluded.',
      misleads:
        'Valued at the close of one day. A range with another start gives another line of the same shape.',
      sql: `WITH
  ${amounts},
  days AS (
    SELECT a.day AS day, sum(a.value) AS total, ${sourcesSql('a.source')} AS source, max(a.as_of) AS as_of
    FROM amounts AS a
    GROUP BY a.day
  ),
  priced AS (
    SELECT argMin(p.close, p.day) AS close
    FROM btc_usd_daily AS p
    WHERE p.close > 0 AND p.day >= (SELECT min(day) FROM days)
  )
SELECT
  d.day AS day, '' AS key, d.total / 100000000 * nullIf(c.close, 0) AS value, 'whole' AS state, d.source AS source,
  CAST(NULL AS Nullable(UInt32)) AS from_height, CAST(NULL AS Nullable(UInt32)) AS to_height, d.as_of AS as_of
FROM days AS d
CROSS JOIN priced AS c
ORDER BY day`,
      // At one price the change is that of the amounts.
      members: tokensWhere('1'),
      aggregate: 'last',
      direction: 'up',
    }),
  ]
}
