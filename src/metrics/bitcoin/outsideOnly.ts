import { ETF_FUNDS } from '#sources/etfFlows.ts'
import { figuresSql } from '../figuresSql.ts'
import { metric, SUM_OF_KEYS } from '../metric.ts'
import { blockchainChart, recorded } from './common.ts'

const mempoolSpace = { title: 'mempool.space API', url: 'https://mempool.space/docs/api/rest' }
/** Sources in the order of trust: what is asked now before what was recorded. */
const LIGHTNING = ['mempool.space.lightning.live', 'mempool.space.lightning', 'explorers.recorded']
const WAITING = ['mempool.space.mempool.live', 'mempool.space.fees', 'mempool.space.size']
const SIZES = ['mempool.space.mempool.live', 'mempool.space.size']
const RATES = ['mempool.space.mempool.live', 'mempool.space.fees']
const ofDay = 'The last sample of the UTC day.'

export const mempoolCount = metric({
  ...recorded,
  id: 'mempool.count',
  name: 'Transactions waiting',
  unit: 'tx',
  definition: 'Transactions in a node’s mempool at the day’s last sample.',
  why: 'How long the queue is.',
  how: ofDay,
  misleads:
    'Each node has its own queue and minimum rate. A long tail at the lowest rate can wait for weeks without effect.',
  ...figuresSql({
    metric: 'mempool.count',
    type: 'Int64',
    outside: WAITING,
  }),
  sources: WAITING,
  aggregate: 'last',
  calendar: 'reported',
  since: { day: '2026-08-01' },
  references: [mempoolSpace],
})

export const mempoolVbytes = metric({
  ...recorded,
  id: 'mempool.vbytes',
  name: 'Virtual bytes waiting',
  unit: 'vB',
  definition: 'Virtual size of the transactions in a node’s mempool at the day’s last sample.',
  why: 'The queue in blocks: a million virtual bytes fill one.',
  how: ofDay,
  misleads: 'What pays the least may never be mined; look at the part above the rate you would pay.',
  ...figuresSql({ metric: 'mempool.vbytes', type: 'Int64', outside: SIZES }),
  sources: SIZES,
  aggregate: 'last',
  calendar: 'reported',
  since: { day: '2026-08-13' },
  references: [mempoolSpace],
})

export const mempoolBytes = metric({
  ...recorded,
  id: 'mempool.bytes',
  name: 'Bytes waiting',
  unit: 'B',
  definition: 'Serialized size of the transactions in a node’s mempool at one sample a day.',
  why: 'A longer history of the queue than the virtual sizes have.',
  how: 'As blockchain.com samples it.',
  misleads:
    'Bytes with witnesses, not virtual bytes. The hour of the sample is unknown and can be on the next UTC day.',
  ...figuresSql({ metric: 'mempool.bytes', type: 'Int64', outside: ['blockchain.com.mempool'] }),
  sources: ['blockchain.com.mempool'],
  aggregate: 'last',
  since: { day: '2019-05-01' },
  references: [blockchainChart('mempool-size')],
})

export const mempoolFeeLadder = metric({
  ...recorded,
  id: 'mempool.fee_ladder',
  name: 'Recommended fee rates',
  unit: 'sat/vB',
  breakdown: { name: 'target', values: ['fastest', 'half_hour', 'hour', 'economy', 'minimum'] },
  headline: 'fastest',
  definition: 'Fee rates that mempool.space recommends for a wished waiting time, at the day’s last sample.',
  why: 'What to offer now.',
  how: `Whole sat/vB from the projected next blocks. ${ofDay}`,
  misleads: 'A recommendation from one node’s queue; the next minute may bring a crowd.',
  ...figuresSql({ metric: 'mempool.fee_ladder', type: 'Float64', outside: RATES }),
  sources: RATES,
  aggregate: 'last',
  calendar: 'reported',
  since: { day: '2026-08-01' },
  references: [mempoolSpace],
})

const lightning = {
  ...recorded,
  sources: LIGHTNING,
  aggregate: 'last',
  calendar: 'reported',
  since: { day: '2026-06-16' },
  references: [mempoolSpace],
  how: 'As mempool.space reads the gossip of its own Lightning nodes; the last figure of the UTC day.',
} as const

export const lightningCapacity = metric({
  ...lightning,
  id: 'lightning.capacity',
  name: 'Lightning capacity',
  unit: 'sat',
  definition: 'Bitcoin in announced Lightning channels.',
  why: 'The liquidity that public routing has to work with.',
  misleads: 'Unannounced channels are not seen; capacity is no volume.',
  ...figuresSql({
    metric: 'lightning.capacity',
    type: 'Int64',
    outside: LIGHTNING,
  }),
})

export const lightningChannels = metric({
  ...lightning,
  id: 'lightning.channels',
  name: 'Lightning channels',
  unit: 'channels',
  definition: 'Announced Lightning channels.',
  why: 'The mesh that payments can take.',
  misleads:
    'Closed and idle channels linger in gossip for two weeks; fewer, larger channels may serve better.',
  ...figuresSql({
    metric: 'lightning.channels',
    type: 'Int64',
    outside: LIGHTNING,
  }),
})

export const lightningNodes = metric({
  ...lightning,
  id: 'lightning.nodes',
  name: 'Lightning nodes',
  unit: 'nodes',
  definition: 'Lightning nodes with an announced channel.',
  why: 'How many take part in public routing.',
  misleads: 'Phones behind a provider have no announced channel and are not seen.',
  ...figuresSql({
    metric: 'lightning.nodes',
    type: 'Int64',
    outside: LIGHTNING,
  }),
})

const etfFlows = figuresSql({ metric: 'etf.flow', type: 'Float64', outside: ['etf.flows'] })

/** A fund that was silent for longer is gone, and no day waits for it. */
const FUND_SILENT_DAYS = 14

/** SQL: trading days on which an active fund has no reported flow, so that their total is unknown. */
export const ETF_LATE_DAYS = `SELECT DISTINCT d.day AS day
    FROM (SELECT DISTINCT o.day AS day FROM observations AS o WHERE o.metric = 'etf.flow' AND o.entity = 'bitcoin') AS d
    CROSS JOIN (
      SELECT o.breakdown AS fund, groupUniqArray(o.day) AS days
      FROM observations AS o
      WHERE o.metric = 'etf.flow' AND o.entity = 'bitcoin'
      GROUP BY fund
    ) AS f
    WHERE NOT has(f.days, d.day) AND arrayExists(before -> before < d.day AND before >= d.day - ${FUND_SILENT_DAYS}, f.days)`

/** A day is incomplete while a fund is late. */
const withLateDays = (sql: string): string => `WITH
  late AS (
    ${ETF_LATE_DAYS}
  )
SELECT
  f.day AS day, f.key AS key, f.value AS value, if(f.day IN (SELECT day FROM late), 'incomplete', f.state) AS state,
  f.source AS source, f.from_height AS from_height, f.to_height AS to_height, f.as_of AS as_of
FROM (
${sql}
) AS f
ORDER BY day, key`

export const etfFlow = metric({
  ...recorded,
  id: 'etf.flow',
  name: 'ETF flows',
  watches: [{ id: 'out', says: 'turn into outflows', when: 'below', level: 0 }],
  unit: 'USD',
  // A fund without a flow on a whole day did not exist yet: the total is the sum of the others.
  breakdown: { name: 'fund', values: ETF_FUNDS.map(fund => fund.toUpperCase()), isComplete: true },
  headline: SUM_OF_KEYS,
  definition: 'Net money into US spot Bitcoin funds on the trading day, by fund.',
  why: 'The largest measured channel between the stock market and the coin.',
  how: 'Creations minus redemptions as the funds report them; trading days only.',
  misleads:
    'Reported the evening after, and revised later. While a fund is late, the day is incomplete and has no total. Flows do not say who holds.',
  ...etfFlows,
  sql: withLateDays(etfFlows.sql),
  sources: ['etf.flows'],
  aggregate: 'sum',
  calendar: 'reported',
  since: { day: '2024-01-11' },
  direction: 'up',
  references: [{ title: 'Farside Investors: Bitcoin ETF flow', url: 'https://farside.co.uk/btc/' }],
})

/** Blocks within which a transaction is looked for, and the offered rates it is looked for by, sat/vB. */
const CONFIRM_BLOCKS = [1, 3, 6, 144]
const CONFIRM_RATES = ['<1', '1-2', '2-5', '5-10', '10-20', '20-50', '50-100', '>=100']

export const feesConfirm = metric({
  ...recorded,
  id: 'fees.confirm',
  name: 'Confirmed in time, by rate',
  unit: 'ratio',
  breakdown: {
    name: 'blocks and rate',
    values: CONFIRM_BLOCKS.flatMap(n => CONFIRM_RATES.map(rate => `${n}@${rate}`)),
  },
  headline: '1@10-20',
  definition:
    'Share of the transactions first seen waiting on the day at a fee rate that were in a block within n blocks.',
  why: 'Whether a rate would have been enough: fees that were paid say only what sufficed.',
  how: 'Height of a transaction’s block − height at which a node’s mempool first saw it, by its fee rate. Excludes transactions replaced by a higher bid.',
  misleads:
    'Covers one node’s mempool only. A rate that was enough yesterday may not be enough at the next peak.',
  ...figuresSql({ metric: 'fees.confirm', type: 'Float64', outside: ['bitcoin.mempool'] }),
  needs:
    'Requires the height at which each transaction entered a mempool. Blocks do not contain it, recorded samples only count the mempool, and this server does not monitor one.',
  sources: ['bitcoin.mempool'],
  aggregate: 'mean',
  calendar: 'reported',
  since: { day: '2009-01-03' },
  direction: 'up',
  references: [
    {
      title: 'Bitcoin Core: fee estimation from what was seen in the mempool (block_policy_estimator)',
      url: 'https://github.com/bitcoin/bitcoin/blob/master/src/policy/fees/block_policy_estimator.h',
    },
  ],
})
