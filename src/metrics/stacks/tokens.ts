import { RANGE } from '../chainFigures.ts'
import { figuresSql } from '../figuresSql.ts'
import { metric, SUM_OF_KEYS } from '../metric.ts'
import { fromStacks, perStacksDay, sip } from './common.ts'
import { knownSince, stockOfKeys, totalsOf } from './stocks.ts'

const tokens = [sip(9, 'Non-fungible tokens'), sip(10, 'Fungible tokens')]

export const tokensTransfers = metric({
  ...fromStacks,
  id: 'tokens.transfers',
  name: 'Token transfers',
  unit: 'n',
  breakdown: { name: 'standard', values: ['ft', 'nft'] },
  headline: SUM_OF_KEYS,
  definition: 'Movements of fungible tokens and of NFTs on the UTC day.',
  why: 'How much applications move, beyond payments in STX.',
  how: 'Transfer events of transactions that were not rolled back; mints and burns are left out.',
  misleads: 'A swap through several pools moves tokens many times.',
  ...figuresSql({
    metric: 'tokens.transfers',
    type: 'Int64',
    chain: perStacksDay({
      table: 'stx_transfer_days',
      needs: ['events'],
      key: 'toString(r.standard)',
      value: 'r.move_count',
      where: "r.standard != 'stx' AND r.action = 'transfer'",
    }),
  }),
  aggregate: 'sum',
  references: tokens,
})

export const nftMints = metric({
  ...fromStacks,
  id: 'nft.mints',
  name: 'NFTs minted',
  unit: 'n',
  definition: 'NFTs that were made on the UTC day.',
  why: 'Whether collections are still made.',
  how: 'Mint events of NFTs of transactions that were not rolled back; names of BNS are NFTs too.',
  misleads: 'Protocols mint NFTs as receipts.',
  ...figuresSql({
    metric: 'nft.mints',
    type: 'Int64',
    chain: perStacksDay({
      needs: ['events'],
      value: 'sum(r.move_count)',
      table: 'stx_transfer_days',
      where: "r.standard = 'nft' AND r.action = 'mint'",
      isSum: true,
    }),
  }),
  aggregate: 'sum',
  references: tokens,
})

/**
 * The first block, where all of its events are held: of the main network it makes the genesis allocation, 118,518 mints, and
 * recordings often cut it.
 */
export const GENESIS = `SELECT b.height AS height
      FROM stx_blocks AS b
      INNER JOIN (
        SELECT height, countIf(standard = 'stx' AND action = 'mint') AS mints, max(event_index) + 1 AS events
        FROM stx_transfers
        WHERE height <= 1
        GROUP BY height
      ) AS t ON t.height = b.height
      WHERE b.height = (SELECT min(height) FROM stx_blocks) AND b.height <= 1 AND t.mints > 0
        AND b.event_count + b.rolled_back_event_count >= t.events`

export const ofSupply = {
  ...fromStacks,
  unit: 'uSTX',
  aggregate: 'last',
  references: [sip(1, 'Burn election'), sip(5, 'Blocks, transactions, and accounts')],
  needs:
    'Needs every Stacks block from genesis on with the whole genesis allocation, which the bundled recording of genesis has cut: load an archive of events from the first block, or let a node that starts at genesis post its events.',
} as const

/** What adds to the supply and what takes from it, by day. */
export const SUPPLY_CHANGES = `SELECT bucket AS day, '' AS key, if(action = 'mint', toInt256(amount_ustx), -toInt256(amount_ustx)) AS change
      FROM stx_transfer_days
      WHERE standard = 'stx' AND action != 'transfer'
      UNION ALL
      SELECT bucket, '', toInt256(coinbase_ustx) FROM stx_block_days`

const SUPPLY = totalsOf('supply', SUPPLY_CHANGES)

export const supplyLiquid = metric({
  ...ofSupply,
  id: 'supply.liquid',
  name: 'STX in being',
  sources: ['stacks.chain', 'stacks.pox', 'stacks.supply'],
  needs:
    'With internet, the public API is polled. On-chain, it requires every Stacks block from genesis with the full genesis allocation, which the bundled genesis recording truncates: load an archive of events from the first block, or let a node that starts at genesis post its events.',
  definition: 'STX that exist at the end of the UTC day: mints less burns, and coinbases that have matured.',
  why: 'The base for shares of stacked or locked STX. The node calls it liquid supply.',
  how: 'Sum over all blocks since genesis; a coinbase counts when it is paid, 100 Bitcoin blocks after its tenure. Fees move and mint nothing.',
  misleads:
    'Includes STX locked by PoX and STX with lost keys. A node and the API count it in their own way, at the time of the response.',
  ...figuresSql({
    metric: 'supply.liquid',
    type: 'Int64',
    chain: {
      ctes: [knownSince(GENESIS, 'events', 'miner_rewards'), SUPPLY],
      select: stockOfKeys('supply', [''], 'stacks.chain'),
      isRatio: false,
    },
    outside: ['stacks.pox', 'stacks.supply'],
  }),
})

/** Coinbase by Bitcoin height, micro-STX (SIP-029, SIP-045); a block without a winner hands its own on to the next. */
const emittedBy = (height: string): string =>
  `(toInt64(${height}) * 1000000000 - greatest(least(toInt64(${height}), 960229) - 944999, 0) * 500000000)`

export const supplyTotal = metric({
  ...ofSupply,
  id: 'supply.total',
  name: 'STX in being and on the way',
  definition:
    'supply.liquid with the coinbases of the last 100 Bitcoin blocks, which are earned and not yet paid.',
  why: 'Supply by protocol rules, regardless of payout time.',
  how: 'The coinbases on the way follow from the schedule: 1,000 STX a Bitcoin block, 500 from height 945,000 to 960,229; one without a winner hands its coinbase on.',
  misleads:
    'Before Nakamoto rewards matured after 100 Stacks blocks, and the first 10,000 had a bonus: the part on the way is an estimate there.',
  ...figuresSql({
    metric: 'supply.total',
    type: 'Int64',
    chain: {
      ctes: [knownSince(GENESIS, 'events', 'miner_rewards'), SUPPLY],
      select: `SELECT
      s.day AS day, s.key AS key,
      s.value + ${emittedBy('b.burn_height')} - ${emittedBy('greatest(toInt64(b.burn_height) - 100, 666050)')} AS value,
      s.state AS state, s.source AS source, s.from_height AS from_height, s.to_height AS to_height, s.as_of AS as_of
    FROM (
    ${stockOfKeys('supply', [''], 'stacks.chain')}
    ) AS s
    INNER JOIN (
      SELECT height, burn_height FROM stx_blocks WHERE height IN (SELECT to_height FROM stx_block_days)
    ) AS b ON b.height = s.to_height`,
      isRatio: false,
    },
  }),
})

/** CTE `locked`: STX under lock after each Bitcoin height at which a lock began, changed or ended. */
const LOCKED = `locks AS (
    SELECT
      toInt64(l.amount_ustx) AS amount, b.burn_height AS start,
      least(
        l.unlock_height,
        if(leadInFrame(b.burn_height) OVER own = 0, l.unlock_height, leadInFrame(b.burn_height) OVER own),
        multiIf(
          b.burn_height < 781552, 781552, b.burn_height < 787652, 787652,
          b.burn_height < 840361, 840361, b.burn_height < 960230, 960230, 4294967295
        )
      ) AS until
    FROM stx_locks AS l
    INNER JOIN (SELECT height, burn_height FROM stx_blocks) AS b ON b.height = l.height
    WINDOW own AS (PARTITION BY l.stacker ORDER BY l.height, l.event_index ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING)
  ),
  locked AS (
    SELECT burn_height, sum(change) OVER (ORDER BY burn_height) AS total
    FROM (
      SELECT moved.1 AS burn_height, sum(moved.2) AS change
      FROM (SELECT arrayJoin([(start, amount), (toUInt32(greatest(until, start)), -amount)]) AS moved FROM locks)
      GROUP BY burn_height
    )
  ),
  ends AS (
    SELECT k.day AS day, k.from_height AS from_height, k.to_height AS to_height, k.as_of AS as_of, k.state AS state, b.burn_height AS burn_height
    FROM known AS k
    INNER JOIN (
      SELECT height, burn_height FROM stx_blocks WHERE height IN (SELECT to_height FROM stx_block_days)
    ) AS b ON b.height = k.to_height
  )`

/** The first block, whole or not: locks need no genesis allocation. */
export const FIRST_BLOCK =
  'SELECT min(b.height) AS height FROM stx_blocks AS b WHERE b.height <= 1 HAVING count() > 0'

export const supplyLocked = metric({
  ...ofSupply,
  id: 'supply.locked',
  name: 'STX locked by PoX',
  definition: 'STX under lock at the end of the UTC day.',
  why: 'STX that cannot be sold.',
  how: 'The latest lock of each stacker that has not ended by its unlock height, by the next lock, or because its PoX version was replaced.',
  misleads: 'Not the amount stacked in the cycle, because a lock starts before its first cycle.',
  ...figuresSql({
    metric: 'supply.locked',
    type: 'Int64',
    chain: {
      ctes: [knownSince(FIRST_BLOCK, 'events'), LOCKED],
      select: `SELECT
      e.day AS day, '' AS key, t.total AS value, e.state AS state, 'stacks.chain' AS source,
      e.from_height AS from_height, e.to_height AS to_height, e.as_of AS as_of
    FROM (SELECT *, 1 AS one FROM ends) AS e
    ASOF LEFT JOIN (SELECT *, 1 AS one FROM locked) AS t ON t.one = e.one AND t.burn_height <= e.burn_height
    WHERE e.day ${RANGE}`,
      isRatio: false,
    },
  }),
  needs:
    'Needs every Stacks block from the first one on, without a gap: load an archive of events, or let a node that starts at genesis post its events.',
})

export const poxStackedShare = metric({
  ...ofSupply,
  id: 'pox.stacked_share',
  name: 'Share of STX stacked',
  unit: 'ratio',
  definition:
    'STX stacked in a reward cycle ÷ STX in being at the end of the UTC day on which its reward set was fixed.',
  why: 'Share of the supply that secures the chain.',
  how: 'pox.stacked of the reward set (from PoX-4 on) ÷ supply.liquid.',
  misleads: 'Lost keys and locked allocations are in the denominator.',
  sql: `WITH
  ${[knownSince(GENESIS, 'events', 'miner_rewards'), SUPPLY].join(',\n  ')}
SELECT
  s.day AS day, '' AS key, toFloat64(c.stacked) / nullIf(toFloat64(s.value), 0) AS value,
  s.state AS state, s.source AS source, s.from_height AS from_height, s.to_height AS to_height, s.as_of AS as_of
FROM (
    ${stockOfKeys('supply', [''], 'stacks.chain')}
) AS s
INNER JOIN (
  SELECT toDate(block_time) AS day, max(stacked_ustx) AS stacked FROM stx_cycles WHERE stacked_ustx > 0 GROUP BY day
) AS c ON c.day = s.day
ORDER BY day`,
  calendar: 'reported',
})

export const nftHolders = metric({
  ...fromStacks,
  id: 'nft.holders',
  name: 'Holders of NFTs',
  unit: 'addresses',
  breakdown: { name: 'collection', values: [] },
  headline: 'all',
  definition:
    'Principals that hold an NFT as of the latest indexed block, in total and for the 100 collections with the most holders.',
  why: 'How widely collections are distributed.',
  how: 'Distinct owners by the latest transfer of each NFT; requires every block from the first one on.',
  misleads:
    'A marketplace contract is one holder for all NFTs in it. BNS names count. The day is that of the latest block, with no past days.',
  sql: `WITH
  ${knownSince(FIRST_BLOCK, 'events')},
  newest AS (SELECT day, from_height, to_height, as_of, state FROM known ORDER BY day DESC LIMIT 1),
  held AS (
    SELECT arrayJoin([('all', owner), (asset, owner)]) AS one FROM stx_nft_owners
  ),
  counted AS (
    SELECT one.1 AS key, uniqExact(one.2) AS value FROM held GROUP BY key ORDER BY value DESC, key LIMIT 101
  )
SELECT
  n.day AS day, c.key AS key, toInt64(c.value) AS value, n.state AS state, 'stacks.chain' AS source,
  n.from_height AS from_height, n.to_height AS to_height, n.as_of AS as_of
FROM newest AS n
INNER JOIN counted AS c ON true
WHERE n.day ${RANGE}
ORDER BY day, key`,
  calendar: 'reported',
  aggregate: 'last',
  needs: supplyLocked.needs,
  references: tokens,
})

export const TOKEN_METRICS = [
  supplyLiquid,
  supplyTotal,
  supplyLocked,
  poxStackedShare,
  tokensTransfers,
  nftMints,
  nftHolders,
] as const
