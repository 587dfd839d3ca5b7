import { RANGE } from '../chainFigures.ts'
import { figuresSql } from '../figuresSql.ts'
import { metric, SUM_OF_KEYS } from '../metric.ts'
import { fromStacks, perStacksDay, sip, stacksState } from './common.ts'
import { knownSince } from './stocks.ts'
import { FIRST_BLOCK } from './tokens.ts'

const nfts = [sip(9, 'Non-fungible tokens')]

/** Days without a sale have their row: 0 is known. */
const SALES = `(
      SELECT d.bucket AS bucket, s.sales AS sales, s.paid AS paid
      FROM stx_block_days AS d
      LEFT JOIN (
        SELECT toDate(block_time) AS day, count() AS sales, sum(ifNull(price_ustx, 0)) AS paid
        FROM stx_nft_sales
        GROUP BY day
      ) AS s ON s.day = d.bucket
    )`

const sales = {
  ...fromStacks,
  how: 'NFTs transferred in a transaction in which the new owner pays STX, or in which a contract pays the previous owner (an accepted bid), on any marketplace.',
  misleads:
    'Trades with oneself look like any other, and a contract that hands out an NFT for a fee looks like a shop. Sales for tokens are not counted.',
  aggregate: 'sum',
  references: nfts,
} as const

export const nftSales = metric({
  ...sales,
  id: 'nft.sales',
  name: 'NFTs sold',
  unit: 'n',
  definition: 'NFTs that changed hands for STX on the UTC day.',
  why: 'Whether collections are traded, beyond being minted and moved.',
  ...figuresSql({
    metric: 'nft.sales',
    type: 'Int64',
    chain: perStacksDay({ table: SALES, needs: ['events'], value: 'r.sales' }),
  }),
})

export const nftVolume = metric({
  ...sales,
  id: 'nft.volume',
  name: 'Paid for NFTs',
  unit: 'uSTX',
  definition: 'STX paid for NFTs on the UTC day, of sales in which one NFT moved; fees of the market are in.',
  why: 'How much money is in the trade of collections.',
  ...figuresSql({
    metric: 'nft.volume',
    type: 'Int64',
    chain: perStacksDay({ table: SALES, needs: ['events'], value: 'r.paid' }),
  }),
})

export const mintsRate = metric({
  ...fromStacks,
  id: 'mints.rate',
  name: 'NFTs minted an hour',
  unit: 'mints/h',
  definition: 'NFTs that were made on the UTC day ÷ 24.',
  why: 'How fast collections are made now, in the measure in which a drop is felt.',
  how: 'nft.mints of the day, per hour. See /dashboards/discovermints for the collections.',
  misleads: 'Protocols mint NFTs as receipts, and one drop may be most of a day.',
  ...figuresSql({
    metric: 'mints.rate',
    type: 'Float64',
    chain: perStacksDay({
      needs: ['events'],
      value: 'toFloat64(sum(r.move_count)) / 24',
      table: 'stx_transfer_days',
      where: "r.standard = 'nft' AND r.action = 'mint'",
      isSum: true,
    }),
  }),
  aggregate: 'mean',
  references: nfts,
})

/** The day of the newest block, with the heights held up to it. */
const NEWEST = `newest AS (
    SELECT
      bucket AS day, from_height, to_height, last_time AS as_of,
      ${stacksState('bucket', 'events')} AS state
    FROM stx_block_days
    ORDER BY bucket DESC
    LIMIT 1
  )`

export const nftFloor = metric({
  ...fromStacks,
  id: 'nft.floor',
  name: 'Floor of NFT collections',
  unit: 'uSTX',
  breakdown: { name: 'collection', values: [] },
  headline: 'median',
  definition:
    'Lowest asking price for an NFT of a collection as of the latest indexed block, of the 100 collections with the most offers, and the median of these.',
  why: 'The minimum cost of owning one.',
  how: 'Offers that contracts print (`list-in-ustx`, and those of Tradeport’s markets) and that nothing has ended since: no purchase, no withdrawal, no movement of the NFT.',
  misleads:
    'One cheap offer sets the floor. Offers from before the indexed blocks are missing. The day is that of the latest block, with no past days.',
  sql: `WITH
  ${NEWEST},
  floors AS (
    SELECT contract AS key, min(price_ustx) AS value, count() AS offers
    FROM stx_nft_listings
    GROUP BY key
    ORDER BY offers DESC, key
    LIMIT 100
  )
SELECT
  n.day AS day, f.key AS key, toInt64(f.value) AS value, n.state AS state, 'stacks.chain' AS source,
  n.from_height AS from_height, n.to_height AS to_height, n.as_of AS as_of
FROM newest AS n
INNER JOIN (
  SELECT key, value FROM floors
  UNION ALL
  SELECT 'median' AS key, sorted[intDiv(length(sorted) + 1, 2)] AS value
  FROM (SELECT arraySort(groupArray(value)) AS sorted FROM floors)
  WHERE notEmpty(sorted)
) AS f ON true
WHERE n.day ${RANGE}
ORDER BY day, key`,
  calendar: 'reported',
  aggregate: 'last',
  references: nfts,
})

export const nftListedShare = metric({
  ...fromStacks,
  id: 'nft.listed_share',
  name: 'Share of NFTs on offer',
  unit: 'ratio',
  breakdown: { name: 'collection', values: [] },
  headline: 'all',
  definition:
    'NFTs offered for STX as of the latest indexed block ÷ all NFTs of the collection, of the 100 collections with the most offers, and of all with an offer.',
  why: 'How many holders want to be rid of theirs.',
  how: 'Open offers as in nft.floor ÷ NFTs with an owner; requires every block from the first one on.',
  misleads: 'An offer far above the floor shows no real intent to sell. No past days.',
  sql: `WITH
  ${knownSince(FIRST_BLOCK, 'events')},
  newest AS (SELECT day, from_height, to_height, as_of, state FROM known ORDER BY day DESC LIMIT 1),
  offered AS (SELECT contract, count() AS offers FROM stx_nft_listings GROUP BY contract),
  owned AS (
    SELECT splitByString('::', asset)[1] AS contract, count() AS items FROM stx_nft_owners GROUP BY contract
  ),
  shares AS (
    SELECT o.contract AS key, o.offers AS offers, w.items AS items
    FROM offered AS o
    INNER JOIN owned AS w ON w.contract = o.contract
  )
SELECT
  n.day AS day, s.key AS key, toFloat64(s.offers) / s.items AS value, n.state AS state, 'stacks.chain' AS source,
  n.from_height AS from_height, n.to_height AS to_height, n.as_of AS as_of
FROM newest AS n
INNER JOIN (
  SELECT key, offers, items FROM shares ORDER BY offers DESC, key LIMIT 100
  UNION ALL
  SELECT 'all' AS key, sum(offers) AS offers, sum(items) AS items FROM shares HAVING items > 0
) AS s ON true
WHERE n.day ${RANGE}
ORDER BY day, key`,
  calendar: 'reported',
  aggregate: 'last',
  needs: 'Needs every Stacks block from the first one on, without a gap: load an archive of events.',
  references: nfts,
})

/** Whole days of what is kept by the hour: the first of them may have lost its beginning. */
const NESTED = `(
      SELECT toDate(hour) AS bucket, contract, sum(call_count) AS calls
      FROM nested_hours
      WHERE chain = 'stacks' AND toDate(hour) > (SELECT min(toDate(hour)) FROM call_hour_runs WHERE chain = 'stacks')
      GROUP BY bucket, contract
    )`

export const callsNested = metric({
  ...fromStacks,
  id: 'calls.nested',
  name: 'Calls inside other contracts',
  unit: 'calls',
  breakdown: { name: 'contract', values: [] },
  headline: SUM_OF_KEYS,
  definition:
    'Transactions of the UTC day that called another contract and in which this one ran, of the latest fifteen indexed days.',
  why: 'Tokens, vaults and oracles are used by contracts, which calls do not show.',
  how: 'A contract ran if it printed, if a token that it defines moved, or if something was sent in its name; once a transaction.',
  misleads:
    'Reads leave no trace, so it is a floor. A contract that prints much is not used more than one that keeps silent.',
  ...figuresSql({
    metric: 'calls.nested',
    type: 'Int64',
    chain: perStacksDay({ table: NESTED, needs: ['events'], key: 'r.contract', value: 'r.calls' }),
  }),
  aggregate: 'sum',
  references: [sip(2, 'The Clarity smart contract language')],
})

export const NFT_METRICS = [nftSales, nftVolume, mintsRate, nftFloor, nftListedShare, callsNested] as const
