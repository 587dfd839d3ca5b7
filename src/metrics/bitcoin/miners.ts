import { SOURCES_BY } from '#kernel/sourceNames.ts'
import { FACTS_SOURCE, perBlock, perHeldBlock, RANGE } from '../chainFigures.ts'
import { figuresSql } from '../figuresSql.ts'
import { FINE_GRAINS } from '../fineFigures.ts'
import { metric, SUM_OF_KEYS } from '../metric.ts'
import { sourceSetSql, sourcesOfRowSql } from '../sourcesSql.ts'
import { coinMetrics, coreGetblockstats, fromBlocks, fromRows, issuance, recorded } from './common.ts'

export const minersRevenue = metric({
  ...fromRows,
  id: 'miners.revenue',
  name: 'Miners’ revenue',
  unit: 'sat',
  definition: 'What miners claimed in the coinbases of the day.',
  why: 'The chain’s security budget.',
  how: 'Sum of the coinbase outputs.',
  misleads: 'Payments outside the chain for inclusion are not seen, nor is income from merge-mined chains.',
  ...figuresSql({
    metric: 'miners.revenue',
    type: 'Int64',
    chain: perHeldBlock({ value: 'sum(coinbase_sat)', fine: FINE_GRAINS }),
  }),
  aggregate: 'sum',
  references: [coinMetrics],
})

export const minersClaimable = metric({
  ...fromBlocks,
  id: 'miners.claimable',
  name: 'Claimable miner revenue',
  unit: 'sat',
  definition: 'Subsidy by height plus fees of the blocks of the day.',
  why: 'Miner revenue on days with node statistics only.',
  how: 'Sum over blocks of the subsidy of the height and the fees.',
  misleads: 'An upper bound: a few miners claimed less, one of them nothing at all.',
  ...figuresSql({
    metric: 'miners.claimable',
    type: 'Int64',
    chain: perBlock({
      value: 'if(countIf(isNull(fee_sat)) > 0, NULL, sum(fee_sat + subsidy_sat))',
      fine: FINE_GRAINS,
    }),
  }),
  aggregate: 'sum',
  references: [issuance, coreGetblockstats],
})

export const minersSubsidyClaimed = metric({
  ...fromRows,
  id: 'miners.subsidy_claimed',
  name: 'Subsidy claimed',
  unit: 'sat',
  definition: 'New coins that miners claimed on the day.',
  why: 'What holders pay for security through dilution.',
  how: 'Per block the coinbase minus the fees, not below 0, summed.',
  misleads: 'If a miner claims less than allowed, the difference is deducted from the subsidy first.',
  ...figuresSql({
    metric: 'miners.subsidy_claimed',
    type: 'Int64',
    chain: perHeldBlock({
      fine: FINE_GRAINS,
      value: `if(countIf(isNull(fee_sat)) > 0, NULL, sum(greatest(0, toInt64(coinbase_sat) - toInt64(assumeNotNull(fee_sat)))))`,
    }),
  }),
  aggregate: 'sum',
  references: [issuance, coinMetrics],
})

const SECONDS_A_DAY = 86_400
/** Hashes that a difficulty of 1 takes, on average. */
const HASHES = 'exp2(32)'

export const minersHashrate = metric({
  ...fromBlocks,
  id: 'miners.hashrate',
  name: 'Hashrate',
  unit: 'EH/s',
  breakdown: { name: 'window', values: ['7d', '1d'] },
  headline: '7d',
  definition: 'Hashes a second that the blocks found imply, over the day and over the seven days up to it.',
  why: 'A measure of the cost to attack the chain.',
  how: 'Sum over blocks of that block’s difficulty × 2³², ÷ seconds, ÷ 10¹⁸; each block at its own difficulty.',
  misleads:
    'An estimate from the number of blocks, which is chance: a day scatters by about 8 %, seven days by 3 %. Nothing on the chain measures machines.',
  ...figuresSql({
    metric: 'miners.hashrate',
    type: 'Float64',
    chain: {
      ctes: [
        `daily AS (
    SELECT
      day, sum(difficulty) * ${HASHES} AS hashes,
      min(height) AS from_height, max(height) AS to_height, max(block_time) AS as_of,
      ${FACTS_SOURCE} AS source,
      day IN (SELECT day FROM btc_whole_days WHERE basis = 'facts') AS is_whole
    FROM btc_block_facts
    WHERE day BETWEEN {from:Date} - 6 AND {to:Date}
    GROUP BY day
  )`,
        `windows AS (
    SELECT
      day, hashes, is_whole, source AS day_source, from_height AS day_from, to_height, as_of,
      sum(hashes) OVER week AS week_hashes,
      sum(is_whole) OVER week = 7 AS is_whole_week,
      min(from_height) OVER week AS week_from,
      arrayStringConcat(${sourceSetSql('source', ' OVER week')}, '${SOURCES_BY}') AS week_source
    FROM daily
    WINDOW week AS (ORDER BY day RANGE BETWEEN 6 PRECEDING AND CURRENT ROW)
  )`,
      ],
      select: `SELECT
      day, span.1 AS key,
      span.2 / (span.3 * ${SECONDS_A_DAY}) / 1e18 AS value,
      span.2 / 1e18 AS numerator, toFloat64(span.3 * ${SECONDS_A_DAY}) AS denominator,
      if(span.4, 'whole', if(day >= toDate(now('UTC') - INTERVAL 3 HOUR), 'partial', 'incomplete')) AS state,
      span.6 AS source, span.5 AS from_height, to_height, as_of
    FROM windows
    ARRAY JOIN [
      ('1d', hashes, 1, is_whole, day_from, day_source),
      ('7d', week_hashes, 7, is_whole_week, week_from, week_source)
    ] AS span
    WHERE day ${RANGE} AND (key = '1d' OR span.4)`,
      isRatio: true,
    },
    outside: ['blockchain.com'],
  }),
  sources: [...fromBlocks.sources, 'electrum.checkpoints', 'blockchain.com'],
  aggregate: 'recompute',
  direction: 'up',
  references: [
    {
      title: 'Bitcoin Core RPC getnetworkhashps',
      url: 'https://developer.bitcoin.org/reference/rpc/getnetworkhashps.html',
    },
  ],
})

const HASHPRICE_BLOCKS = 144

export const minersHashprice = metric({
  ...fromBlocks,
  id: 'miners.hashprice',
  name: 'Hashprice',
  unit: 'USD/PH/s/day',
  definition:
    'Expected daily revenue of one petahash per second, with fees at the mean of the last 144 blocks.',
  why: 'Revenue per unit of work. Compared with power cost, it decides which miners stay online.',
  how: '(subsidy + mean fees of the 144 blocks up to the day’s last one, in BTC) × close in USD × 86,400 × 10¹⁵ ÷ (difficulty × 2³²).',
  misleads:
    'Free of luck by design: no miner earned exactly this. One price a day; a fee spike shorter than a day is smeared over 144 blocks.',
  ...figuresSql({
    metric: 'miners.hashprice',
    type: 'Float64',
    chain: {
      ctes: [
        `trailing AS (
    SELECT
      day, height, block_time, origin, difficulty, subsidy_sat,
      avg(fee_sat) OVER last AS mean_fee,
      arrayStringConcat(
        arraySort(groupUniqArray(if(origin = 'statistics', 'bitcoin.getblockstats', 'bitcoin.chain')) OVER last), '${SOURCES_BY}'
      ) AS source,
      height - min(height) OVER last = ${HASHPRICE_BLOCKS - 1} AND countIf(isNull(fee_sat)) OVER last = 0 AS is_known
    FROM btc_block_facts
    WHERE day BETWEEN {from:Date} - 7 AND {to:Date}
    WINDOW last AS (ORDER BY height ROWS BETWEEN ${HASHPRICE_BLOCKS - 1} PRECEDING AND CURRENT ROW)
  )`,
        `closing AS (
    SELECT
      day,
      argMax(subsidy_sat + mean_fee, height) AS reward_sat,
      argMax(difficulty, height) AS difficulty,
      argMax(is_known, height) AS is_known,
      max(height) AS to_height, max(block_time) AS as_of, argMax(source, height) AS source
    FROM trailing
    GROUP BY day
  )`,
      ],
      select: `SELECT
      c.day AS day, '' AS key,
      if(
        c.is_known AND p.close > 0,
        c.reward_sat / 1e8 * p.close * ${SECONDS_A_DAY} * 1e15 / (c.difficulty * ${HASHES}),
        NULL
      ) AS value,
      if(c.day IN (SELECT day FROM btc_whole_days WHERE basis = 'facts'), 'whole', if(c.day >= toDate(now('UTC') - INTERVAL 3 HOUR), 'partial', 'incomplete')) AS state,
      c.source AS source, toUInt32(greatest(0, toInt64(c.to_height) - ${HASHPRICE_BLOCKS - 1})) AS from_height, c.to_height AS to_height, c.as_of AS as_of
    FROM closing AS c
    LEFT JOIN btc_usd_daily AS p ON p.day = c.day
    WHERE c.day ${RANGE}`,
      isRatio: false,
    },
    outside: ['btc-mining-monitor'],
  }),
  sources: [
    ...fromBlocks.sources,
    'electrum.checkpoints',
    'btcusd.brk',
    'btcusd.typedcypher',
    'btc-mining-monitor',
  ],
  aggregate: 'mean',
  direction: 'up',
  references: [{ title: 'Luxor: Hashprice', url: 'https://hashrateindex.com/blog/what-is-hashprice/' }],
})

export const minersDifficulty = metric({
  ...fromBlocks,
  id: 'miners.difficulty',
  name: 'Difficulty',
  unit: 'difficulty',
  definition:
    'How many times harder a block is to find than at the lowest difficulty, as of the last block of the day.',
  why: 'It answers hashrate every 2,016 blocks and keeps blocks ten minutes apart.',
  how: 'The easiest target ÷ the target in the header of the day’s last block.',
  misleads: 'It moves in steps of two weeks and trails hashrate by one.',
  ...figuresSql({
    metric: 'miners.difficulty',
    type: 'Float64',
    chain: perBlock({ value: 'argMax(difficulty, height)', fine: ['block'] }),
    outside: ['blockchain.com'],
  }),
  sources: [...fromBlocks.sources, 'electrum.checkpoints', 'blockchain.com'],
  aggregate: 'last',
  references: [
    {
      title: 'Bitcoin Core: GetDifficulty',
      url: 'https://github.com/bitcoin/bitcoin/blob/master/src/rpc/blockchain.cpp',
    },
  ],
})

/** Seconds that 2,016 blocks should take; the rule measures 2,015 intervals. */
const EPOCH_SECONDS = 1_209_600

export const minersNextAdjustment = metric({
  ...fromBlocks,
  id: 'miners.next_adjustment',
  name: 'Next difficulty adjustment',
  unit: 'ratio',
  definition: 'Difficulty change implied by the epoch’s blocks up to the end of the day.',
  why: 'Whether mining is about to get harder, and by how much.',
  how: '1,209,600 s ÷ the time over the epoch’s 2,015 intervals − 1, within a quarter and four times; while the epoch runs, the time so far is drawn out to 2,015 intervals.',
  misleads: 'An estimate until the epoch’s last block, and a wild one in its first days.',
  ...figuresSql({
    metric: 'miners.next_adjustment',
    type: 'Float64',
    chain: {
      ctes: [
        `starts AS (
    SELECT intDiv(height, 2016) AS epoch, any(block_time) AS start_time, ${FACTS_SOURCE} AS source
    FROM btc_block_facts
    WHERE height % 2016 = 0
    GROUP BY epoch
  )`,
        `closing AS (
    SELECT
      day, max(height) AS last, argMax(block_time, height) AS last_time, max(block_time) AS as_of,
      ${FACTS_SOURCE} AS source
    FROM btc_block_facts
    WHERE day ${RANGE}
    GROUP BY day
  )`,
      ],
      select: `SELECT
      c.day AS day, '' AS key,
      if(
        c.last % 2016 = 0, NULL,
        least(4., greatest(0.25, ${EPOCH_SECONDS} / ((toInt64(c.last_time) - toInt64(s.start_time)) * 2015 / (c.last % 2016)))) - 1
      ) AS value,
      if(c.day IN (SELECT day FROM btc_whole_days WHERE basis = 'facts'), 'whole', if(c.day >= toDate(now('UTC') - INTERVAL 3 HOUR), 'partial', 'incomplete')) AS state,
      ${sourcesOfRowSql('c.source', 's.source')} AS source, c.last - c.last % 2016 AS from_height, c.last AS to_height, c.as_of AS as_of
    FROM closing AS c
    INNER JOIN starts AS s ON s.epoch = intDiv(c.last, 2016)`,
      isRatio: false,
    },
  }),
  aggregate: 'last',
  references: [
    {
      title: 'Bitcoin Core: CalculateNextWorkRequired',
      url: 'https://github.com/bitcoin/bitcoin/blob/master/src/pow.cpp',
    },
  ],
})

export const minersPoolHashrate = metric({
  ...recorded,
  id: 'miners.pool_hashrate',
  name: 'Hashrate as pools state it',
  unit: 'EH/s',
  breakdown: { name: 'pool', values: ['Foundry USA'] },
  headline: SUM_OF_KEYS,
  definition: 'Hashrate reported by a mining pool.',
  why: 'The one measure of a pool’s size that is free of luck: its own count of shares.',
  how: 'As the pool publishes it.',
  misleads: 'A statement, not a proof; one pool only.',
  ...figuresSql({ metric: 'miners.pool_hashrate', type: 'Float64', outside: ['foundry.hashrate'] }),
  sources: ['foundry.hashrate'],
  aggregate: 'mean',
  since: { day: '2023-12-01' },
  references: [
    {
      title: 'sha2fiddy/btcpp-demo-2025: recorded figures of Foundry USA',
      url: 'https://github.com/sha2fiddy/btcpp-demo-2025',
    },
  ],
})
