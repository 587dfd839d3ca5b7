import { isoOf, type Reader, readRows } from '../readRows.ts'
import { type ChainHeld, type ChainId, countOfDays, coversDays, readHeld } from './chains.ts'
import type { KnownContract, Names } from './names.ts'

/** What a reader should look at before he mints; each follows from rows. */
export const MINT_FLAGS = [
  'few minters',
  'creator mints most',
  'mints fail',
  'copied code',
  'no name',
  'contract not held',
] as const
export type MintFlag = (typeof MINT_FLAGS)[number]

/** Something that is being minted: NFTs of a collection, or a fungible token. */
export type Mint = {
  chain: ChainId
  asset: string
  contract: string
  known: KnownContract | null
  name: string | null
  kind: 'nft' | 'token'
  /**
   * Null where none is indexed and blocks of the window are missing; so are the other counts. Above 0 they are of the
   * indexed blocks alone (`indexedHours` of the chain).
   */
  mintCount24h: number | null
  mintCount7d: number | null
  /** Mint events an hour over the newest 24 hours; null where blocks of them are missing. */
  ratePerHour: number | null
  /** Newest 24 hours ÷ those before − 1; null where there were none or they are not held. */
  growth: number | null
  minterCount7d: number | null
  /** Median of what minters paid in the transaction for each NFT, smallest unit of the coin; null for tokens, and where none paid. */
  price: string | null
  creator: string | null
  firstMint: string
  lastMint: string
  /** The first mint that is held is of the newest seven days, and nothing before is missing. */
  isNew: boolean
  /** Mints stopped and tries to mint fail: sold out or closed. */
  isOver: boolean
  flags: MintFlag[]
}

export type Mints = { items: Mint[]; held: ChainHeld[] }

const SHOWN = 200
const DAY = 86_400
const NOBODY = "toFixedString(unhex(repeat('00', 20)), 20)"
const shown = (address: string): string => `concat('0x', lower(hex(${address})))`

type Row = {
  chain: ChainId
  asset: string
  contract: string
  kind: Mint['kind']
  mints24h: string
  before24h: string
  mints7d: string
  minters7d: string
  topMinter: string
  topShare: number
  price: string | null
  firstS: number
  lastS: number
  nowS: number
  tries: string
  failed: string
}

/** Sums over mint events `e` of the newest seven days of a chain, with the time of its newest block. */
const SUMS = `countIf(e.at > e.now_at - ${DAY}) AS mints24h, countIf(e.at <= e.now_at - ${DAY} AND e.at > e.now_at - ${2 * DAY}) AS before24h,
    countIf(e.at > e.now_at - ${7 * DAY}) AS mints7d, uniqExactIf(e.minter, e.at > e.now_at - ${7 * DAY}) AS minters7d,
    topKIf(1)(e.minter, e.at > e.now_at - ${7 * DAY})[1] AS topMinter,
    toUnixTimestamp(min(e.at)) AS firstS, toUnixTimestamp(max(e.at)) AS lastS, toUnixTimestamp(any(e.now_at)) AS nowS`

const STACKS = `SELECT
  'stacks' AS chain, m.asset AS asset, splitByString('::', m.asset)[1] AS contract, m.kind AS kind,
  m.mints24h AS mints24h, m.before24h AS before24h, m.mints7d AS mints7d, m.minters7d AS minters7d, m.topMinter AS topMinter,
  m.firstS AS firstS, m.lastS AS lastS, m.nowS AS nowS,
  t.share AS topShare, if(p.prices > 0, toString(p.price), NULL) AS price, c.tries AS tries, c.failed AS failed
FROM (
  SELECT e.asset AS asset, any(e.kind) AS kind, ${SUMS}
  FROM (
    SELECT
      asset, if(standard = 'nft', 'nft', 'token') AS kind, recipient AS minter, block_time AS at,
      (SELECT max(block_time) FROM stx_blocks) AS now_at
    FROM stx_transfers
    WHERE action = 'mint' AND standard != 'stx'
  ) AS e
  GROUP BY asset
  HAVING mints7d > 0 OR lastS > nowS - ${30 * DAY}
) AS m
LEFT JOIN (
  SELECT asset, max(n) / sum(n) AS share
  FROM (
    SELECT asset, recipient, count() AS n
    FROM stx_transfers
    WHERE action = 'mint' AND standard != 'stx' AND block_time > (SELECT max(block_time) FROM stx_blocks) - ${7 * DAY}
    GROUP BY asset, recipient
  )
  GROUP BY asset
) AS t ON t.asset = m.asset
LEFT JOIN (
  -- Quantiles take no number of 128 bits.
  SELECT
    n.asset AS asset, arraySort(groupArray(intDiv(s.paid, n.nfts))) AS sorted, length(sorted) AS prices,
    sorted[intDiv(prices + 1, 2)] AS price
  FROM (
    SELECT asset, height, txid, any(recipient) AS minter, count() AS nfts
    FROM stx_transfers
    WHERE action = 'mint' AND standard = 'nft' AND block_time > (SELECT max(block_time) FROM stx_blocks) - ${7 * DAY}
    GROUP BY asset, height, txid
  ) AS n
  INNER JOIN (
    SELECT height, txid, sender, sum(amount) AS paid
    FROM stx_transfers
    WHERE standard = 'stx' AND action = 'transfer' AND block_time > (SELECT max(block_time) FROM stx_blocks) - ${7 * DAY}
    GROUP BY height, txid, sender
  ) AS s ON s.height = n.height AND s.txid = n.txid AND s.sender = n.minter
  GROUP BY asset
) AS p ON p.asset = m.asset
LEFT JOIN (
  SELECT contract, count() AS tries, countIf(is_success = false) AS failed
  FROM stx_calls
  WHERE (position(function_name, 'mint') > 0 OR position(function_name, 'claim') > 0)
    AND block_time > (SELECT max(block_time) FROM stx_blocks) - ${DAY}
  GROUP BY contract
) AS c ON c.contract = splitByString('::', m.asset)[1]
ORDER BY mints24h DESC, mints7d DESC, asset
LIMIT ${SHOWN}`

const LAYERS = `SELECT
  toString(m.chain) AS chain, ${shown('m.token')} AS asset, ${shown('m.token')} AS contract, m.kind AS kind,
  m.mints24h AS mints24h, m.before24h AS before24h, m.mints7d AS mints7d, m.minters7d AS minters7d,
  ${shown('m.topMinter')} AS topMinter, m.firstS AS firstS, m.lastS AS lastS, m.nowS AS nowS,
  m.topShare AS topShare, if(m.prices > 0, toString(m.middle), NULL) AS price, m.tries AS tries, m.failed AS failed
FROM (
  SELECT
    e.chain AS chain, e.token AS token, any(e.kind) AS kind, ${SUMS},
    0 AS tries, 0 AS failed,
    arrayMax(sumMapIf([e.minter], [toUInt64(1)], e.at > e.now_at - ${7 * DAY}).2) / greatest(mints7d, 1) AS topShare,
    arraySort(groupArrayIf(e.paid, e.paid > 0 AND e.at > e.now_at - ${7 * DAY})) AS paid_sorted,
    length(paid_sorted) AS prices, paid_sorted[intDiv(prices + 1, 2)] AS middle
  FROM (
    SELECT
      x.chain AS chain, x.token AS token, if(x.standard = 'erc20', 'token', 'nft') AS kind, x.recipient AS minter,
      x.block_time AS at, n.now_at AS now_at,
      if(x.standard = 'erc20', toUInt256(0), intDiv(t.value_wei, greatest(x.nfts, 1))) AS paid
    FROM (
      SELECT *, count() OVER (PARTITION BY chain, height, tx_index, token) AS nfts
      FROM evm_transfers
      WHERE sender = ${NOBODY}
    ) AS x
    INNER JOIN (SELECT chain, max(block_time) AS now_at FROM evm_blocks GROUP BY chain) AS n ON n.chain = x.chain
    LEFT JOIN (
      SELECT chain, height, tx_index, value_wei FROM evm_txs WHERE value_wei > 0
    ) AS t ON t.chain = x.chain AND t.height = x.height AND t.tx_index = x.tx_index
  ) AS e
  GROUP BY chain, token
  HAVING mints7d > 0 OR lastS > nowS - ${30 * DAY}
) AS m
ORDER BY mints24h DESC, mints7d DESC, chain, asset
LIMIT ${SHOWN}`

/** Who made the contracts, and how many have the same code. */
const MADE = `SELECT 'stacks' AS chain, contract, deployer, sipHash64(source_code) AS code, source_code = '' AS isUnread
FROM stx_contracts
UNION ALL
SELECT toString(c.chain), ${shown('c.contract')}, ${shown('c.creator')}, sipHash64(ifNull(hex(c.code_hash), '')), c.code_hash IS NULL
FROM evm_contracts AS c`
const COPIES = `SELECT chain, contract, deployer, isUnread, count() OVER (PARTITION BY chain, code) AS copies FROM (${MADE})`

const SAID = `SELECT 'stacks' AS chain, contract, ifNull(name, symbol) AS name FROM stx_tokens
UNION ALL
SELECT toString(e.chain), ${shown('e.token')}, ifNull(e.name, e.symbol) FROM evm_tokens AS e`

type Made = { chain: string; contract: string; deployer: string; isUnread: number; copies: string }

/** What is minted now, the most first. */
export async function readMints(
  reader: Reader,
  chains: readonly ChainId[],
  names: Names,
  { chain }: { chain?: ChainId },
): Promise<Mints> {
  const [held, stacks, layers] = await Promise.all([
    readHeld(reader, chains),
    chain === undefined || chain === 'stacks' ? readRows<Row>(reader, STACKS) : [],
    chain === 'stacks' ? [] : readRows<Row>(reader, LAYERS),
  ])
  const rows = [...stacks, ...layers].filter(row => chain === undefined || row.chain === chain)
  const contracts = [...new Set(rows.map(({ contract }) => contract))]
  const [made, said] =
    rows.length === 0
      ? [[], []]
      : await Promise.all([
          readRows<Made>(
            reader,
            `SELECT * FROM (${COPIES}) WHERE contract IN (SELECT arrayJoin([${contracts.map(one => `'${one}'`).join(', ')}]))`,
          ),
          readRows<{ chain: string; contract: string; name: string | null }>(reader, SAID),
        ])
  const makers = new Map(made.map(one => [`${one.chain} ${one.contract}`, one]))
  const words = new Map(said.map(one => [`${one.chain} ${one.contract}`, one.name]))
  const runs = new Map(held.map(run => [run.chain as string, run]))
  return {
    held: held.filter(run => run.chain !== 'bitcoin' && (chain === undefined || run.chain === chain)),
    items: rows
      .map(row => mintOf(row, names, makers.get(`${row.chain} ${row.contract}`), words, runs.get(row.chain)))
      .sort(
        (a, b) =>
          (b.mintCount24h ?? 0) - (a.mintCount24h ?? 0) || (b.mintCount7d ?? 0) - (a.mintCount7d ?? 0),
      ),
  }
}

/** From this share on one minter has most of it. */
const MOST = 0.5
const FEW_MINTERS = 5

function mintOf(
  row: Row,
  names: Names,
  maker: Made | undefined,
  words: ReadonlyMap<string, string | null>,
  run: ChainHeld | undefined,
): Mint {
  const [mints24h, before, mints7d] = [row.mints24h, row.before24h, row.mints7d].map(Number) as [
    number,
    number,
    number,
  ]
  const minters = Number(row.minters7d)
  const mintCount24h = countOfDays(run, mints24h, 1)
  // Who mints most is known only where every mint of the seven days is.
  const isWeekWhole = coversDays(run, 7)
  const [tries, failed] = [Number(row.tries), Number(row.failed)]
  const sinceS = run === undefined ? Number.POSITIVE_INFINITY : Date.parse(run.since) / 1000
  const name = words.get(`${row.chain} ${row.contract}`) ?? null
  const isFailing = tries >= 5 && failed / tries > MOST
  const flags: MintFlag[] = [
    ...(isWeekWhole && mints7d >= FEW_MINTERS && (minters < FEW_MINTERS || row.topShare > MOST)
      ? (['few minters'] as const)
      : []),
    ...(isWeekWhole && maker !== undefined && maker.deployer === row.topMinter && row.topShare > MOST
      ? (['creator mints most'] as const)
      : []),
    ...(isFailing ? (['mints fail'] as const) : []),
    ...(maker !== undefined && !maker.isUnread && Number(maker.copies) > 1 ? (['copied code'] as const) : []),
    ...(name === null ? (['no name'] as const) : []),
    ...(maker === undefined ? (['contract not held'] as const) : []),
  ]
  return {
    chain: row.chain,
    asset: row.asset,
    contract: row.contract,
    known: names(row.chain, row.contract),
    name,
    kind: row.kind,
    mintCount24h,
    mintCount7d: countOfDays(run, mints7d, 7),
    ratePerHour: mintCount24h === null || !coversDays(run, 1) ? null : mintCount24h / 24,
    growth: before > 0 && sinceS <= row.nowS - 2 * DAY ? mints24h / before - 1 : null,
    minterCount7d: countOfDays(run, minters, 7),
    price: row.price,
    creator: maker?.deployer ?? (row.chain === 'stacks' ? (row.contract.split('.')[0] ?? null) : null),
    firstMint: isoOf(row.firstS),
    lastMint: isoOf(row.lastS),
    isNew: maker !== undefined && row.firstS > row.nowS - 7 * DAY,
    isOver: mintCount24h === 0 && isFailing,
    flags,
  }
}
