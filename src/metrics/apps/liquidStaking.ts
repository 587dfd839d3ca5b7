import type { Catalog, StacksApp } from '#catalog/index.ts'
import { figuresSql } from '../figuresSql.ts'
import { type Metric, metric } from '../metric.ts'
import { stacksState } from '../stacks/common.ts'
import { appsWith, fromPrints, fromReads, perPrintDay, READS, referenceOf } from './common.ts'
import { grownBy } from './dollars.ts'
import { HOLDER_COUNT, holdersSql, NO_HOLDERS_RULE, needsHolders } from './holders.ts'

/** Two whole cycles of PoX, in days. */
const TWO_CYCLES_DAYS = 28
const FLOWS = ['deposit', 'request', 'withdraw', 'instant', 'cancel']

/** What StackingDAO says of itself. */
const STATS = 'stackingdao.stats'

const amountOf = (id: string) => figuresSql({ metric: id, type: 'Int64', outside: [READS] })

/** Figures of liquid staking on Stacks. */
export const liquidStakingMetrics = (catalog: Catalog): Metric[] =>
  appsWith(catalog, 'lst').flatMap((app, _, all) => metricsOf(app, all.length))

/** @param appCount how many applications of the kind there are: a share needs all of them, and more than one. */
function metricsOf({ protocol, tokens = [], stakers = [] }: StacksApp, appCount: number): Metric[] {
  const growing = tokens.find(({ isGrowing }) => isGrowing) ?? tokens[0]
  const token = growing?.key ?? ''
  const ofReads = {
    ...fromReads,
    entities: [protocol],
    since: { day: '2023-12-15' },
    references: [referenceOf(protocol)],
  } as const
  const ofPrints = { ...fromPrints, entities: [protocol], references: [referenceOf(protocol)] } as const
  const byToken = { breakdown: { name: 'token', values: [token] }, headline: token } as const
  return [
    metric({
      ...ofReads,
      id: 'lst.staked',
      name: 'STX staked through it',
      unit: 'uSTX',
      definition: 'STX that the contracts hold or have stacked for token owners, when they were polled.',
      why: 'The size of the pool.',
      how: 'Of StackingDAO get-total-stx of its reserve; of Lisa the reserve and deposits that wait for their mint.',
      misleads:
        'Not all of it is stacked at any time, because withdrawals wait in it until the end of a cycle.',
      direction: 'up',
      ...amountOf('lst.staked'),
    }),
    metric({
      ...ofReads,
      id: 'lst.supply',
      name: 'Tokens for staked STX',
      unit: 'coins',
      breakdown: { name: 'token', values: tokens.map(({ key }) => key) },
      headline: token,
      definition: 'Supply of each liquid staking token, when its contract was polled.',
      why: 'For who owns the claims, see the token’s holders.',
      how: 'Total supply that the contract answers.',
      misleads: 'Tokens of different kinds stand for different amounts of STX.',
      direction: 'up',
      sql: amountOf('lst.supply').sql.replace('toInt64(o.amount)', 'toFloat64(o.amount) / 1e6'),
    }),
    metric({
      ...ofReads,
      ...byToken,
      id: 'lst.exchange_rate',
      name: 'STX per token',
      unit: 'x',
      sources: protocol === 'lisa' ? ['stacks.chain', READS] : [READS, STATS],
      definition: 'STX per token, or per share for Lisa, when its contract was polled.',
      why: 'Its growth is what stakers earn.',
      how: 'stSTX: (STX of the reserve − supply of stSTXbtc) ÷ supply of stSTX. Lisa: reserve ÷ shares, also from what each rebase prints; LiSTX grows in number, and its share (vLiSTX) in value.',
      misleads:
        'It is what the protocol owes, not what the market pays. Exits take until the end of a cycle.',
      direction: 'up',
      ...rateSql(protocol, token),
    }),
    metric({
      ...ofReads,
      ...byToken,
      id: 'lst.apy',
      name: 'Yield as it was, two cycles',
      unit: 'ratio',
      definition:
        'How the STX per token grew over the 28 days before, two cycles of PoX, as an annual yield.',
      why: 'What stakers really got after fees, beside the yield of PoX itself.',
      how: '(Rate ÷ rate 28 days before) ^ (365 ÷ days) − 1; an older rate may be up to a week older.',
      misleads:
        'Rewards arrive once per cycle, so read it over months. Excludes stSTXbtc, which pays in sBTC separately.',
      direction: 'up',
      sql: grownBy('lst.exchange_rate', TWO_CYCLES_DAYS),
    }),
    ...(protocol === 'stacking-dao' ? [apyStated(protocol)] : []),
    metric({
      ...ofReads,
      id: 'lst.share',
      name: 'Share of liquid staking',
      unit: 'ratio',
      definition:
        'STX staked through it over all STX staked through covered liquid staking, when they were polled.',
      why: 'Whether one protocol decides for most of the stack.',
      how: 'lst.staked of this one over the sum of lst.staked on the same day. No share on days when one of them was not polled.',
      misleads: 'Excludes pools without a token.',
      direction: 'neither',
      sql: `WITH
  staked AS MATERIALIZED (
    SELECT o.day AS day, o.entity AS entity, argMax(toFloat64(o.amount), o.observed_at) AS amount, max(o.observed_at) AS as_of
    FROM latest_observations AS o
    WHERE o.metric = 'lst.staked' AND o.source = '${READS}' AND o.day BETWEEN {from:Date} AND {to:Date}
    GROUP BY o.day, o.entity
  )
SELECT
  s.day AS day, '' AS key, s.amount / a.amount AS value, 'whole' AS state, '${READS}' AS source,
  CAST(NULL AS Nullable(UInt32)) AS from_height, CAST(NULL AS Nullable(UInt32)) AS to_height, s.as_of AS as_of
FROM staked AS s
INNER JOIN (SELECT day, sum(amount) AS amount, count() AS parts FROM staked GROUP BY day) AS a ON a.day = s.day
WHERE s.entity = {entity:String} AND a.amount > 0 AND a.parts = ${Math.max(2, appCount)}
ORDER BY day`,
    }),
    metric({
      ...ofPrints,
      id: 'lst.discount',
      name: `${token} against its STX`,
      unit: 'ratio',
      sources: ['stacks.chain', READS],
      calendar: 'reported',
      definition: `Price of one ${token} in Stacks pools over the STX that it represents on the UTC day, less one.`,
      why: 'What it costs not to wait for the end of the cycle.',
      how: 'Price of the deepest pool whose other side has a price (stx_token_prices), over the price of STX there, of stSTX also over lst.exchange_rate.',
      misleads: 'A pool below the liquidity floor has no price, and a small sale moves a thin one.',
      aggregate: 'last',
      needs:
        'Requires a deep enough pool of the token in indexed blocks, and the exchange rate from its contract.',
      sql: discountSql(protocol, growing?.contracts[0] ?? ''),
    }),
    queue(ofReads),
    ...(protocol === 'lisa' ? [mintQueue(ofReads)] : []),
    metric({
      ...ofPrints,
      id: 'lst.holders',
      name: 'Holders of its tokens',
      unit: 'addresses',
      calendar: 'reported',
      aggregate: 'last',
      breakdown: { name: 'token', values: tokens.map(({ key }) => key) },
      headline: token,
      definition: 'Addresses with a balance of each liquid staking token, as of the latest indexed block.',
      why: 'Whether there are many small stakers, or a few large ones whose exit would empty the pool.',
      how: `Sums of all movements since the token was made; of stSTXbtc both of its contracts, of LiSTX its shares too. ${NO_HOLDERS_RULE}`,
      misleads:
        'Balances with lenders and in pools have their owners there. The day is that of the latest block, with no past days.',
      direction: 'up',
      needs: needsHolders(tokens.map(({ key }) => key).join(' and ')),
      sql: holdersSql(tokens, HOLDER_COUNT),
    }),
    metric({
      ...ofPrints,
      id: 'lst.signers',
      name: 'Signers that it stacks with',
      unit: 'n',
      calendar: 'reported',
      aggregate: 'last',
      definition:
        'Pools, from PoX-5 on signers, that the STX of its tokens are stacked with in a reward cycle, on the day of the block that fixed its reward set.',
      why: 'Whether one signer decides for the whole stake, and one outage costs all of its rewards.',
      how: 'The pool or signer in the latest PoX operation of each of the protocol’s accounts (stx_stackers, stx_stakes). Accounts are identified by the names of the contracts that hold its stake.',
      misleads:
        'Several pools can run one signer, and their shares vary widely. Operations before the indexed blocks are missing.',
      needs:
        'Needs the blocks in which its contracts delegated or staked, and the one that fixed the reward set of a cycle: load an archive of events, or let a Stacks node post to STACKS_OBSERVER_PORT.',
      sql: signersSql(stakers),
    }),
    metric({
      ...ofPrints,
      id: 'lst.flows',
      name: 'Deposits and withdrawals',
      unit: 'uSTX',
      breakdown: { name: 'kind', values: FLOWS },
      headline: 'deposit',
      definition:
        'STX deposited, requested for withdrawal, paid out, paid out instantly or kept after a canceled request on the UTC day.',
      why: 'Who comes and who leaves, before the totals show it.',
      how: 'Sum of the amounts that the core contracts print. Lisa prints requests only.',
      misleads: 'A withdrawal counts when requested and again when paid.',
      aggregate: 'sum',
      ...figuresSql({
        metric: 'lst.flows',
        type: 'Int64',
        chain: perPrintDay(
          `SELECT toDate(block_time) AS day, kind AS key, sum(toUInt64(assumeNotNull(amount))) AS value
    FROM stx_lst_events
    WHERE protocol = '${protocol}' AND kind IN (${FLOWS.map(kind => `'${kind}'`).join(', ')}) AND amount IS NOT NULL
    GROUP BY day, key`,
          FLOWS,
        ),
      }),
    }),
  ]
}

/** Who stacks for the contracts whose names begin so, by reward cycle; a stake of PoX-5 counts with its newest signer. */
const signersSql = (stakers: readonly string[]): string => {
  const isOwn = (of: string) =>
    stakers.length === 0 ? 'false' : stakers.map(start => `startsWith(${of}, '${start}')`).join(' OR ')
  return `WITH signers AS (
    SELECT s.cycle AS cycle, s.delegate_to AS signer
    FROM stx_stackers AS s
    WHERE (${isOwn('s.stacker')}) AND s.delegate_to != ''
    UNION ALL
    SELECT cycle, signer
    FROM (
      SELECT
        arrayJoin(range(assumeNotNull(toUInt64(s.first_cycle)), assumeNotNull(toUInt64(s.unlock_cycle)))) AS cycle, s.staker AS staker,
        argMax(s.signer, (s.height, s.event_index)) AS signer
      FROM stx_stakes AS s
      WHERE (${isOwn('s.staker')}) AND s.first_cycle IS NOT NULL AND s.unlock_cycle IS NOT NULL
      GROUP BY cycle, staker
    )
    WHERE signer != ''
  )
SELECT
  toDate(c.block_time) AS day, '' AS key, toInt64(s.value) AS value, 'whole' AS state, 'stacks.chain' AS source,
  toNullable(c.height) AS from_height, toNullable(c.height) AS to_height, c.block_time AS as_of
FROM stx_cycles AS c
INNER JOIN (SELECT cycle, uniqExact(signer) AS value FROM signers GROUP BY cycle) AS s ON s.cycle = c.cycle
WHERE toDate(c.block_time) BETWEEN {from:Date} AND {to:Date}
ORDER BY day`
}

/** A LiSTX stands for one STX; of stSTX the rate may be up to a week old. */
function discountSql(protocol: string, contract: string): string {
  const rates =
    protocol === 'lisa'
      ? "SELECT toDate('2020-01-01') AS day, 1. AS rate, 1 AS one, true AS is_fixed"
      : `SELECT o.day AS day, argMax(assumeNotNull(o.value), o.observed_at) AS rate, 1 AS one, false AS is_fixed
  FROM latest_observations AS o
  WHERE o.metric = 'lst.exchange_rate' AND o.entity = '${protocol}' AND o.source = '${READS}' AND o.value > 0
  GROUP BY o.day`
  return `SELECT
  p.day AS day, '' AS key, p.usd / s.usd / r.rate - 1 AS value,
  if(r.is_fixed OR dateDiff('day', r.day, p.day) <= 7, ${stacksState('p.day', 'events')}, 'incomplete') AS state,
  'stacks.chain' AS source, CAST(NULL AS Nullable(UInt32)) AS from_height, CAST(NULL AS Nullable(UInt32)) AS to_height,
  toDateTime(p.day, 'UTC') AS as_of
FROM (SELECT day, usd, 1 AS one FROM stx_token_prices WHERE token = '${contract}' AND steps > 0) AS p
INNER JOIN (SELECT day, usd FROM stx_token_prices WHERE token = 'STX') AS s ON s.day = p.day
ASOF INNER JOIN (
  ${rates}
) AS r ON r.one = p.one AND r.day <= p.day
WHERE p.day BETWEEN {from:Date} AND {to:Date}
ORDER BY day`
}

type OfReads = Pick<Metric, 'entities' | 'since' | 'references'> & typeof fromReads

const queue = (ofReads: OfReads): Metric =>
  metric({
    ...ofReads,
    id: 'lst.queue',
    name: 'Pending withdrawals',
    unit: 'uSTX',
    definition: 'STX of withdrawals requested and not yet paid out, when the contracts were polled.',
    why: 'STX that leave at the end of the cycle.',
    how: 'For StackingDAO, get-stx-for-withdrawals of the reserve. For Lisa, the shares that the registry keeps for requests, in STX.',
    misleads: 'Includes claimable withdrawals that have not been claimed.',
    direction: 'neither',
    ...amountOf('lst.queue'),
  })

const mintQueue = (ofReads: OfReads): Metric =>
  metric({
    ...ofReads,
    id: 'lst.mint_queue',
    name: 'Pending deposits',
    unit: 'uSTX',
    definition: 'STX of deposits with tokens not yet minted, when the registry was polled.',
    why: 'STX that enter with the next cycle.',
    how: 'get-mint-requests-pending-amount of the registry.',
    misleads: 'For pending withdrawals, see lst.queue.',
    direction: 'neither',
    ...amountOf('lst.mint_queue'),
  })

/** What the contract answers; of Lisa also what its token prints at each rebase. */
function rateSql(protocol: string, token: string) {
  if (protocol !== 'lisa')
    return figuresSql({ metric: 'lst.exchange_rate', type: 'Float64', outside: [READS, STATS] })
  return figuresSql({
    metric: 'lst.exchange_rate',
    type: 'Float64',
    outside: [READS],
    chain: {
      ctes: [],
      select: `SELECT
      toDate(e.block_time) AS day, '${token}' AS key,
      argMax(toFloat64(assumeNotNull(e.amount)) / toFloat64(assumeNotNull(e.shares)), (e.height, e.event_index)) AS value,
      ${stacksState('day', 'events')} AS state, 'stacks.chain' AS source,
      toNullable(min(e.height)) AS from_height, toNullable(max(e.height)) AS to_height, max(e.block_time) AS as_of
    FROM stx_lst_events AS e
    WHERE e.protocol = 'lisa' AND e.kind = 'rate' AND e.shares > 0 AND toDate(e.block_time) BETWEEN {from:Date} AND {to:Date}
    GROUP BY day`,
      isRatio: false,
    },
  })
}

const apyStated = (protocol: string): Metric =>
  metric({
    ...fromReads,
    id: 'lst.apy_stated',
    name: 'Stated yield',
    unit: 'ratio',
    entities: [protocol],
    breakdown: { name: 'token', values: ['stSTX', 'stSTXbtc', 'stBTC', 'native'] },
    headline: 'stSTX',
    sources: [STATS],
    since: { day: '2023-12-15' },
    references: [referenceOf(protocol)],
    definition:
      'Annual yield that the protocol states for each of its tokens, and for stacking without one (native), at the newest answer of the UTC day.',
    why: 'What stakers are promised. Compare it with lst.apy, the actual return.',
    how: 'From the protocol’s site, percent divided by 100.',
    misleads: 'The method is undocumented, and the protocol has an interest in the figure.',
    direction: 'neither',
    ...figuresSql({ metric: 'lst.apy_stated', type: 'Float64', outside: [STATS] }),
    needs: 'With internet, the protocol’s site is polled hourly.',
  })
