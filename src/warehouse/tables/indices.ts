import { bool, date, f64, nullable, table, text, time, u16, u32, u64 } from '#kernel/table.ts'

/** Which indices of tokens there are and by which rules, as the catalogue has them: each loading is kept, the latest holds. */
const loadedAt = time('when the catalog was loaded, UTC: the latest load holds')
const indexId = text('index, as in `index_rules`')

const rules = table('index_rule_loads', {
  doc: 'One row per index of the catalog and loading of it.',
  columns: {
    indexId: text('id, as in the catalog'),
    name: text('name'),
    sentence: text('what it is, in one sentence'),
    universe: text('the rule by which its members were chosen'),
    weighting: text('`cap`: circulating market value; `equal`; `fees`: fees of 30 days'),
    maxWeight: f64(
      'largest weight of one constituent; where fewer are eligible, each may have its equal part',
    ),
    minAgeDays: u16('days for which a token must have had a price'),
    volumeFloorUsd: f64(
      'least median of the daily volumes of 30 days, US dollars; 0: volumes are not asked for',
    ),
    costBps: f64('what buying or selling costs in the net figures, hundredths of a percent of the amount'),
    catalogHash: text('SHA-256 of what the catalog said of all indices'),
    loadedAt,
  },
  orderBy: ['loaded_at', 'index_id'],
})

const members = table('index_member_loads', {
  doc: 'One row per token that an index may hold, and loading of the catalog.',
  columns: {
    indexId,
    position: u16('place in its file, from 0'),
    token: text('token, as in the catalog'),
    symbol: text('its symbol'),
    asset: text('asset under which `prices` has it; empty where there is none'),
    why: text('why it belongs to the universe'),
    feesOf: text('layer whose fees weigh it; empty where none do'),
    loadedAt,
  },
  orderBy: ['loaded_at', 'index_id', 'position'],
})

export const indexLoads = { rules, members } as const
export const INDEX_TABLES = [rules, members] as const

const run = u64('computation that this row is of: readers see the newest one alone')

/** What is computed from prices, supplies and rules (`index_candidates`, `index_weights`, `index_days`), kept whole after each change of them. */
const snapshots = table('index_snapshot_rows', {
  doc: 'One row per computation, index, rebalancing and token that it may hold.',
  columns: {
    run,
    indexId,
    day: date('day of the rebalancing: weights take effect after its close'),
    token: text('token'),
    symbol: text('its symbol'),
    priceUsd: nullable(f64('newest price up to the day, US dollars; null without one of the last days')),
    priceDay: nullable(date('day of that price; null without one')),
    priceSource: text('source id of that price; empty without'),
    firstDay: date('first day on which a price of it is held'),
    supply: nullable(f64('latest circulating supply reported up to the day; null without one')),
    supplyDay: nullable(date('day of that supply; null without one')),
    supplySource: text('source id of that supply; empty without'),
    volumeMedianUsd: nullable(
      f64('median of the daily volumes of 30 days, US dollars; null if too few are reported'),
    ),
    feesUsd: nullable(f64('fees of its layer within 30 days, US dollars; null if too few days are reported')),
    size: nullable(f64('what weighs it: market value, fees, or 1 in an equal index; null where not known')),
    reason: text('why it is not eligible; empty where it is'),
    seenAt: time('when the newest of these figures was first seen, UTC'),
    weight: nullable(f64('share of the index after the close; null where it is not in it')),
    freeWeight: nullable(f64('share that it would have without a largest weight; null likewise')),
    isCapped: bool('whether it has the largest weight that is allowed'),
    marketUsd: nullable(f64('sum of sizes that the index stands for; null while it is suspended')),
  },
  orderBy: ['run', 'index_id', 'day', 'token'],
})

const levels = table('index_level_rows', {
  doc: 'One row per computation, index and UTC day on which it has a level.',
  columns: {
    run,
    indexId,
    day: date('UTC day'),
    rebalancedDay: date('the rebalancing that holds on the day; the day itself where it is one'),
    level: f64('level at the close of the day: 1,000 at the first rebalancing'),
    levelNet: f64('the same, less what trading at rebalancings costs'),
    levelEqual: f64('the same constituents with equal weights'),
    constituents: u16('tokens that it holds'),
    traded: f64('bought and sold at a rebalancing, share of the index; 0 on other days'),
    staleDays: u32('age of the oldest price in it, days'),
    spread: f64('largest price of a constituent among publishers over the lowest one, less one'),
    priceSource: text('sources of the prices of the constituents'),
    asOf: time('when the newest price in it was first seen, UTC'),
  },
  orderBy: ['run', 'index_id', 'day'],
})

const shares = table('index_share_rows', {
  doc: 'One row per computation, index, UTC day and constituent: its share at the close, before trading at a rebalancing.',
  columns: {
    run,
    indexId,
    day: date('UTC day'),
    token: text('constituent'),
    share: f64('share of the index'),
  },
  orderBy: ['run', 'index_id', 'day', 'token'],
})

const runs = table('index_runs', {
  doc: 'One row per computation of all indices; written last, so that a computation is whole or absent.',
  columns: {
    run,
    mark: text('what it was computed from: rules, statements, prices, what publishers say, and the day'),
    computedAt: time('when, UTC'),
  },
  orderBy: ['run'],
})

export const indexKept = { snapshots, levels, shares, runs } as const
export const INDEX_KEPT_TABLES = [snapshots, levels, shares, runs] as const
