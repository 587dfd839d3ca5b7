import { bool, date, f64, nullable, type RowOf, table, text, time, u8 } from '#kernel/table.ts'

/** Ways to earn with bitcoin, as the catalogue has them: judged here into points, so that statements can count with them. */
const opportunityLoads = table('yield_opportunity_loads', {
  doc: 'One row per opportunity of the catalog and loading of it.',
  columns: {
    entity: text('id, as in the catalog'),
    name: text('name'),
    project: text('its application, as lists of pools have it'),
    projectName: text('name of the application'),
    layer: text('layer of the catalog, or another chain by its name in lists of pools'),
    coins: text('symbols of what is put in, joined by hyphens'),
    strategy: text('`lend`, `lp`, `staking`, `basis` or `vault`'),
    isBitcoinOnly: bool('every coin of it stands for a bitcoin: no other price moves it'),
    pool: text('its id in DefiLlama’s list; empty without'),
    listed: text(
      '`project|chain|SYMBOL` under which the list may have it where that id is not known, joined by commas; empty without',
    ),
    contract: text(
      'contract by which it is known on its layer: pool, vault, receipt of a deposit or reader of its market; empty without',
    ),
    shareMetric: text('metric of the price of its share; empty without'),
    shareEntity: text('entity of that metric'),
    shareKey: text('key of that metric'),
    rateMetric: text('metric of the rate that is promised; empty where the list of pools has it'),
    rateKey: text('key of that metric'),
    sizeMetric: text('metric of what lies in it; empty likewise'),
    sizeKey: text('key of that metric'),
    rewardAsset: text('asset of `usd_closes` that rewards are paid in; empty where it is not known'),
    custody: text('who holds the bitcoins behind its coins, in words'),
    custodyKind: text('`own key`, `several parties`, `one party` or `unknown`: of its coins the weakest'),
    audits: u8('audits that are recorded'),
    auditsUrl: text('where the newest of them stands; empty without'),
    incidents: u8('incidents that are recorded'),
    incident: text('the newest of them, in words; empty without'),
    incidentUrl: text('where it stands; empty without'),
    exit: text('how one gets out, in words; empty where nothing is recorded'),
    exitUrl: text('where that stands; empty without'),
    exitDay: nullable(date('when that was read; null without')),
    exitWaitDays: nullable(f64('days that it takes by that evidence; null where it does not say')),
    exitFeeBps: nullable(f64('what it costs by that evidence, hundredths of a percent; null likewise')),
    isExitMeasured: bool('the way from its coin to bitcoin is measured on our own rows'),
    redeemDay: nullable(
      date('when the way from its coins to bitcoin was read, of several the oldest; null where one has none'),
    ),
    redeemWaitDays: nullable(
      f64('days from its coins to bitcoin as stated, of several the longest; null where one states none'),
    ),
    redeemFeeBps: nullable(
      f64('what that costs as stated, hundredths of a percent, of several the most; null likewise'),
    ),
    capacityBtc: nullable(f64('most that may be put in, bitcoin; null where nobody states it')),
    rewardsEndDay: nullable(date('when its rewards end by the word of who pays them; null likewise')),
    rewardsEndUrl: text('where that stands; empty without'),
    catalogHash: text('SHA-256 of what the catalog said of all of them'),
    loadedAt: time('when the catalog was loaded, UTC: the latest load holds'),
  },
  orderBy: ['loaded_at', 'entity'],
})

const bitcoinLoads = table('yield_bitcoin_loads', {
  doc: 'One row per bitcoin on another chain that the catalog names, and loading of it.',
  columns: {
    symbol: text('in capitals, as lists of pools write it'),
    name: text('name'),
    custody: text('who holds the bitcoin, in words; empty where it is not recorded'),
    custodyKind: text('`own key`, `several parties`, `one party` or `unknown`'),
    redeem: text('how it becomes bitcoin on Bitcoin, in words; empty where nothing is recorded'),
    redeemUrl: text('where that stands; empty without'),
    redeemDay: nullable(date('when that was read; null without')),
    redeemWaitDays: nullable(f64('days that it takes by that evidence; null where it does not say')),
    redeemFeeBps: nullable(f64('what it costs by that evidence, hundredths of a percent; null likewise')),
    isRedeemMeasured: bool('that way is measured on our own rows'),
    loadedAt: time('when the catalog was loaded, UTC'),
  },
  orderBy: ['loaded_at', 'symbol'],
})

export const yieldLoads = { opportunities: opportunityLoads, bitcoins: bitcoinLoads } as const

/** A publisher’s whole list, so that what the page leaves out can be counted: of a day the last answer stands. */
export const yieldListings = table('yield_listings', {
  doc: 'One row per pool with bitcoin in its symbol that DefiLlama listed on a UTC day, as it was listed last on that day.',
  columns: {
    day: date('UTC day of the answer'),
    pool: text('id of the pool in the list'),
    project: text('its application'),
    chain: text('its chain, as the list writes it'),
    symbol: text('symbols of its coins, joined by hyphens'),
    tvlUsd: f64('what lies in it, US dollars'),
    apyBase: nullable(f64('annual yield of fees and interest, a ratio; null where the list has none')),
    apyReward: nullable(f64('annual yield of reward tokens, a ratio; null likewise')),
    isOutlier: nullable(
      bool(
        'its publisher marks its rates as an outlier, and they are left out; null where that is not recorded',
      ),
    ),
    source: text('source id, as in `sources`'),
    seenAt: time('when it was seen, UTC'),
  },
  orderBy: ['day', 'pool', 'source'],
  engine: 'ReplacingMergeTree',
})

export type YieldListing = RowOf<typeof yieldListings>

export const YIELD_TABLES = [opportunityLoads, bitcoinLoads] as const
