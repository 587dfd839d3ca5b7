import { SBTC_TOKENS } from '#kernel/stacks.ts'
import { type ChainFigures, RANGE } from '../chainFigures.ts'
import { figuresSql } from '../figuresSql.ts'
import { metric, SUM_OF_KEYS } from '../metric.ts'
import { fromStacks, NEEDS_BOTH_CHAINS, sip, stacksState } from './common.ts'
import { knownSince, madeAt, stockOfKeys, totalsOf } from './stocks.ts'

const LAUNCH = '2024-12-16'
const TOKENS = SBTC_TOKENS.map(token => `'${token}'`).join(', ')
/** The token, and its twin that stands for it while a withdrawal is asked for. */
const ASSETS = SBTC_TOKENS.flatMap(token => [`'${token}::sbtc-token'`, `'${token}::sbtc-token-locked'`]).join(
  ', ',
)

/** What entries about sBTC from the events of its registry share. */
export const ofSbtc = {
  ...fromStacks,
  since: { day: LAUNCH },
  references: [
    { title: 'stacks-sbtc/sbtc: sbtc-registry.clar', url: 'https://github.com/stacks-sbtc/sbtc' },
    sip(28, 'Signer criteria for sBTC'),
  ],
} as const

/** A sum by day and key, 0 on days that are held and have none. `moves` selects `day`, `key`, `value`. */
const perSbtcDay = (moves: string, keys: readonly string[]): ChainFigures => ({
  ctes: [`moves AS (\n    ${moves}\n  )`],
  select: `SELECT
      h.bucket AS day, h.key AS key, m.value AS value, ${stacksState('h.bucket', 'events')} AS state, 'stacks.chain' AS source,
      h.from_height AS from_height, h.to_height AS to_height, h.last_time AS as_of
    FROM (SELECT *, arrayJoin([${keys.map(key => `'${key}'`).join(', ')}]) AS key FROM stx_block_days) AS h
    LEFT JOIN moves AS m ON m.day = h.bucket AND m.key = h.key
    WHERE h.bucket ${RANGE} AND h.bucket >= '${LAUNCH}'`,
  isRatio: false,
})

export const sbtcDeposits = metric({
  ...ofSbtc,
  id: 'sbtc.deposits',
  name: 'sBTC minted for deposits',
  unit: 'sat',
  breakdown: { name: 'origin', values: ['user', 'miner'] },
  headline: SUM_OF_KEYS,
  definition: 'sBTC minted on the UTC day for bitcoin deposits, by depositor.',
  why: 'Bitcoin that comes to life on Stacks.',
  how: 'Sum of deposits that the registry reports as completed. Mints to the PoX-5 contract are miner bids, others are user deposits.',
  misleads:
    'Counts on the day of the mint, not of the deposit. A user who deposits to PoX-5 counts as a miner.',
  ...figuresSql({
    metric: 'sbtc.deposits',
    type: 'Int64',
    chain: perSbtcDay(
      `SELECT toDate(block_time) AS day, origin AS key, sum(assumeNotNull(amount_sat)) AS value
    FROM stx_sbtc_deposits
    GROUP BY day, key`,
      ['user', 'miner'],
    ),
  }),
  aggregate: 'sum',
})

export const sbtcWithdrawals = metric({
  ...ofSbtc,
  id: 'sbtc.withdrawals',
  name: 'Withdrawals of sBTC',
  unit: 'sat',
  breakdown: { name: 'step', values: ['requested', 'accepted', 'rejected'] },
  headline: 'accepted',
  definition: 'Satoshis of withdrawals requested, accepted or rejected on the UTC day.',
  why: 'Exit demand, and whether the signers serve it.',
  how: 'Sum of the amounts by the step that the registry reports; the same withdrawal counts once in each step.',
  misleads:
    'Excludes the fee. Steps with a request before the indexed blocks have no amount and are left out.',
  ...figuresSql({
    metric: 'sbtc.withdrawals',
    type: 'Int64',
    chain: perSbtcDay(
      `SELECT toDate(step.2) AS day, step.1 AS key, sum(assumeNotNull(amount_sat)) AS value
    FROM (
      SELECT amount_sat, arrayJoin([('requested', request_time), (status, settled_time)]) AS step
      FROM stx_sbtc_withdrawals
    )
    WHERE step.2 IS NOT NULL AND amount_sat IS NOT NULL
    GROUP BY day, key`,
      ['requested', 'accepted', 'rejected'],
    ),
  }),
  aggregate: 'sum',
})

export const sbtcPending = metric({
  ...ofSbtc,
  id: 'sbtc.pending',
  name: 'Withdrawals not settled',
  unit: 'sat',
  definition:
    'Satoshis of withdrawals requested and neither accepted nor rejected by the end of the UTC day.',
  why: 'Pending exits.',
  how: 'Requests less those settled, over all blocks since the token was made; days after the first gap have none.',
  misleads:
    'Pending deposits cannot be identified, because on Bitcoin they look like any payment until swept.',
  ...figuresSql({
    metric: 'sbtc.pending',
    type: 'Int64',
    chain: {
      ctes: [
        knownSince(madeAt(TOKENS), 'events'),
        totalsOf(
          'pending',
          `SELECT toDate(moved.1) AS day, '' AS key, assumeNotNull(moved.2) AS change
      FROM (
        SELECT arrayJoin([(request_time, toInt64(amount_sat)), (settled_time, -toInt64(amount_sat))]) AS moved
        FROM stx_sbtc_withdrawals
        WHERE request_time IS NOT NULL
      )
      WHERE moved.1 IS NOT NULL`,
        ),
      ],
      select: stockOfKeys('pending', [''], 'stacks.chain'),
      isRatio: false,
    },
  }),
  aggregate: 'last',
})

/** The first day of the bucket of `{grain:String}` that a day falls into. */
export const bucketOf = (day: string): string =>
  `multiIf({grain:String} = 'week', toMonday(${day}), {grain:String} = 'month', toStartOfMonth(${day}), ${day})`

export const sbtcTimeToMint = metric({
  ...ofSbtc,
  id: 'sbtc.time_to_mint',
  name: 'Time to mint',
  unit: 's',
  definition: 'Median seconds from the Bitcoin block of a deposit to the Stacks block that minted its sBTC.',
  why: 'How long a deposit takes.',
  how: 'Median over deposits minted in the bucket with an indexed Bitcoin block: block time of the mint less header time of the deposit.',
  misleads:
    'Header times are off by up to two hours. Excludes the wait for the deposit’s block, and miner deposits.',
  sql: `WITH
  minted AS (
    SELECT
      ${bucketOf('toDate(block_time)')} AS day, quantileExactLow(0.5)(assumeNotNull(seconds_to_mint)) AS value,
      min(height) AS from_height, max(height) AS to_height, max(block_time) AS as_of
    FROM stx_sbtc_deposits
    WHERE origin = 'user' AND seconds_to_mint IS NOT NULL AND toDate(block_time) ${RANGE}
    GROUP BY day
  )
SELECT
  day, '' AS key, value,
  multiIf(
    {grain:String} = 'day', ${stacksState('day', 'events')},
    toDate(as_of) >= toDate(now('UTC') - INTERVAL 3 HOUR), 'partial',
    'whole'
  ) AS state,
  'stacks.chain' AS source, from_height, to_height, as_of
FROM minted
ORDER BY day`,
  sources: ['stacks.chain', 'bitcoin.chain'],
  calendar: 'reported',
  aggregate: 'recompute',
  direction: 'down',
  needs: NEEDS_BOTH_CHAINS,
})

const ofPeg = {
  ...ofSbtc,
  entityKind: 'token',
  entities: ['sbtc'],
  sources: ['stacks.chain', 'bitcoin.chain'],
  aggregate: 'last',
  needs:
    'Needs every Stacks block since the token was made and every Bitcoin block since the first sweep, without a gap: let a Stacks node post its events, and set BITCOIN_RPC_URL to a node.',
} as const

const SUPPLY = totalsOf(
  'supply',
  `SELECT toDate(block_time) AS day, '' AS key, if(action = 'mint', toInt64(amount), -toInt64(amount)) AS change
      FROM stx_transfers
      WHERE asset IN (${ASSETS}) AND action != 'transfer'`,
)

const TERMS = ['outputs', 'swept_not_minted', 'paid_not_burned'] as const

/** The known days on which Bitcoin is held as well, from the first sweep that the registry names on. */
const RESERVE = [
  knownSince(madeAt(TOKENS), 'events'),
  `both AS (
    SELECT
      k.day AS day, k.as_of AS as_of, k.to_height AS stacks_height, b.from_height AS from_height, b.to_height AS to_height,
      if(k.state != 'whole', k.state, if(k.day IN (SELECT day FROM btc_whole_days WHERE basis = 'rows'), 'whole', 'incomplete')) AS state
    FROM known AS k
    INNER JOIN btc_held_buckets AS b ON b.grain = 'day' AND b.bucket = k.day
    INNER JOIN (
      SELECT to_height
      FROM btc_coverage
      WHERE from_height <= (SELECT min(sweep_burn_height) FROM stx_sbtc_prints WHERE sweep_burn_height IS NOT NULL)
      ORDER BY to_height DESC
      LIMIT 1
    ) AS r ON true
    WHERE b.to_height <= r.to_height
  )`,
  totalsOf(
    'reserve',
    'SELECT toDate(block_time) AS day, term AS key, change_sat AS change FROM stx_sbtc_reserve_changes',
  ),
]

export const pegSupply = metric({
  ...ofPeg,
  id: 'peg.supply',
  name: 'Supply of sBTC',
  unit: 'sat',
  definition: 'sBTC that exists at the end of the UTC day, free and locked for withdrawals.',
  why: 'The claims on the signers’ bitcoin.',
  how: 'Mints less burns of the token and of its locked twin, over all blocks since the token was made.',
  misleads: 'sBTC locked in PoX-5 counts like any other sBTC. Excludes bonds that lock bitcoin on L1.',
  ...figuresSql({
    metric: 'peg.supply',
    type: 'Int64',
    chain: {
      ctes: [knownSince(madeAt(TOKENS), 'events'), SUPPLY],
      select: stockOfKeys('supply', [''], 'stacks.chain'),
      isRatio: false,
    },
  }),
  sources: ['stacks.chain'],
  needs:
    'Needs every Stacks block since the token was made, without a gap: let a Stacks node post its events.',
})

export const pegReserve = metric({
  ...ofPeg,
  id: 'peg.reserve',
  name: 'Bitcoin behind sBTC',
  unit: 'sat',
  breakdown: { name: 'term', values: [...TERMS] },
  headline: SUM_OF_KEYS,
  definition:
    'Unspent outputs of the signers at the end of the UTC day, less deposits swept and not yet minted, plus withdrawals paid and not yet burned.',
  why: 'Whether every sBTC has its bitcoin, at the same moment on both chains.',
  how: 'First outputs of the signers’ sweeps: those in the registry, and those that pay the same script. Each term is separate.',
  misleads:
    'Includes donations to the signers. Their outputs cannot be identified before the first sweep. Bitcoin’s days are cut by header time, which is off by up to two hours.',
  ...figuresSql({
    metric: 'peg.reserve',
    type: 'Int64',
    chain: {
      ctes: RESERVE,
      select: `SELECT
      k.day AS day, k.key AS key, t.total AS value, k.state AS state, 'bitcoin.chain' AS source,
      k.from_height AS from_height, k.to_height AS to_height, k.as_of AS as_of
    FROM (SELECT *, arrayJoin([${TERMS.map(term => `'${term}'`).join(', ')}]) AS key FROM both) AS k
    ASOF LEFT JOIN reserve AS t ON t.key = k.key AND t.day <= k.day
    WHERE k.day ${RANGE}`,
      isRatio: false,
    },
  }),
})

/** Reserve and supply of one day in one row, with the heights of both chains. */
const PEG = `peg AS (
    SELECT
      k.day AS day, any(k.state) AS state, any(k.from_height) AS from_height, any(k.to_height) AS to_height,
      any(k.stacks_height) AS stacks_height, any(k.as_of) AS as_of, sum(t.total) AS reserve, any(s.total) AS supply
    FROM (SELECT *, arrayJoin([${TERMS.map(term => `'${term}'`).join(', ')}]) AS key, '' AS none FROM both) AS k
    ASOF LEFT JOIN reserve AS t ON t.key = k.key AND t.day <= k.day
    ASOF LEFT JOIN supply AS s ON s.key = k.none AND s.day <= k.day
    WHERE k.day ${RANGE}
    GROUP BY k.day
  )`

const ofBoth = (value: string): string => `WITH
  ${[...RESERVE, SUPPLY, PEG].join(',\n  ')}
SELECT
  day, '' AS key, ${value} AS value, state, 'bitcoin.chain' AS source, from_height, to_height, as_of,
  to_height AS bitcoin_height, stacks_height
FROM peg
ORDER BY day`

export const pegRatio = metric({
  ...ofPeg,
  id: 'peg.ratio',
  name: 'Bitcoin per sBTC',
  unit: 'ratio',
  definition: 'Bitcoin behind sBTC ÷ supply of sBTC, both at the end of the same UTC day.',
  why: '1 or more: every sBTC is backed.',
  how: 'peg.reserve ÷ peg.supply; `bitcoin_height` and `stacks_height` are the blocks it was counted at.',
  misleads:
    'An on-chain figure that does not show who can move the coins, which is whoever controls the signer keys.',
  sql: ofBoth('toFloat64(reserve) / nullIf(supply, 0)'),
  direction: 'up',
})

export const pegGap = metric({
  ...ofPeg,
  id: 'peg.gap',
  name: 'Bitcoin beyond sBTC',
  unit: 'sat',
  definition: 'Bitcoin behind sBTC less the supply of sBTC, both at the end of the same UTC day.',
  why: 'Below 0: sBTC without bitcoin.',
  how: 'peg.reserve − peg.supply; `bitcoin_height` and `stacks_height` are the blocks it was counted at.',
  misleads: 'Donations to the signers remain included.',
  sql: ofBoth('toInt64(reserve) - toInt64(supply)'),
  direction: 'up',
})

export const SBTC_METRICS = [
  sbtcDeposits,
  sbtcWithdrawals,
  sbtcPending,
  sbtcTimeToMint,
  pegSupply,
  pegReserve,
  pegRatio,
  pegGap,
] as const
