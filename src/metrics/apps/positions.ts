import type { AppPositions, StacksApp } from '#catalog/index.ts'
import { CLOSES, type Coin, coinOf } from './dollars.ts'

/** Falls of prices that a ladder is told at, in hundredths. */
export const LADDER_FALLS = [0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60] as const

/** SQL: dollars of the collateral of a position `p`, and of its debt, once prices fell by `fall`; a dollar falls with none. */
export const fallenCollateral = (fall: string): string =>
  `(p.moving_collateral * (1 - ${fall}) + p.still_collateral)`
export const fallenDebt = (fall: string): string => `(p.moving_debt * (1 - ${fall}) + p.still_debt)`
/** SQL: whether a position may be liquidated then. */
export const isLiquidated = (fall: string): string =>
  `${fallenCollateral(fall)} < ${fallenDebt(fall)} * p.needs`

const NO_POSITIONS = `positions AS (
    SELECT '' AS account, 0. AS moving_collateral, 0. AS still_collateral, 0. AS moving_debt, 0. AS still_debt, 0. AS needs
    WHERE false
  )`

/**
 * CTEs that end with `positions`, one row per account and loan: dollars of its collateral and of its debt at the newest
 * close, those that move with prices apart from dollars, and how many dollars of collateral a dollar of debt needs. One of
 * which anything has no price, or no known term, is none. `terms_at` is when the contracts were last asked.
 */
export function positionsSql(app: StacksApp | undefined): string {
  const terms = `terms_at AS (
    SELECT max(o.observed_at) AS at FROM latest_observations AS o WHERE o.entity = '${app?.protocol ?? ''}' AND o.source = 'stacks.reads'
  )`
  if (app?.positions === undefined) return `${terms},\n  ${NO_POSITIONS}`
  return `${CLOSES},
  ${terms},
  newest AS (
    SELECT c.asset AS asset, argMax(c.close, c.day) AS price FROM closes AS c GROUP BY c.asset
    UNION ALL
    SELECT 'USD', 1.
  ),
  ${legsSql(app, app.positions)},
  positions AS (
    SELECT
      l.account AS account,
      sumIf(l.coins * c.price, NOT l.is_debt AND l.closes != 'USD') AS moving_collateral,
      sumIf(l.coins * c.price, NOT l.is_debt AND l.closes = 'USD') AS still_collateral,
      sumIf(l.coins * c.price, l.is_debt AND l.closes != 'USD') AS moving_debt,
      sumIf(l.coins * c.price, l.is_debt AND l.closes = 'USD') AS still_debt,
      any(l.needs) AS needs
    FROM legs AS l
    LEFT JOIN newest AS c ON c.asset = l.closes
    WHERE l.coins > 0 AND l.needs > 0
    GROUP BY l.account, l.loan
    HAVING moving_debt + still_debt > 0 AND min(c.price) > 0
  )`
}

/** CTEs that end with `legs`: account, loan, needs, is_debt, coins, closes. Each reads the events once. */
function legsSql(app: StacksApp, positions: AppPositions): string {
  switch (positions.kind) {
    case 'vaults':
      return vaultsSql(app, positions)
    case 'shares':
      return sharesSql(app, positions)
    case 'groups':
      return groupsSql(app, positions)
    default: {
      const never: never = positions
      return never
    }
  }
}

const floatOf = (column: string): string => `toFloat64(assumeNotNull(${column}))`

function vaultsSql({ protocol, assets }: StacksApp, { version }: AppPositions & { kind: 'vaults' }): string {
  const tokens = Object.entries(assets).flatMap(([contract, asset]) => {
    const coin = coinOf(asset)
    return coin === undefined ? [] : [`('${contract}', '${asset.symbol}', ${coin.scale}., '${coin.closes}')`]
  })
  return `vaults AS (
    SELECT
      e.owner AS account, e.token AS loan,
      argMax(${floatOf('e.collateral')}, (e.height, e.event_index)) AS collateral,
      argMax(${floatOf('e.debt')}, (e.height, e.event_index)) / 1e6 AS debt
    FROM stx_cdp_events AS e
    WHERE e.protocol = '${protocol}' AND e.version = '${version}' AND e.kind = 'set'
    GROUP BY e.owner, e.token
  ),
  tokens AS (SELECT t.1 AS token, t.2 AS symbol, t.3 AS scale, t.4 AS closes FROM (SELECT arrayJoin([${tokens.join(', ')}]) AS t)),
  legs AS (
    SELECT v.account AS account, v.loan AS loan, r.ratio AS needs, leg.1 AS is_debt, leg.2 AS coins, leg.3 AS closes
    FROM vaults AS v
    INNER JOIN tokens AS t ON t.token = v.loan
    INNER JOIN (
      SELECT o.key AS symbol, argMax(assumeNotNull(o.value), (o.day, o.observed_at)) AS ratio
      FROM latest_observations AS o
      WHERE o.entity = '${protocol}' AND o.metric = 'cdp.liquidation_ratio' AND o.value > 0
      GROUP BY o.key
    ) AS r ON r.symbol = t.symbol
    ARRAY JOIN [(false, v.collateral / t.scale, t.closes), (true, v.debt, 'USD')] AS leg
  )`
}

function sharesSql(app: StacksApp, { market, collateral }: AppPositions & { kind: 'shares' }): string {
  const { protocol, assets } = app
  const pledge = assets[collateral]
  const lent = coinOfMarket(app, market)
  const coin = pledge && coinOf(pledge)
  if (pledge === undefined || coin === undefined || lent === undefined) return NO_LEGS
  return `accounts AS (
    SELECT
      e.account AS account,
      arraySort(groupArray((
        e.height, e.event_index, ifNull(toFloat64(e.collateral_balance), -1.), ifNull(toFloat64(e.debt_shares), -1.),
        if(e.kind = 'liquidate', ifNull(toFloat64(e.collateral_amount), 0.), 0.),
        if(e.kind = 'liquidate', ifNull(toFloat64(e.shares), 0.), 0.)
      ))) AS moves
    FROM stx_lend_events AS e
    WHERE e.protocol = '${protocol}' AND e.kind IN ('borrow', 'repay', 'collateral_add', 'collateral_remove', 'liquidate')
    GROUP BY e.account
  ),
  balances AS (
    -- A liquidation prints what it took and no balance: it is taken off the newest one before it.
    SELECT
      account, arrayLastIndex(move -> move.3 >= 0, moves) AS pledged_at, arrayLastIndex(move -> move.4 >= 0, moves) AS shares_at,
      if(pledged_at = 0, 0, moves[pledged_at].3 - arraySum(move -> move.5, arraySlice(moves, pledged_at + 1))) AS pledged,
      if(shares_at = 0, 0, moves[shares_at].4 - arraySum(move -> move.6, arraySlice(moves, shares_at + 1))) AS shares
    FROM accounts
  ),
  terms AS (
    SELECT
      argMaxIf(o.value, (o.day, o.observed_at), o.metric = 'lend.liquidation_ltv' AND o.key = '${market} ${pledge.symbol}') AS ltv,
      argMaxIf(o.value, (o.day, o.observed_at), o.metric = 'lend.debt_share_price' AND o.key = '${market}') AS share_price
    FROM latest_observations AS o
    WHERE o.entity = '${protocol}' AND o.value > 0
  ),
  legs AS (
    SELECT b.account AS account, '' AS loan, 1 / assumeNotNull(t.ltv) AS needs, leg.1 AS is_debt, leg.2 AS coins, leg.3 AS closes
    FROM balances AS b
    INNER JOIN terms AS t ON t.share_price > 0 AND t.ltv > 0
    ARRAY JOIN [
      (false, b.pledged / ${coin.scale}., '${coin.closes}'),
      (true, b.shares * assumeNotNull(t.share_price) / ${lent.scale}., '${lent.closes}')
    ] AS leg
  )`
}

/** Bits of debts follow those of collateral in a mask. */
const DEBT_BITS = 64

function groupsSql(
  app: StacksApp,
  { version, read: name, assets }: AppPositions & { kind: 'groups' },
): string {
  const { protocol, reads } = app
  const read = reads.find(known => known.name === name)
  const known = assets.flatMap(({ id, market, isShare = false }) => {
    const coin = coinOfMarket(app, market)
    return coin === undefined ? [] : [`(${id}, '${market}', ${isShare}, ${coin.scale}., '${coin.closes}')`]
  })
  if (read === undefined || known.length === 0) return NO_LEGS
  return `groups AS (
    SELECT
      toUInt128(JSONExtractString(g.told, 'mask')) AS mask, toUInt32(JSONExtractString(g.told, 'id')) AS id,
      toFloat64(JSONExtractString(g.told, 'ltv-liq-partial')) / 1e4 AS ltv
    FROM (
      SELECT arrayJoin(JSONExtractArrayRaw(argMax(r.answer, r.asked_at), 'egroups')) AS told
      FROM stx_reads AS r
      WHERE r.contract = '${read.contract}' AND r.function_name = '${read.function}' AND r.answer != ''
    ) AS g
  ),
  balances AS (
    SELECT
      e.account AS account, toUInt8(assumeNotNull(e.asset_id)) AS asset,
      argMaxIf(${floatOf('e.collateral_balance')}, (e.height, e.event_index), e.collateral_balance IS NOT NULL) AS pledged,
      argMaxIf(${floatOf('e.debt_shares')}, (e.height, e.event_index), e.debt_shares IS NOT NULL) AS shares
    FROM stx_lend_events AS e
    WHERE e.protocol = '${protocol}' AND e.version = '${version}' AND e.kind = 'position' AND e.asset_id < ${DEBT_BITS}
    GROUP BY e.account, e.asset_id
  ),
  accounts AS (
    SELECT
      b.account AS account, groupArray((b.asset, b.pledged, b.shares)) AS holdings,
      sumIf(bitShiftLeft(toUInt128(1), b.asset), b.pledged > 0) + sumIf(bitShiftLeft(toUInt128(1), b.asset + ${DEBT_BITS}), b.shares > 0) AS mask
    FROM balances AS b
    GROUP BY b.account
  ),
  loans AS (
    SELECT
      a.account AS account, arrayJoin(a.holdings) AS holding,
      -- The smallest group that has all of it, the oldest of those; none: it cannot be told.
      arraySort(arrayFilter(one -> bitAnd(one.3, a.mask) = a.mask, g.known))[1].4 AS ltv
    FROM accounts AS a
    CROSS JOIN (SELECT groupArray((bitCount(mask), id, mask, ltv)) AS known FROM groups) AS g
  ),
  known_assets AS (
    SELECT a.1 AS asset, a.2 AS market, a.3 AS is_share, a.4 AS scale, a.5 AS closes FROM (SELECT arrayJoin([${known.join(', ')}]) AS a)
  ),
  legs AS (
    SELECT
      l.account AS account, '' AS loan, if(l.ltv > 0, 1 / l.ltv, 0) AS needs, leg.1 AS is_debt, leg.2 AS coins, leg.3 AS closes
    FROM loans AS l
    LEFT JOIN known_assets AS a ON a.asset = l.holding.1
    LEFT JOIN (
      SELECT
        o.key AS market,
        argMaxIf(assumeNotNull(o.value), (o.day, o.observed_at), o.metric = 'lend.share_price') AS per_share,
        argMaxIf(assumeNotNull(o.value), (o.day, o.observed_at), o.metric = 'lend.debt_share_price') AS per_debt
      FROM latest_observations AS o
      WHERE o.entity = '${protocol}' AND o.metric IN ('lend.share_price', 'lend.debt_share_price') AND o.value > 0
      GROUP BY o.key
    ) AS s ON s.market = a.market
    ARRAY JOIN [
      -- What nobody declared, or whose share has no price, is a coin without a price: its position is left out.
      (false, l.holding.2 / greatest(a.scale, 1) * if(a.is_share, greatest(s.per_share, 1e-18), 1), if(a.is_share AND s.per_share = 0, '', a.closes)),
      (true, l.holding.3 / greatest(a.scale, 1) * greatest(s.per_debt, 1e-18), if(s.per_debt = 0, '', a.closes))
    ] AS leg
  )`
}

const NO_LEGS =
  "legs AS (SELECT '' AS account, '' AS loan, 0. AS needs, false AS is_debt, 0. AS coins, '' AS closes WHERE false)"

function coinOfMarket({ markets, assets }: StacksApp, id: string): Coin | undefined {
  const asset = assets[markets.find(market => market.id === id)?.asset ?? '']
  return asset && coinOf(asset)
}
