import { SOURCES_BY } from '#kernel/sourceNames.ts'
import { BASE_DATABASE } from '../ddl.ts'
import { indexKept, indexLoads } from '../tables/indices.ts'
import { commentsOf, type View, view } from '../view.ts'

/** A figure that is seen for the first time later than this after its day is one of a recording. */
const KNOWN_WITHIN_DAYS = 2
/** At a rebalancing a token needs a price of the day or of the days before it. */
export const MOST_PRICE_AGE_DAYS = 3
/** A circulating supply that was told longer ago is none. */
export const MOST_SUPPLY_AGE_DAYS = 45
/** Of the days over which volumes and fees are counted, as many must have been told. */
export const WINDOW_DAYS = 30
export const LEAST_VOLUME_DAYS = 15
export const LEAST_FEE_DAYS = 25
/** One token is no index. */
export const LEAST_CONSTITUENTS = 2
/** The level at which every index starts. */
export const BASE_LEVEL = 1000

const DOLLARS = "'USD', 'USDT'"

/**
 * A value as it was first known: what was seen last within two days of its day, else what was seen first. A later revision
 * of the same source moves no past rebalancing.
 */
const firstKnown = (value: string): string =>
  `if(
      countIf(o.observed_at < toDateTime(o.day + ${KNOWN_WITHIN_DAYS}, 'UTC')) > 0,
      argMaxIf(${value}, o.observed_at, o.observed_at < toDateTime(o.day + ${KNOWN_WITHIN_DAYS}, 'UTC')),
      argMin(${value}, o.observed_at)
    )`

type Loads = (typeof indexLoads)[keyof typeof indexLoads]

/** The rows of the catalogue as it was loaded last; rules are written last, and by them a load is there. */
function ofLatestLoad(name: string, doc: string, loads: Loads): View {
  const comments = commentsOf(loads.columns)
  for (const own of ['loaded_at', 'catalog_hash']) delete comments[own]
  return view(name, {
    doc,
    columns: comments,
    sql: `SELECT ${Object.keys(comments).join(', ')}
FROM ${loads.name}
WHERE loaded_at = (SELECT max(l.loaded_at) FROM ${indexLoads.rules.name} AS l)`,
  })
}

const tokenDays = view('index_token_days', {
  doc: 'One row per token that an index can include and UTC day with data: price, circulating supply and volume from the most trusted source, as first reported.',
  columns: {
    token: 'token, as in the catalog',
    day: 'UTC day',
    price_usd: 'close of the day, US dollars; null where no publisher has one',
    price_source: 'source id of the price; empty without',
    spread: 'highest price among publishers over the lowest one, less one',
    supply: 'circulating supply as reported, else market cap ÷ price of one source; null if not reported',
    supply_source: 'source id of the supply; empty without',
    volume_usd: '24h volume, US dollars; null if not reported',
    seen_at: 'when the newest of them was first seen, UTC',
  },
  sql: `WITH
  tokens AS (
    SELECT token, any(asset) AS asset
    FROM index_members
    GROUP BY token
  ),
  told AS (
    SELECT t.token AS token, o.day AS day, o.source AS source, 'token.price' AS metric,
      ${firstKnown('o.close')} AS value, min(o.observed_at) AS seen_at
    FROM prices AS o
    INNER JOIN tokens AS t ON t.asset = o.asset
    WHERE o.quote IN (${DOLLARS}) AND o.close > 0
    GROUP BY t.token, o.day, o.source
    UNION ALL
    SELECT o.entity, o.day, o.source, o.metric,
      ${firstKnown('assumeNotNull(o.value)')}, min(o.observed_at)
    FROM observations AS o
    WHERE o.metric IN ('token.price', 'token.mcap', 'token.supply', 'token.volume') AND o.value IS NOT NULL
      AND (o.value > 0 OR o.metric = 'token.volume') AND o.entity IN (SELECT token FROM tokens)
    GROUP BY o.entity, o.day, o.source, o.metric
  ),
  by_source AS (
    SELECT
      token, day, source,
      maxIf(value, metric = 'token.price') AS price,
      maxIf(value, metric = 'token.mcap') AS cap,
      maxIf(value, metric = 'token.supply') AS stated,
      if(stated > 0, stated, if(price > 0, cap / price, 0)) AS supply,
      countIf(metric = 'token.volume') AS has_volume,
      maxIf(value, metric = 'token.volume') AS volume,
      max(seen_at) AS seen_at
    FROM told
    GROUP BY token, day, source
  )
SELECT
  b.token AS token, b.day AS day,
  nullIf(argMinIf(b.price, (if(s.id = '', 1000, s.rank), b.source), b.price > 0), 0) AS price_usd,
  argMinIf(b.source, (if(s.id = '', 1000, s.rank), b.source), b.price > 0) AS price_source,
  if(price_usd > 0, maxIf(b.price, b.price > 0) / minIf(b.price, b.price > 0) - 1, 0) AS spread,
  nullIf(argMinIf(b.supply, (if(s.id = '', 1000, s.rank), b.source), b.supply > 0), 0) AS supply,
  argMinIf(b.source, (if(s.id = '', 1000, s.rank), b.source), b.supply > 0) AS supply_source,
  if(countIf(b.has_volume > 0) = 0, NULL, toNullable(argMinIf(b.volume, (if(s.id = '', 1000, s.rank), b.source), b.has_volume > 0))) AS volume_usd,
  max(b.seen_at) AS seen_at
FROM by_source AS b
LEFT JOIN sources AS s ON s.id = b.source
GROUP BY b.token, b.day`,
})

const feeDays = view('index_fee_days', {
  doc: 'One row per layer whose fees weight a token of an index and UTC day with fees, from the most trusted source, as first reported.',
  columns: {
    layer: 'layer, as in the catalog',
    day: 'UTC day',
    fees_usd: 'fees that users paid on the layer, US dollars',
    fees_source: 'source id of the fees',
    seen_at: 'when they were first seen, UTC',
  },
  sql: `SELECT
  g.layer AS layer, g.day AS day, argMin(g.usd, (if(s.id = '', 1000, s.rank), g.source)) AS fees_usd,
  argMin(g.source, (if(s.id = '', 1000, s.rank), g.source)) AS fees_source,
  argMin(g.seen_at, (if(s.id = '', 1000, s.rank), g.source)) AS seen_at
FROM (
  SELECT
    o.entity AS layer, o.day AS day, o.source AS source, ${firstKnown('assumeNotNull(o.value)')} AS usd,
    min(o.observed_at) AS seen_at
  FROM observations AS o
  WHERE o.metric = 'fees.chain_usd' AND o.value >= 0
    AND o.entity IN (SELECT m.fees_of FROM index_members AS m WHERE m.fees_of != '')
  GROUP BY o.entity, o.day, o.source
) AS g
LEFT JOIN sources AS s ON s.id = g.source
GROUP BY g.layer, g.day`,
})

const candidates = view('index_candidates', {
  doc: 'One row per index, rebalancing (the last UTC day of a month) and token that it may hold: what was known of the token by the close of that day, and why it is in or out. The dated snapshot behind each rebalancing.',
  columns: {
    index_id: 'index',
    day: 'day of the rebalancing: weights take effect after its close',
    token: 'token',
    symbol: 'its symbol',
    price_usd: `newest price up to the day, at most ${MOST_PRICE_AGE_DAYS} days old; null without one`,
    price_day: 'day of that price; null without one',
    price_source: 'source id of that price; empty without',
    first_day: 'first day on which a price of it is held',
    supply: `newest circulating supply told up to the day, at most ${MOST_SUPPLY_AGE_DAYS} days old; null without one`,
    supply_day: 'day of that supply; null without one',
    supply_source: 'source id of that supply; empty without',
    volume_median_usd: `median of the daily volumes of ${WINDOW_DAYS} days; null where fewer than ${LEAST_VOLUME_DAYS} are told`,
    fees_usd: `fees of the layer within ${WINDOW_DAYS} days, US dollars; null where fewer than ${LEAST_FEE_DAYS} days are told`,
    size: 'what weighs it: market value, fees, or 1 in an equal index; null where that is not known',
    reason: 'why it is not eligible; empty where it is',
    seen_at:
      'when the newest of these figures was first seen: later than the day where a recording tells of it',
  },
  sql: `WITH
  known AS (
    SELECT
      t.token AS token, t.rebalancing AS rebalancing,
      maxIf(t.day, t.price_usd > 0 AND t.rebalancing - t.day <= ${MOST_PRICE_AGE_DAYS}) AS price_day,
      argMaxIf(t.price_usd, t.day, t.price_usd > 0 AND t.rebalancing - t.day <= ${MOST_PRICE_AGE_DAYS}) AS price_usd,
      argMaxIf(t.price_source, t.day, t.price_usd > 0 AND t.rebalancing - t.day <= ${MOST_PRICE_AGE_DAYS}) AS price_source,
      maxIf(t.day, t.supply > 0) AS supply_day,
      argMaxIf(t.supply, t.day, t.supply > 0) AS supply,
      argMaxIf(t.supply_source, t.day, t.supply > 0) AS supply_source,
      countIf(t.volume_usd IS NOT NULL AND t.rebalancing - t.day < ${WINDOW_DAYS}) AS volume_days,
      quantileExactInclusiveIf(0.5)(ifNull(t.volume_usd, 0), t.volume_usd IS NOT NULL AND t.rebalancing - t.day < ${WINDOW_DAYS}) AS volume_median,
      max(t.seen_at) AS seen_at
    FROM (
      SELECT *, arrayJoin([toLastDayOfMonth(day), toLastDayOfMonth(toLastDayOfMonth(day) + 1)]) AS rebalancing
      FROM index_token_days
    ) AS t
    WHERE t.rebalancing - t.day < ${MOST_SUPPLY_AGE_DAYS}
    GROUP BY t.token, t.rebalancing
  ),
  firsts AS (
    SELECT token, min(day) AS first_day
    FROM index_token_days
    WHERE price_usd > 0
    GROUP BY token
  ),
  fees AS (
    SELECT f.layer AS layer, f.rebalancing AS rebalancing, avg(f.fees_usd) * ${WINDOW_DAYS} AS usd, count() AS days, max(f.seen_at) AS seen_at
    FROM (
      SELECT *, arrayJoin([toLastDayOfMonth(day), toLastDayOfMonth(toLastDayOfMonth(day) + 1)]) AS rebalancing
      FROM index_fee_days
    ) AS f
    WHERE f.rebalancing - f.day < ${WINDOW_DAYS}
    GROUP BY f.layer, f.rebalancing
  )
SELECT
  m.index_id AS index_id, k.rebalancing AS day, m.token AS token, m.symbol AS symbol,
  nullIf(k.price_usd, 0) AS price_usd, if(k.price_usd > 0, toNullable(k.price_day), NULL) AS price_day,
  k.price_source AS price_source, n.first_day AS first_day,
  nullIf(k.supply, 0) AS supply, if(k.supply > 0, toNullable(k.supply_day), NULL) AS supply_day, k.supply_source AS supply_source,
  if(k.volume_days >= ${LEAST_VOLUME_DAYS}, toNullable(k.volume_median), NULL) AS volume_median_usd,
  if(e.days >= ${LEAST_FEE_DAYS}, toNullable(e.usd), NULL) AS fees_usd,
  multiIf(
    r.weighting = 'equal', toNullable(1.),
    r.weighting = 'fees', nullIf(fees_usd, 0),
    k.price_usd > 0 AND k.supply > 0, k.price_usd * k.supply, NULL
  ) AS size,
  multiIf(
    price_usd IS NULL, 'no price in the last ${MOST_PRICE_AGE_DAYS} days',
    toInt32(k.rebalancing - n.first_day) < r.min_age_days, concat('only ', toString(k.rebalancing - n.first_day), ' days of prices'),
    r.volume_floor_usd > 0 AND volume_median_usd IS NULL, 'no volume',
    r.volume_floor_usd > 0 AND volume_median_usd < r.volume_floor_usd, 'volume below the minimum',
    size IS NOT NULL, '',
    r.weighting = 'fees', 'no fees of its layer', 'no circulating supply'
  ) AS reason,
  greatest(k.seen_at, e.seen_at) AS seen_at
FROM index_members AS m
INNER JOIN index_rules AS r ON r.index_id = m.index_id
INNER JOIN known AS k ON k.token = m.token
INNER JOIN firsts AS n ON n.token = m.token
LEFT JOIN fees AS e ON e.layer = m.fees_of AND e.rebalancing = k.rebalancing
WHERE k.rebalancing < toDate(now('UTC'))`,
})

const weights = view('index_weights', {
  doc: `One row per index, rebalancing and constituent: its weight after the close of the day. An index with fewer than ${LEAST_CONSTITUENTS} eligible tokens has no row: it is suspended until the next rebalancing.`,
  columns: {
    index_id: 'index',
    day: 'day of the rebalancing',
    token: 'constituent',
    price_usd: 'price at which it is bought, US dollars',
    size: 'what weighs it: market value, fees, or 1 in an equal index',
    weight: 'share of the index after the close',
    free_weight: 'share that it would have without a largest weight',
    equal_weight: 'share of one among equals',
    is_capped: '1 where it has the largest weight that is allowed',
    market_usd:
      'market value that the index stands for: of constituents at the largest weight only a part counts',
  },
  sql: `WITH
  ranked AS (
    SELECT
      c.index_id AS index_id, c.day AS day,
      arraySort(x -> (-x.1, x.2), groupArray((assumeNotNull(c.size), c.token, assumeNotNull(c.price_usd)))) AS members,
      arrayMap(x -> x.1, members) AS sizes,
      greatest(any(r.max_weight), 1 / length(members)) AS most,
      -- The fewest that stand at the largest weight, so that what is left over pushes nobody else above it.
      arrayFirst(
        k -> k = length(sizes) OR (1 - k * most) * sizes[k + 1] <= most * arraySum(arraySlice(sizes, k + 1)),
        range(0, toUInt32(length(sizes) + 1))
      ) AS capped,
      arraySum(arraySlice(sizes, capped + 1)) AS free
    FROM index_candidates AS c
    INNER JOIN index_rules AS r ON r.index_id = c.index_id
    WHERE c.reason = ''
    GROUP BY c.index_id, c.day
    HAVING count() >= ${LEAST_CONSTITUENTS}
  )
SELECT
  index_id, day, member.2 AS token, member.3 AS price_usd, member.1 AS size,
  if(place <= capped, most, (1 - capped * most) * member.1 / free) AS weight,
  member.1 / arraySum(sizes) AS free_weight,
  1 / length(sizes) AS equal_weight,
  place <= capped AS is_capped,
  if(capped = length(sizes), sizes[-1] * length(sizes), free / (1 - capped * most)) AS market_usd
FROM ranked
ARRAY JOIN members AS member, arrayEnumerate(members) AS place`,
})

const holdings = view('index_holdings', {
  doc: 'One row per index, UTC day and constituent, from its rebalancing to the end of the month after it. The day of a rebalancing has the old and the new constituents, told apart by `rebalanced_day`.',
  columns: {
    index_id: 'index',
    rebalanced_day: 'rebalancing at which it was bought',
    day: 'UTC day',
    token: 'constituent',
    target: 'its weight at that rebalancing',
    equal_weight: 'share of one among equals',
    start_usd: 'price at which it was bought',
    price_usd: 'newest price up to the day',
    price_age: 'days since that price',
    price_source: 'source id of that price',
    spread: 'highest price among publishers over the lowest one, less one',
    seen_at: 'when that price was first seen, UTC',
  },
  sql: `SELECT
  w.index_id AS index_id, w.bought AS rebalanced_day, w.on AS day, w.token AS token, w.target AS target,
  w.equal_weight AS equal_weight, w.start_usd AS start_usd, assumeNotNull(p.price_usd) AS price_usd,
  toUInt32(w.on - p.day) AS price_age, p.price_source AS price_source, p.spread AS spread, p.seen_at AS seen_at
FROM (
  SELECT
    n.index_id AS index_id, n.day AS bought, n.token AS token, n.weight AS target, n.equal_weight AS equal_weight,
    n.price_usd AS start_usd,
    arrayJoin(arrayMap(i -> n.day + i, range(0, toUInt32(toLastDayOfMonth(n.day + 1) - n.day + 1)))) AS on
  FROM index_weights AS n
) AS w
ASOF INNER JOIN (
  SELECT token, day, price_usd, price_source, spread, seen_at
  FROM index_token_days
  WHERE price_usd > 0
) AS p ON p.token = w.token AND w.on >= p.day
WHERE w.on < toDate(now('UTC'))`,
})

const days = view('index_days', {
  doc: `One row per index and UTC day on which it has a level: ${BASE_LEVEL} at the close of its first rebalancing, then by the prices of what it holds. Days without a price of any constituent, and months for which it is suspended, have none.`,
  columns: {
    index_id: 'index',
    day: 'UTC day',
    rebalanced_day: 'the rebalancing that holds on the day; the day itself where it is one',
    level: 'level at the close of the day',
    level_net: 'the same, less what trading at rebalancings costs',
    level_equal: 'the same constituents with equal weights',
    weights: 'share of each constituent at the close, before trading at a rebalancing',
    constituents: 'tokens that it holds after trading',
    traded: 'bought and sold at a rebalancing, share of the index; 0 on other days',
    stale_days: 'age of the oldest price in it, days',
    spread: 'largest difference between publishers’ prices of a constituent',
    price_source: 'sources of the prices of the constituents',
    as_of: 'when the newest price in it was first seen, UTC',
  },
  sql: `WITH
  moved AS (
    SELECT
      h.index_id AS index_id, h.rebalanced_day AS rebalanced_day, h.day AS day,
      sum(h.target * h.price_usd / h.start_usd) AS growth,
      sum(h.equal_weight * h.price_usd / h.start_usd) AS growth_equal,
      groupArray((h.token, h.target * h.price_usd / h.start_usd)) AS parts,
      min(h.price_age) AS freshest, max(h.price_age) AS stale_days, max(h.spread) AS spread,
      arrayStringConcat(arraySort(groupUniqArrayIf(h.price_source, h.price_source != '')), '${SOURCES_BY}') AS price_source,
      max(h.seen_at) AS as_of
    FROM index_holdings AS h
    GROUP BY h.index_id, h.rebalanced_day, h.day
  ),
  held AS (
    SELECT
      *,
      CAST(arrayMap(x -> (x.1, x.2 / growth), parts), 'Map(String, Float64)') AS shares,
      day = toLastDayOfMonth(rebalanced_day + 1) AS is_end,
      day = rebalanced_day AS is_start,
      lagInFrame(shares, 1) OVER so_far AS shares_before,
      lagInFrame(day, 1) OVER so_far AS day_before
    FROM moved
    WINDOW so_far AS (PARTITION BY index_id ORDER BY rebalanced_day, day ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
  ),
  traded AS (
    SELECT
      *,
      -- Where it holds nothing before, all of it is bought.
      is_start AND day_before != day AS is_new,
      if(NOT is_start, 0, if(is_new, 1, arraySum(
        token -> abs(shares[token] - shares_before[token]), arrayDistinct(arrayConcat(mapKeys(shares), mapKeys(shares_before)))
      ))) AS traded
    FROM held
  )
SELECT
  d.index_id AS index_id, d.day AS day, d.rebalanced_day AS rebalanced_day, d.level AS level, d.level_net AS level_net,
  d.level_equal AS level_equal, d.weights AS weights, d.constituents AS constituents, d.traded AS traded,
  d.stale_days AS stale_days, d.spread AS spread, d.price_source AS price_source, d.as_of AS as_of
FROM (
  SELECT
    t.index_id AS index_id, t.day AS day, max(t.rebalanced_day) AS rebalanced_day,
    argMax(t.level, t.rebalanced_day) AS level, argMax(t.level_net, t.rebalanced_day) AS level_net,
    argMax(t.level_equal, t.rebalanced_day) AS level_equal, argMin(t.shares, t.rebalanced_day) AS weights,
    toUInt16(argMax(length(t.shares), t.rebalanced_day)) AS constituents,
    sum(t.traded) AS traded, min(t.freshest) AS freshest, max(t.stale_days) AS stale_days, max(t.spread) AS spread,
    argMax(t.price_source, t.rebalanced_day) AS price_source, max(t.as_of) AS as_of
  FROM (
    SELECT
      d.index_id AS index_id, d.day AS day, d.rebalanced_day AS rebalanced_day, d.shares AS shares, d.traded AS traded,
      d.freshest AS freshest, d.stale_days AS stale_days, d.spread AS spread, d.price_source AS price_source, d.as_of AS as_of,
      ${BASE_LEVEL} * exp(sum(if(d.is_end, log(d.growth), 0)) OVER before) * d.growth AS level,
      ${BASE_LEVEL} * exp(sum(if(d.is_end, log(d.growth_equal), 0)) OVER before) * d.growth_equal AS level_equal,
      level * exp(sum(log(1 - d.traded * r.cost_bps / 10000)) OVER so_far) AS level_net
    FROM traded AS d
    INNER JOIN index_rules AS r ON r.index_id = d.index_id
    WINDOW
      before AS (PARTITION BY d.index_id ORDER BY d.rebalanced_day, d.day ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING),
      so_far AS (PARTITION BY d.index_id ORDER BY d.rebalanced_day, d.day ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
  ) AS t
  GROUP BY t.index_id, t.day
) AS d
WHERE d.freshest = 0`,
})

type Kept = Exclude<(typeof indexKept)[keyof typeof indexKept], typeof indexKept.runs>

/** Rows of the newest computation. */
function ofNewestRun(name: string, doc: string, kept: Kept): View {
  const { run: _, ...comments } = commentsOf(kept.columns)
  return view(name, {
    doc,
    columns: comments,
    sql: `SELECT ${Object.keys(comments).join(', ')}
FROM ${BASE_DATABASE}.${kept.name}
WHERE run = (SELECT max(r.run) FROM ${BASE_DATABASE}.${indexKept.runs.name} AS r)`,
  })
}

/** Of indices, those that rest on others last. */
export const INDEX_VIEWS: readonly View[] = [
  ofLatestLoad('index_rules', 'One row per index of tokens that the catalog has.', indexLoads.rules),
  ofLatestLoad('index_members', 'One row per token that an index may hold.', indexLoads.members),
  tokenDays,
  feeDays,
  candidates,
  weights,
  holdings,
  days,
  ofNewestRun(
    'index_snapshots',
    'One row per index, rebalancing and token that it may hold: `index_candidates` with the weights of `index_weights`, kept as last computed.',
    indexKept.snapshots,
  ),
  ofNewestRun(
    'index_levels',
    'One row per index and UTC day on which it has a level: `index_days`, kept as last computed.',
    indexKept.levels,
  ),
  ofNewestRun(
    'index_shares',
    'One row per index, UTC day and constituent: the shares of `index_days`, kept as last computed.',
    indexKept.shares,
  ),
]
