import { isoOf, type Reader, readRows } from '../readRows.ts'
import type { ChainId } from './chains.ts'
import { type ChainHeld, countedOver, countOfDays, readHeld } from './chains.ts'
import type { KnownContract, Names } from './names.ts'

/** A collection of NFTs, by what is held of it. Amounts are in the smallest unit of the chain’s coin. */
export type Collection = {
  chain: ChainId
  /** `address.contract::asset` on Stacks, 0x and the contract on EVM layers. */
  asset: string
  contract: string
  known: KnownContract | null
  /** As it says of itself. */
  name: string | null
  /** What the public metadata service has read of it, as text; null where it was not asked or says nothing. */
  described: { name: string | null; picture: string | null } | null
  /** NFTs that moved and were not destroyed, and who has them by their newest movement; null where there are none and more may exist. */
  itemCount: number | null
  holderCount: number | null
  /** Everything since its contract was made is held: items and holders are all there are. */
  isWhole: boolean
  /**
   * Null where none is indexed and blocks of the window are missing; so are the other counts. Above 0 they are of the
   * indexed blocks alone (`indexedHours` of the chain) unless `isWhole`.
   */
  mintCount30d: number | null
  transferCount30d: number | null
  saleCount7d: number | null
  saleCount30d: number | null
  /** Of sales whose price is known. */
  volume7d: string | null
  volume30d: string | null
  /** Lowest price asked; null where offers are not on chain, or there are none. Offers: null too where older ones may exist. */
  floor: string | null
  listedCount: number | null
  lastSale: string | null
}

export type NftSale = {
  chain: ChainId
  asset: string
  contract: string
  token: string
  price: string | null
  nftCount: number
  seller: string
  buyer: string
  market: string
  txHash: string
  time: string
}

export type Collections = {
  items: Collection[]
  sales: NftSale[]
  held: ChainHeld[]
}

const SHOWN = 200
const SALES_SHOWN = 50

const NOW_STX = '(SELECT max(block_time) FROM stx_blocks)'

/** Of each asset on Stacks: movements, owners, sales, offers. */
const STACKS = `SELECT
  'stacks' AS chain, m.asset AS asset, splitByString('::', m.asset)[1] AS contract,
  o.items AS itemCount, o.holders AS holderCount, m.mints AS mintCount30d, m.moves AS transferCount30d,
  s.sales7 AS saleCount7d, s.sales30 AS saleCount30d, toString(s.volume7) AS volume7d, toString(s.volume30) AS volume30d,
  if(l.listed > 0, toString(l.floor), NULL) AS floor, toNullable(l.listed) AS listedCount, s.last AS lastS
FROM (
  SELECT
    asset, countIf(action = 'mint' AND block_time > ${NOW_STX} - 2592000) AS mints,
    countIf(action = 'transfer' AND block_time > ${NOW_STX} - 2592000) AS moves
  FROM stx_transfers
  WHERE standard = 'nft'
  GROUP BY asset
) AS m
LEFT JOIN (SELECT asset, count() AS items, uniqExact(owner) AS holders FROM stx_nft_owners GROUP BY asset) AS o ON o.asset = m.asset
LEFT JOIN (
  SELECT
    asset, countIf(block_time > ${NOW_STX} - 604800) AS sales7, countIf(block_time > ${NOW_STX} - 2592000) AS sales30,
    sumIf(ifNull(price_ustx, 0), block_time > ${NOW_STX} - 604800) AS volume7,
    sumIf(ifNull(price_ustx, 0), block_time > ${NOW_STX} - 2592000) AS volume30, toUnixTimestamp(max(block_time)) AS last
  FROM stx_nft_sales
  GROUP BY asset
) AS s ON s.asset = m.asset
LEFT JOIN (
  SELECT contract, count() AS listed, min(price_ustx) AS floor FROM stx_nft_listings GROUP BY contract
) AS l ON l.contract = splitByString('::', m.asset)[1]
ORDER BY s.volume30 DESC, transferCount30d + mintCount30d DESC, asset
LIMIT ${SHOWN}`

const EVM_NOW = '(SELECT chain, max(block_time) AS now_at FROM evm_blocks GROUP BY chain)'
const shown = (address: string): string => `concat('0x', lower(hex(${address})))`

const LAYERS = `SELECT
  toString(m.chain) AS chain, ${shown('m.token')} AS asset, ${shown('m.token')} AS contract,
  o.items AS itemCount, o.holders AS holderCount, m.mints AS mintCount30d, m.moves AS transferCount30d,
  s.sales7 AS saleCount7d, s.sales30 AS saleCount30d, toString(s.volume7) AS volume7d, toString(s.volume30) AS volume30d,
  CAST(NULL, 'Nullable(String)') AS floor, CAST(NULL, 'Nullable(UInt64)') AS listedCount, s.last AS lastS
FROM (
  SELECT
    t.chain AS chain, t.token AS token,
    countIf(t.sender = toFixedString(unhex(repeat('00', 20)), 20) AND t.block_time > n.now_at - 2592000) AS mints,
    countIf(t.sender != toFixedString(unhex(repeat('00', 20)), 20) AND t.block_time > n.now_at - 2592000) AS moves
  FROM evm_transfers AS t
  INNER JOIN ${EVM_NOW} AS n ON n.chain = t.chain
  WHERE t.standard = 'erc721'
  GROUP BY chain, token
) AS m
LEFT JOIN (
  SELECT chain, token, countIf(owner != '') AS items, uniqExactIf(owner, owner != '') AS holders
  FROM (
    SELECT
      chain, token, token_id,
      argMax(if(recipient = toFixedString(unhex(repeat('00', 20)), 20), '', hex(recipient)), (height, log_index)) AS owner
    FROM evm_transfers
    WHERE standard = 'erc721'
    GROUP BY chain, token, token_id
  )
  GROUP BY chain, token
) AS o ON o.chain = m.chain AND o.token = m.token
LEFT JOIN (
  SELECT
    s.chain AS chain, s.token AS token, countIf(s.block_time > n.now_at - 604800) AS sales7,
    countIf(s.block_time > n.now_at - 2592000) AS sales30,
    sumIf(ifNull(s.price_wei, 0), s.block_time > n.now_at - 604800) AS volume7,
    sumIf(ifNull(s.price_wei, 0), s.block_time > n.now_at - 2592000) AS volume30,
    toUnixTimestamp(max(s.block_time)) AS last
  FROM evm_nft_sales AS s
  INNER JOIN ${EVM_NOW} AS n ON n.chain = s.chain
  GROUP BY chain, token
) AS s ON s.chain = m.chain AND s.token = m.token
ORDER BY s.volume30 DESC, transferCount30d + mintCount30d DESC, chain, asset
LIMIT ${SHOWN}`

const SALES = `SELECT chain, asset, contract, token, price, nftCount, seller, buyer, market, txHash, timeS
FROM (
  SELECT
    'stacks' AS chain, asset, splitByString('::', asset)[1] AS contract, token_repr AS token, toString(price_ustx) AS price,
    nft_count AS nftCount, seller, buyer, market, lower(hex(txid)) AS txHash, toUnixTimestamp(block_time) AS timeS
  FROM stx_nft_sales
  ORDER BY height DESC, event_index DESC
  LIMIT ${SALES_SHOWN}
  UNION ALL
  SELECT
    toString(e.chain), ${shown('e.token')}, ${shown('e.token')}, toString(e.token_id), toString(e.price_wei), e.nft_count,
    ${shown('e.seller')}, ${shown('e.buyer')}, ${shown('e.market')}, ${shown('e.tx_hash')}, toUnixTimestamp(e.block_time) AS timeS
  FROM evm_nft_sales AS e
  ORDER BY timeS DESC
  LIMIT ${SALES_SHOWN}
)
ORDER BY timeS DESC, txHash
LIMIT ${SALES_SHOWN}`

type Row = Omit<
  Collection,
  | 'known'
  | 'name'
  | 'described'
  | 'isWhole'
  | 'lastSale'
  | `volume${string}`
  | `${string}Count`
  | `${string}Count30d`
  | `${string}Count7d`
> & {
  lastS: number
  volume7d: string
  volume30d: string
  itemCount: string
  holderCount: string
  mintCount30d: string
  transferCount30d: string
  saleCount7d: string
  saleCount30d: string
  listedCount: string | null
}

/** Collections with the most sales of thirty days, then with the most movements; and the newest sales. */
export async function readCollections(
  reader: Reader,
  chains: readonly ChainId[],
  names: Names,
  { chain }: { chain?: ChainId },
): Promise<Collections> {
  const [held, stacks, layers, sales, said, made, described] = await Promise.all([
    readHeld(reader, chains),
    chain === undefined || chain === 'stacks' ? readRows<Row>(reader, STACKS) : [],
    chain === 'stacks' ? [] : readRows<Row>(reader, LAYERS),
    readRows<Omit<NftSale, 'time' | 'nftCount'> & { timeS: number; nftCount: string }>(reader, SALES),
    readRows<{ chain: string; contract: string; name: string | null }>(reader, SAID),
    readRows<{ chain: string; contract: string; height: number }>(reader, MADE),
    chain === undefined || chain === 'stacks' ? readRows<DescribedRow>(reader, DESCRIBED) : [],
  ])
  const wanted = <Of extends { chain: string }>(rows: readonly Of[]): Of[] =>
    rows.filter(row => chain === undefined || row.chain === chain)
  const nameOf = new Map(said.map(row => [`${row.chain} ${row.contract}`, row.name]))
  const madeAt = new Map(made.map(row => [`${row.chain} ${row.contract}`, row.height]))
  const wordsOf = new Map(described.map(({ contract, ...words }) => [`stacks ${contract}`, words]))
  const runs = new Map(held.map(run => [run.chain as string, run]))
  return {
    held: wanted(held).filter(run => run.chain !== 'bitcoin'),
    items: wanted([...stacks, ...layers]).map(({ lastS, ...row }) => {
      const key = `${row.chain} ${row.contract}`
      const run = runs.get(row.chain)
      const isWhole = run !== undefined && (run.isSinceGenesis || (madeAt.get(key) ?? -1) >= run.sinceHeight)
      // A collection made within the run has no blocks before it.
      const count = (of: string, days: number) => (isWhole ? Number(of) : countOfDays(run, of, days))
      const sales = { of7d: count(row.saleCount7d, 7), of30d: count(row.saleCount30d, 30) }
      return {
        ...row,
        known: names(row.chain, row.contract),
        name: nameOf.get(key) ?? null,
        described: wordsOf.get(key) ?? null,
        isWhole,
        itemCount: countedOver(Number(row.itemCount), isWhole),
        holderCount: countedOver(Number(row.holderCount), isWhole),
        mintCount30d: count(row.mintCount30d, 30),
        transferCount30d: count(row.transferCount30d, 30),
        saleCount7d: sales.of7d,
        saleCount30d: sales.of30d,
        volume7d: sales.of7d === null ? null : row.volume7d,
        volume30d: sales.of30d === null ? null : row.volume30d,
        listedCount: row.listedCount === null ? null : countedOver(Number(row.listedCount), isWhole),
        lastSale: lastS === 0 ? null : isoOf(lastS),
      }
    }),
    sales: wanted(sales).map(({ timeS, nftCount, ...sale }) => ({
      ...sale,
      nftCount: Number(nftCount),
      time: isoOf(timeS),
    })),
  }
}

/** What collections call themselves. */
const SAID = `SELECT 'stacks' AS chain, contract, name FROM stx_tokens WHERE name IS NOT NULL
UNION ALL
SELECT toString(chain) AS chain, concat('0x', lower(hex(e.token))) AS contract, e.name AS name
FROM evm_tokens AS e
WHERE e.name IS NOT NULL`

type DescribedRow = { contract: string; name: string | null; picture: string | null }

/** What the public metadata service has read of collections: anyone may write it. */
const DESCRIBED = `SELECT contract, name, image_url AS picture
FROM stx_token_metadata
WHERE source = 'stacks.nfts' AND (name IS NOT NULL OR image_url IS NOT NULL)
ORDER BY contract, asked_at DESC
LIMIT 1 BY contract`

/** Where the contracts of NFTs were made, as far as that is held. */
const MADE = `SELECT 'stacks' AS chain, contract, min(height) AS height
FROM stx_contracts
WHERE contract IN (SELECT splitByString('::', asset)[1] FROM stx_transfers WHERE standard = 'nft')
GROUP BY contract
UNION ALL
SELECT toString(c.chain) AS chain, concat('0x', lower(hex(c.contract))) AS contract, min(c.height) AS height
FROM evm_contracts AS c
WHERE (c.chain, c.contract) IN (SELECT chain, token FROM evm_transfers WHERE standard = 'erc721')
GROUP BY c.chain, c.contract`
