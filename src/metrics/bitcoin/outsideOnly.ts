import { ETF_FUNDS } from '#sources/etfFlows.ts'
import { figuresSql } from '../figuresSql.ts'
import { metric, SUM_OF_KEYS } from '../metric.ts'
import { recorded } from './common.ts'

const mempoolSpace = { title: 'mempool.space API', url: 'https://mempool.space/docs/api/rest' }
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
    'Each node has its own queue and its own floor; a long tail at the lowest rate may wait for weeks and bother nobody.',
  ...figuresSql({ metric: 'mempool.count', type: 'Int64', outside: true }),
  sources: ['mempool.space.fees', 'mempool.space.size'],
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
  ...figuresSql({ metric: 'mempool.vbytes', type: 'Int64', outside: true }),
  sources: ['mempool.space.size'],
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
  definition: 'Serialised size of the transactions in a node’s mempool at one sample a day.',
  why: 'A longer history of the queue than the virtual sizes have.',
  how: 'As blockchain.com samples it.',
  misleads:
    'Bytes with witnesses, not virtual bytes; the hour of the sample is not known and may belong to the next UTC day.',
  ...figuresSql({ metric: 'mempool.bytes', type: 'Int64', outside: true }),
  sources: ['blockchain.com.mempool'],
  aggregate: 'last',
  since: { day: '2019-05-01' },
  references: [],
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
  ...figuresSql({ metric: 'mempool.fee_ladder', type: 'Float64', outside: true }),
  sources: ['mempool.space.fees'],
  aggregate: 'last',
  calendar: 'reported',
  since: { day: '2026-08-01' },
  references: [mempoolSpace],
})

const lightning = {
  ...recorded,
  sources: ['mempool.space.lightning'],
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
  ...figuresSql({ metric: 'lightning.capacity', type: 'Int64', outside: true }),
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
  ...figuresSql({ metric: 'lightning.channels', type: 'Int64', outside: true }),
})

export const lightningNodes = metric({
  ...lightning,
  id: 'lightning.nodes',
  name: 'Lightning nodes',
  unit: 'nodes',
  definition: 'Lightning nodes with an announced channel.',
  why: 'How many take part in public routing.',
  misleads: 'Phones behind a provider have no announced channel and are not seen.',
  ...figuresSql({ metric: 'lightning.nodes', type: 'Int64', outside: true }),
})

export const etfFlow = metric({
  ...recorded,
  id: 'etf.flow',
  name: 'ETF flows',
  unit: 'USD',
  breakdown: { name: 'fund', values: ETF_FUNDS.map(fund => fund.toUpperCase()) },
  headline: SUM_OF_KEYS,
  definition: 'Net money into US spot Bitcoin funds on the trading day, by fund.',
  why: 'The largest measured channel between the stock market and the coin.',
  how: 'Creations minus redemptions as the funds report them; trading days only.',
  misleads:
    'Reported the evening after and revised; a fund that reports late stands at 0. Flows do not say who holds.',
  ...figuresSql({ metric: 'etf.flow', type: 'Float64', outside: true }),
  sources: ['etf.flows'],
  aggregate: 'sum',
  calendar: 'reported',
  since: { day: '2024-01-11' },
  direction: 'up',
  references: [{ title: 'Farside Investors: Bitcoin ETF flow', url: 'https://farside.co.uk/btc/' }],
})
