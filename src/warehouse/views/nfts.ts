import { sqlString } from '../types.ts'
import { type View, view } from '../view.ts'

const SALE = {
  height: 'block height',
  block_time: 'time of the block, UTC',
  nft_count: 'NFTs that moved in its transaction: with more than one the price of each is not known',
} as const

/** Markets that keep what is listed and name its collection: anybody may print the same, so those of Tradeport alone count. */
const TRADEPORT = ['v5', 'v6']
  .map(version => sqlString(`SP2KAF9RF86PVX3NEE27DFV1CQX0T4WGR41X3S45C.byzantion-market-${version}`))
  .join(', ')

/**
 * Contracts of NFTs print what is listed in the same words since 2021 (Gamma’s pattern: `list-in-ustx`, `unlist-in-ustx`,
 * `buy-in-ustx` in `a`), Tradeport’s own markets in theirs. Where an NFT was bought the price is what was paid, whoever's
 * market it was.
 */
const listings = view('stx_nft_listings', {
  doc: 'One row per NFT on Stacks that is offered for STX as of the newest block held: by the newest print about it, unless it has moved since.',
  columns: {
    contract: 'contract of the collection',
    token_repr: 'which one, as readable text',
    price_ustx: 'asked for it, micro-STX; fees of the market may come on top',
    market: 'contract that told of the offer',
    height: 'block of the offer',
    block_time: 'its time, UTC',
  },
  sql: `WITH
  told AS (
    SELECT
      f.contract AS market, f.height AS height, f.event_index AS event_index, any(f.txid) AS txid, any(f.block_time) AS block_time,
      anyIf(f.text_value, f.path IN ('a', 'action')) AS action,
      if(anyIf(f.text_value, f.path = 'a') != '', f.contract, anyIf(f.text_value, f.path = 'data.collection-id')) AS collection,
      anyIf(f.uint_value, f.path IN ('id', 'data.item-id')) AS id,
      anyIf(f.uint_value, f.path IN ('price', 'data.price')) AS price
    FROM stx_print_fields AS f
    WHERE (f.contract IN (${TRADEPORT}) OR f.path IN ('a', 'id', 'price'))
      AND f.path IN ('a', 'action', 'id', 'price', 'data.collection-id', 'data.item-id', 'data.price')
    GROUP BY f.contract, f.height, f.event_index
    HAVING action IN (
        'list-in-ustx', 'unlist-in-ustx', 'buy-in-ustx', 'list-item', 'change-price', 'unlist-item', 'admin-unlist',
        'buy-item', 'accept-bid'
      ) AND id IS NOT NULL
  ),
  newest AS (
    SELECT
      replaceOne(splitByString('::', collection)[1], '\\'', '') AS contract, concat('u', toString(assumeNotNull(t.id))) AS token_repr,
      argMax(t.action, (t.height, t.event_index)) AS action, argMax(t.price, (t.height, t.event_index)) AS price,
      argMax(t.market, (t.height, t.event_index)) AS market, argMax(t.txid, (t.height, t.event_index)) AS txid,
      max((t.height, t.event_index)) AS place, max(t.block_time) AS block_time
    FROM told AS t
    GROUP BY contract, token_repr
  ),
  moves AS (
    SELECT
      splitByString('::', asset)[1] AS contract, token_repr, max((m.height, m.event_index)) AS place,
      argMax(m.txid, (m.height, m.event_index)) AS txid
    FROM stx_transfers AS m
    WHERE m.standard = 'nft'
    GROUP BY contract, token_repr
  )
SELECT
  n.contract AS contract, n.token_repr AS token_repr, assumeNotNull(n.price) AS price_ustx, n.market AS market,
  n.place.1 AS height, n.block_time AS block_time
FROM newest AS n
LEFT JOIN moves AS m ON m.contract = n.contract AND m.token_repr = n.token_repr
WHERE n.action IN ('list-in-ustx', 'list-item', 'change-price') AND n.price > 0
  AND (m.place <= n.place OR m.txid = n.txid)`,
})

const stxSales = view('stx_nft_sales', {
  doc: 'One row per NFT on Stacks that changed hands for STX in one transaction.',
  columns: {
    ...SALE,
    event_index: 'position of the movement in its block',
    txid: 'txid',
    asset: '`address.contract::asset`',
    token_repr: 'which one, as readable text',
    seller: 'who had it; a marketplace’s contract where that kept it',
    buyer: 'who got it',
    price_ustx:
      'what the buyer paid in the transaction, fees of the market in; where he had paid before, what the seller got; micro-STX; null with more than one NFT',
    market: 'contract that was called',
  },
  sql: `SELECT
  n.height AS height, n.block_time AS block_time, n.nft_count AS nft_count, n.event_index AS event_index, n.txid AS txid,
  n.asset AS asset, n.token_repr AS token_repr, n.seller AS seller, n.buyer AS buyer,
  if(n.nft_count = 1, toNullable(if(p.paid > 0, p.paid, p.got)), NULL) AS price_ustx, t.contract AS market
FROM (
  SELECT
    height, block_time, event_index, txid, asset, token_repr, assumeNotNull(sender) AS seller,
    assumeNotNull(recipient) AS buyer, count() OVER (PARTITION BY height, txid) AS nft_count
  FROM stx_transfers
  WHERE standard = 'nft' AND action = 'transfer' AND sender IS NOT NULL AND recipient IS NOT NULL
) AS n
INNER JOIN (
  SELECT
    m.height AS height, m.txid AS txid, m.event_index AS event_index,
    sumIf(s.amount, s.sender = m.recipient AND s.recipient != m.recipient) AS paid,
    sumIf(s.amount, s.recipient = m.sender AND position(s.sender, '.') > 0) AS got
  FROM stx_transfers AS m
  INNER JOIN (
    SELECT height, txid, sender, recipient, amount
    FROM stx_transfers
    WHERE standard = 'stx' AND action = 'transfer'
  ) AS s ON s.height = m.height AND s.txid = m.txid
  WHERE m.standard = 'nft' AND m.action = 'transfer'
  GROUP BY m.height, m.txid, m.event_index
  HAVING paid > 0 OR got > 0
) AS p ON p.height = n.height AND p.txid = n.txid AND p.event_index = n.event_index
LEFT JOIN (
  SELECT height, txid, assumeNotNull(contract) AS contract FROM stx_txs WHERE kind = 'contract_call' AND contract IS NOT NULL
) AS t ON t.height = n.height AND t.txid = n.txid`,
})

const evmSales = view('evm_nft_sales', {
  doc: 'One row per NFT (ERC-721) on an EVM layer that went to the sender of a transaction that carried coin.',
  columns: {
    chain: 'the layer, as its file in the catalog is named',
    ...SALE,
    log_index: 'position of the movement in its block',
    tx_hash: 'transaction hash',
    token: 'contract of the collection',
    token_id: 'which one',
    seller: 'who had it',
    buyer: 'who got it',
    price_wei: 'what the transaction carried, wei; null with more than one NFT',
    market: 'contract that was called',
  },
  sql: `SELECT
  n.chain AS chain, n.height AS height, n.block_time AS block_time, n.nft_count AS nft_count, n.log_index AS log_index,
  n.tx_hash AS tx_hash, n.token AS token, n.token_id AS token_id, n.seller AS seller, n.buyer AS buyer,
  if(n.nft_count = 1, toNullable(t.value_wei), NULL) AS price_wei, t.market AS market
FROM (
  SELECT
    chain, height, block_time, tx_index, log_index, tx_hash, token, assumeNotNull(token_id) AS token_id, sender AS seller,
    recipient AS buyer, count() OVER (PARTITION BY chain, height, tx_index) AS nft_count
  FROM evm_transfers
  WHERE standard = 'erc721' AND token_id IS NOT NULL AND sender != toFixedString(unhex(repeat('00', 20)), 20)
) AS n
INNER JOIN (
  SELECT chain, height, tx_index, sender, value_wei, assumeNotNull(recipient) AS market
  FROM evm_txs
  WHERE value_wei > 0 AND recipient IS NOT NULL AND ifNull(is_success, true)
) AS t ON t.chain = n.chain AND t.height = n.height AND t.tx_index = n.tx_index
WHERE n.buyer = t.sender`,
})

/** What NFTs were sold for and what they are offered for. */
export const NFT_VIEWS: readonly View[] = [listings, stxSales, evmSales]
