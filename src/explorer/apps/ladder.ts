import { CLOSES } from '#metrics/apps/dollars.ts'
import { NO_ROWS_OF_STACKS } from './functions.ts'
import type { AppTable } from './table.ts'

/** The deepest fall that the ladder tells of, in hundredths. */
const DEEPEST = 60

/** CTEs up to `positions`: account, dollars of collateral and of debt, and how many dollars of collateral a dollar of debt needs. */
const POSITIONS: Readonly<Record<string, string>> = {
  arkadiko: `vaults AS (
    SELECT
      e.owner AS account, multiIf(endsWith(e.token, '.wstx-token'), 'STX', endsWith(e.token, '.ststx-token'), 'stSTX', 'BTC') AS closes,
      argMax(toFloat64(e.collateral), (e.height, e.event_index)) / if(closes = 'BTC', 1e8, 1e6) AS coins,
      argMax(toFloat64(e.debt), (e.height, e.event_index)) / 1e6 AS debt
    FROM stx_cdp_events AS e
    WHERE e.protocol = 'arkadiko' AND e.version = 'v2' AND e.kind = 'set'
    GROUP BY e.owner, e.token
  ),
  terms AS (
    SELECT if(o.key = 'sBTC', 'BTC', o.key) AS closes, argMax(assumeNotNull(o.value), (o.day, o.observed_at)) AS needs
    FROM latest_observations AS o
    WHERE o.entity = 'arkadiko' AND o.metric = 'cdp.liquidation_ratio' AND o.value > 0
    GROUP BY o.key
  ),
  positions AS (
    SELECT v.account AS account, v.coins * p.price AS collateral, v.debt AS debt, t.needs AS needs
    FROM vaults AS v
    INNER JOIN terms AS t ON t.closes = v.closes
    INNER JOIN newest AS p ON p.asset = v.closes
    WHERE v.debt > 0
  )`,
  granite: `balances AS (
    SELECT
      e.account AS account,
      argMaxIf(toFloat64(assumeNotNull(e.collateral_balance)), (e.height, e.event_index), e.collateral_balance IS NOT NULL) AS sats,
      maxIf((e.height, e.event_index), e.collateral_balance IS NOT NULL) AS sats_at,
      argMaxIf(toFloat64(assumeNotNull(e.debt_shares)), (e.height, e.event_index), e.debt_shares IS NOT NULL) AS shares,
      maxIf((e.height, e.event_index), e.debt_shares IS NOT NULL) AS shares_at
    FROM stx_lend_events AS e
    WHERE e.protocol = 'granite' AND e.kind IN ('borrow', 'repay', 'collateral_add', 'collateral_remove')
    GROUP BY e.account
  ),
  seized AS (
    SELECT
      b.account AS account, sumIf(toFloat64(e.collateral_amount), (e.height, e.event_index) > b.sats_at) AS sats,
      sumIf(toFloat64(e.shares), (e.height, e.event_index) > b.shares_at) AS shares
    FROM stx_lend_events AS e
    INNER JOIN balances AS b ON b.account = e.account
    WHERE e.protocol = 'granite' AND e.kind = 'liquidate'
    GROUP BY b.account
  ),
  terms AS (
    SELECT
      argMaxIf(o.value, (o.day, o.observed_at), o.metric = 'lend.liquidation_ltv' AND o.key = 'aeUSDC sBTC') AS ltv,
      argMaxIf(o.value, (o.day, o.observed_at), o.metric = 'lend.debt_share_price' AND o.key = 'aeUSDC') AS share_price
    FROM latest_observations AS o
    WHERE o.entity = 'granite' AND o.value > 0
  ),
  positions AS (
    SELECT
      b.account AS account, (b.sats - ifNull(s.sats, 0)) / 1e8 * p.price AS collateral,
      (b.shares - ifNull(s.shares, 0)) * t.share_price / 1e6 AS debt, 1 / t.ltv AS needs
    FROM balances AS b
    LEFT JOIN seized AS s ON s.account = b.account
    INNER JOIN newest AS p ON p.asset = 'BTC'
    INNER JOIN terms AS t ON t.ltv > 0 AND t.share_price > 0
    WHERE b.shares > ifNull(s.shares, 0)
  )`,
}
const NONE = `positions AS (SELECT '' AS account, 0. AS collateral, 0. AS debt, 0. AS needs WHERE false)`

/** CTEs that end with `positions`, over the newest price of each coin. */
export const positionsSql = (slug: string): string => `${CLOSES},
  newest AS (SELECT c.asset AS asset, argMax(c.close, c.day) AS price FROM closes AS c GROUP BY c.asset),
  ${POSITIONS[slug] ?? NONE}`

const EMPTY =
  'No position can be valued: it takes the blocks in which accounts last moved, terms that the contract answers, and a price.'

/** What is liquidated when the collateral falls so far, step by step. */
export const ladderTable: AppTable = {
  title: 'What a fall of the price liquidates',
  sub: 'Positions of accounts that moved in blocks that are held, at the newest close',
  empty: `${EMPTY} ${NO_ROWS_OF_STACKS}`,
  columns: [
    { key: 'fall', label: 'Fall', form: 'figure', unit: 'ratio' },
    { key: 'positions', label: 'Positions', form: 'count' },
    { key: 'collateral', label: 'Collateral, at the fallen price', form: 'figure', unit: 'USD' },
    { key: 'debt', label: 'Debt', form: 'figure', unit: 'USD' },
    { key: 'short', label: 'Debt beyond collateral', form: 'figure', unit: 'USD' },
    { key: 'all_positions', label: 'Of positions', form: 'count', isOptional: true },
  ],
  sql: ({ slug }) => `WITH
  ${positionsSql(slug)}
SELECT
  f.step / 100 AS fall,
  countIf(p.collateral * (1 - fall) < p.debt * p.needs) AS positions,
  ifNull(sumIf(p.collateral * (1 - fall), p.collateral * (1 - fall) < p.debt * p.needs), 0) AS collateral,
  ifNull(sumIf(p.debt, p.collateral * (1 - fall) < p.debt * p.needs), 0) AS debt,
  ifNull(sumIf(p.debt - p.collateral * (1 - fall), p.collateral * (1 - fall) < p.debt), 0) AS short,
  count() AS all_positions
FROM positions AS p
CROSS JOIN (SELECT number AS step FROM numbers(${DEEPEST + 1})) AS f
GROUP BY f.step
ORDER BY f.step`,
}

/** Positions by how far they are from their liquidation. */
export const healthTable: AppTable = {
  title: 'Health of positions',
  sub: 'How far the price may fall before each is liquidated, at the newest close',
  empty: `${EMPTY} ${NO_ROWS_OF_STACKS}`,
  columns: [
    { key: 'band', label: 'May fall by', form: 'text' },
    { key: 'positions', label: 'Positions', form: 'count' },
    { key: 'collateral', label: 'Collateral', form: 'figure', unit: 'USD' },
    { key: 'debt', label: 'Debt', form: 'figure', unit: 'USD' },
    { key: 'ratio', label: 'Collateral over debt', form: 'figure', unit: 'ratio' },
  ],
  sql: ({ slug }) => `WITH
  ${positionsSql(slug)},
  held AS (SELECT p.collateral AS collateral, p.debt AS debt, 1 - p.debt * p.needs / p.collateral AS room FROM positions AS p WHERE p.collateral > 0)
SELECT
  multiIf(h.room < 0, 'nothing: it may be liquidated', h.room < 0.1, 'less than 10 %', h.room < 0.2, '10 to 20 %', h.room < 0.3, '20 to 30 %', h.room < 0.5, '30 to 50 %', 'more than 50 %') AS band,
  count() AS positions, sum(h.collateral) AS collateral, sum(h.debt) AS debt, sum(h.collateral) / sum(h.debt) AS ratio
FROM held AS h
GROUP BY band
ORDER BY min(h.room)`,
}
