import { ExplorerError } from '../errors.ts'
import { isoOf, type Reader, readRows } from '../readRows.ts'
import type { LayerWords } from './facts.ts'

export type LayerBlockItem = {
  height: number
  hash: string
  time: string
  miner: string
  txCount: number
  failedTxCount: number | null
  logCount: number
  gasUsed: string
  gasLimit: string
  feeWei: string | null
  l1FeeWei: string
}

/** The Bitcoin header that was mined for a block of Rootstock. */
export type MinedFor = {
  bitcoinHash: string
  isTagged: boolean
  /** Height of the Bitcoin block that it became; null where no such block is held here. */
  bitcoinHeight: number | null
}

export type LayerBlockFull = LayerBlockItem & {
  prevHash: string
  isPrevHeld: boolean
  nextHeight: number | null
  systemTxCount: number
  unknownTxCount: number
  baseFeeWei: string | null
  difficulty: string
  sizeBytes: number | null
  uncleCount: number
  isHashProved: boolean
  isTxsProved: boolean
  isReceiptsProved: boolean
  isTraced: boolean
  l1Height: string | null
  l1Hash: string | null
  minimumGasPriceWei: string | null
  minedFor: MinedFor | null
}

/** A block of which the header alone was recorded. */
export type LayerHeader = {
  height: number
  hash: string
  prevHash: string
  time: string
  miner: string
  difficulty: string
  gasUsed: string
  gasLimit: string
  uncleCount: number | null
  paidFeeWei: string | null
  minedFor: MinedFor | null
  source: string
}

type ItemRow = Omit<LayerBlockItem, 'time'> & { timeS: number }

const hash = (column: string): string => `concat('0x', lower(hex(${column})))`
const ITEM = `b.height AS height, ${hash('b.hash')} AS hash, toUnixTimestamp(b.block_time) AS timeS,
  hex(b.miner) AS miner, b.tx_count AS txCount, b.failed_tx_count AS failedTxCount, b.log_count AS logCount,
  toString(b.gas_used) AS gasUsed, toString(b.gas_limit) AS gasLimit, toString(b.fee_wei) AS feeWei,
  toString(b.l1_fee_wei) AS l1FeeWei`

const itemOf = <Row extends { timeS: number; miner: string }>(
  { address }: LayerWords,
  { timeS, miner, ...row }: Row,
): Omit<Row, 'timeS'> & { time: string } =>
  ({ ...row, miner: address(miner), time: isoOf(timeS) }) as unknown as Omit<Row, 'timeS'> & { time: string }

type ListQuery = { before: number; limit: number }

/** Blocks of a layer below a height, newest first. */
export async function readLayerBlocks(
  reader: Reader,
  words: LayerWords,
  { before, limit }: ListQuery,
): Promise<{ items: LayerBlockItem[]; next: string | null }> {
  const rows = await readRows<ItemRow>(
    reader,
    `SELECT ${ITEM}
FROM evm_blocks AS b
WHERE b.chain = {layer:String} AND b.height < {before:UInt32}
ORDER BY b.height DESC
LIMIT {limit:UInt32}`,
    { layer: words.layer, before, limit: limit + 1 },
  )
  const items = rows.slice(0, limit).map(row => itemOf(words, row))
  return { items, next: rows.length > limit ? String(items.at(-1)!.height) : null }
}

const HEADER = `b.height AS height, ${hash('b.hash')} AS hash, ${hash('b.prev_hash')} AS prevHash,
  toUnixTimestamp(b.block_time) AS timeS, hex(b.miner) AS miner, toString(b.difficulty) AS difficulty,
  toString(b.gas_used) AS gasUsed, toString(b.gas_limit) AS gasLimit, b.uncle_count AS uncleCount,
  toString(b.paid_fee_wei) AS paidFeeWei, b.source AS source,
  if(b.bitcoin_hash IS NULL, NULL, lower(hex(assumeNotNull(b.bitcoin_hash)))) AS bitcoinHash,
  ifNull(b.is_bitcoin_tagged, false) AS isTagged`

type HeaderRow = Omit<LayerHeader, 'time' | 'minedFor'> & MinedRow & { timeS: number }
type MinedRow = { bitcoinHash: string | null; isTagged: boolean }

/** Headers that were recorded alone, newest first. */
export async function readLayerHeaders(
  reader: Reader,
  words: LayerWords,
  { before, limit }: ListQuery,
): Promise<{ items: LayerHeader[]; next: string | null }> {
  const rows = await readRows<HeaderRow>(
    reader,
    `SELECT ${HEADER}
FROM evm_headers AS b
WHERE b.chain = {layer:String} AND b.height < {before:UInt32}
ORDER BY b.height DESC
LIMIT {limit:UInt32}`,
    { layer: words.layer, before, limit: limit + 1 },
  )
  const shown = rows.slice(0, limit)
  const heights = await bitcoinHeights(reader, shown)
  return {
    items: shown.map(row => headerOf(words, row, heights)),
    next: rows.length > limit ? String(shown.at(-1)!.height) : null,
  }
}

function headerOf(
  words: LayerWords,
  { bitcoinHash, isTagged, ...row }: HeaderRow,
  heights: ReadonlyMap<string, number>,
): LayerHeader {
  return { ...itemOf(words, row), minedFor: minedFor({ bitcoinHash, isTagged }, heights) }
}

const minedFor = (
  { bitcoinHash, isTagged }: MinedRow,
  heights: ReadonlyMap<string, number>,
): MinedFor | null =>
  bitcoinHash === null ? null : { bitcoinHash, isTagged, bitcoinHeight: heights.get(bitcoinHash) ?? null }

/** Heights of Bitcoin blocks that are known by hash: most headers that are mined for a layer never become one. */
async function bitcoinHeights(
  reader: Reader,
  rows: readonly MinedRow[],
): Promise<ReadonlyMap<string, number>> {
  const hashes = rows.flatMap(({ bitcoinHash }) => bitcoinHash ?? [])
  if (hashes.length === 0) return new Map()
  const found = await readRows<{ hash: string; height: number }>(
    reader,
    `SELECT lower(hex(b.hash)) AS hash, b.height AS height
FROM (SELECT hash, height FROM btc_blocks UNION ALL SELECT hash, height FROM btc_block_stats) AS b
WHERE b.hash IN (SELECT toFixedString(unhex(arrayJoin({hashes:Array(String)})), 32))`,
    { hashes },
  )
  return new Map(found.map(row => [row.hash, row.height]))
}

/** The newest block that is held whole; undefined before the first. */
export async function readLayerTip(
  reader: Reader,
  words: LayerWords,
): Promise<{ height: number; time: string } | undefined> {
  const { items } = await readLayerBlocks(reader, words, { before: 0xffff_ffff, limit: 1 })
  return items[0]
}

const bare = (id: string): string => id.toLowerCase().replace(/^0x/, '')
const isHeight = (id: string): boolean => /^\d{1,9}$/.test(id)

const matching = (id: string): string =>
  isHeight(id) ? 'b.height = toUInt32({id:String})' : 'b.hash = toFixedString(unhex({id:String}), 32)'

/** The height of a block that is held whole, by height or hash; undefined where it is not. */
async function findHeight(reader: Reader, { layer }: LayerWords, id: string): Promise<number | undefined> {
  const [found] = await readRows<{ height: number }>(
    reader,
    `SELECT b.height AS height FROM evm_blocks AS b WHERE b.chain = {layer:String} AND ${matching(id)} LIMIT 1`,
    { layer, id: isHeight(id) ? id : bare(id) },
  )
  return found?.height
}

/** The same; throws `explorer.block_not_found`, `explorer.block_stale`, and `explorer.txs_not_held` where its header alone is known. */
export async function findLayerBlock(reader: Reader, words: LayerWords, id: string): Promise<number> {
  const height = await findHeight(reader, words, id)
  if (height !== undefined) return height
  const header = await findHeader(reader, words, id)
  if (header !== undefined)
    throw new ExplorerError(
      'explorer.txs_not_held',
      `Only the header of ${words.facts.name} block ${header.height} is indexed.`,
      {
        hint: `Bring the block in: assay backfill --chain ${words.layer} --from ${header.height} --to ${header.height}.`,
        facts: { height: header.height },
      },
    )
  throw await notFound(reader, words, id)
}

async function findHeader(reader: Reader, words: LayerWords, id: string): Promise<LayerHeader | undefined> {
  const [row] = await readRows<HeaderRow>(
    reader,
    `SELECT ${HEADER} FROM evm_headers AS b WHERE b.chain = {layer:String} AND ${matching(id)} LIMIT 1`,
    { layer: words.layer, id: isHeight(id) ? id : bare(id) },
  )
  return row && headerOf(words, row, await bitcoinHeights(reader, [row]))
}

async function notFound(reader: Reader, { layer, facts }: LayerWords, id: string): Promise<ExplorerError> {
  if (isHeight(id)) {
    const rows = await readRows<{ height: number }>(
      reader,
      `(SELECT height FROM evm_blocks WHERE chain = {layer:String} AND height < {height:UInt32} ORDER BY height DESC LIMIT 1)
UNION ALL
(SELECT height FROM evm_blocks WHERE chain = {layer:String} AND height > {height:UInt32} ORDER BY height LIMIT 1)`,
      { layer, height: Number(id) },
    )
    const nearest = rows.map(row => row.height).sort((a, b) => a - b)
    return new ExplorerError('explorer.block_not_found', `${facts.name} block ${id} is not indexed.`, {
      hint:
        nearest.length > 0
          ? `Nearest indexed heights: ${nearest.join(' and ')}.`
          : `No ${facts.name} block is indexed yet. Load blocks with assay backfill --chain ${layer}.`,
      facts: { height: Number(id), nearest: nearest.join(',') },
    })
  }
  const [stale] = await readRows<{ height: number }>(
    reader,
    'SELECT b.height AS height FROM evm_stale_blocks AS b WHERE b.chain = {layer:String} AND b.hash = toFixedString(unhex({id:String}), 32) LIMIT 1',
    { layer, id: bare(id) },
  )
  if (stale)
    return new ExplorerError(
      'explorer.block_stale',
      `Block 0x${bare(id)} lost: another block of ${facts.name} has its height.`,
      { hint: `Look at height ${stale.height}.`, facts: { hash: id, nearest: String(stale.height) } },
    )
  return new ExplorerError(
    'explorer.block_not_found',
    `No indexed ${facts.name} block has the hash 0x${bare(id)}.`,
    { hint: `A transaction has its own address: /${layer}/tx/{hash}.`, facts: { hash: id } },
  )
}

/** A block, or its header where that alone was recorded. Errors as of `findLayerBlock`. */
export async function readLayerBlock(
  reader: Reader,
  words: LayerWords,
  id: string,
): Promise<{ block: LayerBlockFull; header: null } | { block: null; header: LayerHeader }> {
  const height = await findHeight(reader, words, id)
  if (height === undefined) {
    const header = await findHeader(reader, words, id)
    if (header !== undefined) return { block: null, header }
    throw await notFound(reader, words, id)
  }
  const at = { layer: words.layer, height }
  type Row = Omit<LayerBlockFull, 'time' | 'minedFor' | 'nextHeight' | 'isPrevHeld'> &
    MinedRow & { timeS: number }
  const [rows, neighbours] = await Promise.all([
    readRows<Row>(
      reader,
      `SELECT ${ITEM}, ${hash('b.prev_hash')} AS prevHash, b.system_tx_count AS systemTxCount,
  b.unknown_tx_count AS unknownTxCount, toString(b.base_fee_wei) AS baseFeeWei, toString(b.difficulty) AS difficulty,
  b.size_bytes AS sizeBytes, b.uncle_count AS uncleCount, b.is_hash_proved AS isHashProved,
  b.is_txs_proved AS isTxsProved, b.is_receipts_proved AS isReceiptsProved, b.is_traced AS isTraced,
  toString(b.l1_height) AS l1Height, ${hash('b.l1_hash')} AS l1Hash,
  toString(b.minimum_gas_price_wei) AS minimumGasPriceWei,
  if(b.bitcoin_hash IS NULL, NULL, lower(hex(assumeNotNull(b.bitcoin_hash)))) AS bitcoinHash,
  ifNull(b.is_bitcoin_tagged, false) AS isTagged
FROM evm_blocks AS b
WHERE b.chain = {layer:String} AND b.height = {height:UInt32}`,
      at,
    ),
    readRows<{ height: number }>(
      reader,
      'SELECT height FROM evm_blocks WHERE chain = {layer:String} AND height IN ({height:UInt32} - 1, {height:UInt32} + 1)',
      at,
    ),
  ])
  const { bitcoinHash, isTagged, ...row } = rows[0]!
  const held = new Set(neighbours.map(one => one.height))
  return {
    header: null,
    block: {
      ...itemOf(words, row),
      minedFor: minedFor(
        { bitcoinHash, isTagged },
        await bitcoinHeights(reader, [{ bitcoinHash, isTagged }]),
      ),
      nextHeight: held.has(height + 1) ? height + 1 : null,
      isPrevHeld: held.has(height - 1),
    },
  }
}
