import { poissonBinomialQuantile } from '#kernel/poissonBinomial.ts'
import { perHeldBlock, RANGE } from '../chainFigures.ts'
import { figuresSql } from '../figuresSql.ts'
import { metric } from '../metric.ts'
import { fromStacks, NEEDS_BOTH_CHAINS, sip, stacksState } from './common.ts'

const FIRST_HEIGHT = 666_050

const onBothChains = {
  ...fromStacks,
  sources: ['bitcoin.chain', 'stacks.chain'],
  since: { height: FIRST_HEIGHT },
  needs: NEEDS_BOTH_CHAINS,
  references: [
    sip(1, 'Burn election'),
    sip(7, 'Stacking consensus'),
    {
      title: 'stacks-core: chainstate/burn/sortition.rs, distribution.rs, atc.rs',
      url: 'https://github.com/stacks-network/stacks-core/tree/master/stackslib/src/chainstate/burn',
    },
  ],
} as const

/** Bitcoin blocks that are held, each with what `select` sums over its commits. */
const perCommits = (select: string, value: string) =>
  perHeldBlock({
    with: [
      `commits AS (
    SELECT b.height AS height, b.block_time AS block_time, ${select}
    FROM btc_blocks AS b
    LEFT JOIN (SELECT *, 1 AS is_commit FROM stx_block_commits) AS c ON c.height = b.height
    WHERE b.height >= ${FIRST_HEIGHT} AND toDate(b.block_time) ${RANGE}
    GROUP BY b.height, b.block_time
  )`,
    ],
    from: 'commits',
    value,
  })

export const minersBidMissed = metric({
  ...onBothChains,
  id: 'miners.bid_missed',
  name: 'Bids that did not count',
  unit: 'sat',
  definition: 'Bitcoin in block commits of the UTC day, by header time, that the Stacks node did not accept.',
  why: 'Money spent for no chance: late commits, wrong pointers, wrong recipients.',
  how: 'Sum of the commits on Bitcoin that are not among those that a Stacks node reports of the same Bitcoin block.',
  misleads:
    'Nodes before 3.1 do not report commits. No figure if no node reports it for one of the day’s blocks with a commit.',
  ...figuresSql({
    metric: 'miners.bid_missed',
    type: 'Int64',
    chain: perCommits(
      'sumIf(c.bid_sat, c.is_commit = 1 AND c.is_accepted = false) AS missed, countIf(c.is_commit = 1 AND c.is_accepted IS NULL) AS untold',
      'if(sum(untold) > 0, NULL, sum(missed))',
    ),
  }),
  aggregate: 'sum',
  direction: 'down',
})

export const minersL1Fees = metric({
  ...onBothChains,
  id: 'miners.l1_fees',
  name: 'Fees of Stacks miners on Bitcoin',
  unit: 'sat',
  definition: 'Fees that block commits of the UTC day, by header time, paid to Bitcoin’s miners.',
  why: 'The cost of mining other than the bid.',
  how: 'Inputs less outputs of the transactions with a block commit; bids are outputs and no fee.',
  misleads: 'Replaced and unconfirmed commits cost nothing here; registering keys is left out.',
  ...figuresSql({
    metric: 'miners.l1_fees',
    type: 'Int64',
    chain: perCommits(
      'sumIf(c.fee_sat, c.is_commit = 1) AS fees, countIf(c.is_commit = 1 AND c.fee_sat IS NULL) AS untold',
      'if(sum(untold) > 0, NULL, sum(fees))',
    ),
  }),
  sources: ['bitcoin.chain'],
  aggregate: 'sum',
})

export const minersLuck = metric({
  ...onBothChains,
  id: 'miners.luck',
  name: 'Luck of miners',
  unit: 'ratio',
  breakdown: { name: 'miner', values: [] },
  headline: 'all',
  definition:
    'Tenures that a miner won on the UTC day ÷ those that it could expect by its bids, an estimate of the node’s rule.',
  why: 'Whether sortition treats miners equally. A long deviation from 1 is suspicious.',
  how: 'Wins ÷ Σ p; p of a commit = effective bid (the smaller of its own and its median over six blocks) ÷ those of all, less the share of the null miner. `wins_low` and `wins_high` bound the wins that chance alone gives with 95 %: quantiles of the Poisson binomial of the p’s. Commits with fewer than 3 bids in six blocks have no p and are left out.',
  misleads:
    'A few tenures a day are not meaningful, so look at months. Miners are identified by their change address. Bids rejected by the node count in the sum of bids.',
  sql: `WITH
  odds AS (
    SELECT
      toDate(c.block_time) AS day, c.sender AS miner, toFloat64(assumeNotNull(c.is_winner)) AS won, assumeNotNull(p.probability) AS p,
      c.height AS height, c.block_time AS block_time
    FROM stx_block_commits AS c
    INNER JOIN stx_commit_odds AS p ON p.txid = c.txid
    WHERE c.is_winner IS NOT NULL AND p.probability IS NOT NULL AND toDate(c.block_time) ${RANGE}
  )
SELECT
  day, key, sum(won) / nullIf(sum(p), 0) AS value, sum(won) AS numerator, sum(p) AS denominator,
  if(day IN (SELECT day FROM btc_whole_days WHERE basis = 'rows'), ${stacksState('day')}, 'incomplete') AS state,
  'bitcoin.chain' AS source, min(height) AS from_height, max(height) AS to_height, max(block_time) AS as_of,
  groupArray(p) AS ps, ${poissonBinomialQuantile('ps', 0.025)} AS wins_low, ${poissonBinomialQuantile('ps', 0.975)} AS wins_high
FROM (SELECT *, arrayJoin(['all', miner]) AS key FROM odds)
GROUP BY day, key
ORDER BY day, key`,
  calendar: 'reported',
  aggregate: 'recompute',
})

/** Blocks after which a reward is paid. */
const MATURITY = 100

/**
 * Days of Stacks with what matured on them and what was paid for it: commits of the Bitcoin blocks 100 before those of the
 * day’s tenures. Known where the block before the day and all of these Bitcoin blocks are held, and both coins have a close.
 */
const EARNINGS = `ends AS (
    SELECT
      h.bucket AS day, h.from_height AS from_height, h.to_height AS to_height, h.last_time AS as_of,
      toFloat64(h.coinbase_ustx + h.reward_fee_ustx) AS ustx,
      before.burn_height - ${MATURITY} AS first_burn, last.burn_height - ${MATURITY} AS last_burn
    FROM stx_block_days AS h
    INNER JOIN (SELECT height + 1 AS next, burn_height FROM stx_blocks WHERE height IN (SELECT from_height - 1 FROM stx_block_days)) AS before
      ON before.next = h.from_height
    INNER JOIN (SELECT height, burn_height FROM stx_blocks WHERE height IN (SELECT to_height FROM stx_block_days)) AS last
      ON last.height = h.to_height
    WHERE h.bucket ${RANGE}
  ),
  spent AS (
    SELECT b.height AS height, toFloat64(sum(c.bid_sat)) AS bid, toFloat64(sum(ifNull(c.fee_sat, 0))) AS fee, countIf(c.is_commit = 1 AND c.fee_sat IS NULL) AS untold
    FROM btc_blocks AS b
    LEFT JOIN (SELECT *, 1 AS is_commit FROM stx_block_commits) AS c ON c.height = b.height
    WHERE b.height >= ${FIRST_HEIGHT}
    GROUP BY b.height
  ),
  earned AS (
    SELECT
      e.day AS day, any(e.ustx) AS ustx, sum(s.bid) AS bid, sum(s.fee) AS fee,
      count() = any(e.last_burn) - any(e.first_burn) AND sum(s.untold) = 0 AS is_known,
      any(e.from_height) AS from_height, any(e.to_height) AS to_height, any(e.as_of) AS as_of
    FROM ends AS e
    INNER JOIN spent AS s ON true
    WHERE s.height > e.first_burn AND s.height <= e.last_burn
    GROUP BY e.day
  ),
  valued AS (
    SELECT
      e.day AS day, e.ustx / 1000000 * x.close AS reward, e.bid / 100000000 * b.close AS bid, e.fee / 100000000 * b.close AS fee,
      e.is_known AS is_known, e.from_height AS from_height, e.to_height AS to_height, e.as_of AS as_of,
      ${stacksState('e.day', 'miner_rewards')} AS state
    FROM earned AS e
    INNER JOIN btc_usd_daily AS b ON b.day = e.day
    INNER JOIN (SELECT day, close FROM usd_closes WHERE asset = 'STX') AS x ON x.day = e.day
  )`

const ofEarnings = {
  ...onBothChains,
  sources: ['stacks.chain', 'bitcoin.chain', 'stxusdt.bybit'],
  calendar: 'reported',
  needs:
    'Needs the blocks of both chains with the 100 Bitcoin blocks before, and closes of BTC and STX: set BITCOIN_RPC_URL to a node, and let a Stacks node post its events.',
} as const

export const minersProfit = metric({
  ...ofEarnings,
  id: 'miners.profit',
  name: 'Profit of miners',
  unit: 'USD',
  breakdown: { name: 'part', values: ['reward', 'bids', 'fees', 'profit'] },
  headline: 'profit',
  definition: 'Value of the rewards that matured on the UTC day less the bids and fees paid for them.',
  why: 'Whether mining pays, and so whether bids can rise.',
  how: 'Coinbases and fees paid out on the day, at the day’s close of STX, less bids (those that did not count in) and fees of the commits in the Bitcoin blocks 100 before, at the day’s close of BTC.',
  misleads: 'Miners sell and buy at other prices than these closes, and pay for machines and people besides.',
  sql: `WITH
  ${EARNINGS}
SELECT
  day, part.1 AS key, if(is_known, part.2, NULL) AS value, state, 'stacks.chain' AS source, from_height, to_height, as_of
FROM (
  SELECT *, arrayJoin([('reward', reward), ('bids', -bid), ('fees', -fee), ('profit', reward - bid - fee)]) AS part FROM valued
)
ORDER BY day, key`,
  aggregate: 'sum',
})

export const minersPriceRatio = metric({
  ...ofEarnings,
  id: 'miners.price_ratio',
  name: 'Reward per dollar bid',
  unit: 'ratio',
  definition: 'Value of the rewards that matured on the UTC day ÷ value of the bids for them.',
  why: 'Value of STX mined per dollar of bitcoin, compared with 1 on the market.',
  how: 'As miners.profit: rewards ÷ bids, fees on Bitcoin left out.',
  misleads: 'Above 1 is not necessarily a profit, because fees and hardware are excluded.',
  sql: `WITH
  ${EARNINGS}
SELECT
  day, '' AS key, if(is_known, reward / nullIf(bid, 0), NULL) AS value,
  if(is_known, reward, NULL) AS numerator, if(is_known, bid, NULL) AS denominator,
  state, 'stacks.chain' AS source, from_height, to_height, as_of
FROM valued
ORDER BY day`,
  aggregate: 'recompute',
})

export const pegByAddress = metric({
  ...fromStacks,
  entityKind: 'token',
  entities: ['sbtc'],
  id: 'peg.by_address',
  name: 'Bitcoin of the signers by address',
  unit: 'sat',
  breakdown: { name: 'key', values: [] },
  headline: '*',
  definition:
    'Unspent outputs of the sBTC signers at the end of the UTC day, by the address that holds them.',
  why: 'Where the reserve is, and when the keys changed.',
  how: 'First outputs of the signers’ sweeps that are not spent, by the taproot key in their script, hexadecimal.',
  misleads: 'Available from the first indexed sweep on. Outputs that were never swept cannot be identified.',
  sql: `WITH
  moves AS (
    SELECT moved.1 AS day, key, sum(moved.2) AS change
    FROM (
      SELECT
        lower(hex(substring(script, 3))) AS key,
        arrayJoin([(toNullable(toDate(block_time)), toInt64(value_sat)), (toDate(spent_time), -toInt64(value_sat))]) AS moved
      FROM stx_sbtc_reserve_outputs
    )
    WHERE moved.1 IS NOT NULL
    GROUP BY day, key
  ),
  totals AS (SELECT assumeNotNull(day) AS day, key, sum(change) OVER (PARTITION BY key ORDER BY day) AS total FROM moves),
  keys AS (SELECT key, min(assumeNotNull(day)) AS first_day FROM moves GROUP BY key)
SELECT
  d.day AS day, d.key AS key, t.total AS value,
  if(d.day IN (SELECT day FROM btc_whole_days WHERE basis = 'rows'), 'whole', 'incomplete') AS state, 'bitcoin.chain' AS source,
  d.from_height AS from_height, d.to_height AS to_height, d.last_time AS as_of
FROM (
  SELECT h.bucket AS day, k.key AS key, h.from_height AS from_height, h.to_height AS to_height, h.last_time AS last_time
  FROM btc_held_buckets AS h
  INNER JOIN keys AS k ON true
  WHERE h.grain = 'day' AND h.bucket ${RANGE} AND h.bucket >= k.first_day
) AS d
ASOF LEFT JOIN totals AS t ON t.key = d.key AND t.day <= d.day
ORDER BY day, key`,
  sources: ['bitcoin.chain', 'stacks.chain'],
  aggregate: 'last',
  since: { day: '2024-12-16' },
  needs: onBothChains.needs,
  references: [{ title: 'stacks-sbtc/sbtc: sbtc-registry.clar', url: 'https://github.com/stacks-sbtc/sbtc' }],
})

export const MINER_METRICS = [
  minersBidMissed,
  minersL1Fees,
  minersLuck,
  minersProfit,
  minersPriceRatio,
  pegByAddress,
] as const
