import { type Counterpart, readCommitOf } from '../counterparts.ts'
import { ExplorerError } from '../errors.ts'
import { isoOf, type Reader, readRows } from '../readRows.ts'
import { type BlockSigners, readBlockSigners } from './blockSigners.ts'

export type StacksBlockItem = {
  height: number
  hash: string
  time: string
  burnHeight: number
  isNakamoto: boolean
  txCount: number
  /** Null where the source of the block does not say, as in the three others. */
  failedTxCount: number | null
  contractCount: number | null
  eventCount: number | null
  feeUstx: string
  minerRewardUstx: string | null
}

export type StacksBlockFull = StacksBlockItem & {
  prevHash: string
  /** Height of the block after, where it is held. */
  nextHeight: number | null
  isPrevHeld: boolean
  headerHash: string
  consensusHash: string | null
  tenureHeight: number | null
  burnHash: string
  minerTxid: string | null
  bitcoinOpCount: number
  microblockTxCount: number
  unknownTxCount: number
  rolledBackEventCount: number | null
  signerSignatureCount: number | null
  cycle: number | null
  cost: StacksCost | null
  /** From whom the block came, and what that source does not tell. */
  source: string
  lacks: string[]
  /** Its block commit on Bitcoin, where that is held. */
  counterparts: Counterpart[]
  rewards: { recipient: string; coinbaseUstx: string; feeUstx: string }[]
  /** Null before Nakamoto. */
  signers: BlockSigners | null
}

/** What running took, in the five dimensions of SIP-006. */
export type StacksCost = {
  readCount: string
  readLength: string
  writeCount: string
  writeLength: string
  runtime: string
}

export type CostRow = { readonly [K in keyof StacksCost]: string | null }

/** Null where the source of the block does not say. */
export const costOf = (row: CostRow): StacksCost | null => (row.runtime === null ? null : (row as StacksCost))

type ItemRow = Omit<StacksBlockItem, 'time'> & { timeS: number }

const ITEM = `height, lower(hex(hash)) AS hash, toUnixTimestamp(block_time) AS timeS, burn_height AS burnHeight,
  is_nakamoto AS isNakamoto, tx_count AS txCount, failed_tx_count AS failedTxCount, contract_count AS contractCount,
  event_count AS eventCount, toString(fee_ustx) AS feeUstx, toString(miner_reward_ustx) AS minerRewardUstx`

export const COST_COLUMNS = `toString(read_count) AS readCount, toString(read_length) AS readLength,
  toString(write_count) AS writeCount, toString(write_length) AS writeLength, toString(runtime) AS runtime`

const itemOf = <Row extends { timeS: number }>({
  timeS,
  ...row
}: Row): Omit<Row, 'timeS'> & { time: string } => ({
  ...row,
  time: isoOf(timeS),
})

/** Blocks below a height, newest first. */
export async function readStacksBlocks(
  reader: Reader,
  { before, limit }: { before: number; limit: number },
): Promise<{ items: StacksBlockItem[]; next: string | null }> {
  const rows = await readRows<ItemRow>(
    reader,
    `SELECT ${ITEM}
FROM stx_blocks
WHERE height < {before:UInt32}
ORDER BY height DESC
LIMIT {limit:UInt32}`,
    { before, limit: limit + 1 },
  )
  const items = rows.slice(0, limit).map(itemOf)
  return { items, next: rows.length > limit ? String(items.at(-1)!.height) : null }
}

/** The newest block; undefined before the first. */
export async function readStacksTip(reader: Reader): Promise<{ height: number; time: string } | undefined> {
  const { items } = await readStacksBlocks(reader, { before: 0xffff_ffff, limit: 1 })
  return items[0]
}

/** The height of a block by its height or by one of its hashes. Throws `explorer.block_not_found`, `explorer.block_stale`. */
export async function findStacksBlock(reader: Reader, id: string): Promise<number> {
  const isHeight = /^\d{1,9}$/.test(id)
  const hash = id.toLowerCase().replace(/^0x/, '')
  const [found] = await readRows<{ height: number }>(
    reader,
    `SELECT height FROM stx_blocks
WHERE ${isHeight ? 'height = toUInt32({id:String})' : 'hash = toFixedString(unhex({id:String}), 32) OR header_hash = toFixedString(unhex({id:String}), 32)'}
LIMIT 1`,
    { id: isHeight ? id : hash },
  )
  if (found) return found.height
  throw isHeight ? await notFound(reader, Number(id)) : await hashNotFound(reader, hash)
}

async function notFound(reader: Reader, height: number): Promise<ExplorerError> {
  const rows = await readRows<{ height: number }>(
    reader,
    `(SELECT height FROM stx_blocks WHERE height < {height:UInt32} ORDER BY height DESC LIMIT 1)
UNION ALL
(SELECT height FROM stx_blocks WHERE height > {height:UInt32} ORDER BY height LIMIT 1)`,
    { height },
  )
  const nearest = rows.map(row => row.height).sort((a, b) => a - b)
  return new ExplorerError('explorer.block_not_found', `Stacks block ${height} is not indexed.`, {
    hint:
      nearest.length > 0
        ? `Nearest indexed heights: ${nearest.join(' and ')}.`
        : 'No Stacks block is indexed yet.',
    facts: { height, nearest: nearest.join(',') },
  })
}

async function hashNotFound(reader: Reader, hash: string): Promise<ExplorerError> {
  const [stale] = await readRows<{ height: number }>(
    reader,
    'SELECT height FROM stx_stale_blocks WHERE hash = toFixedString(unhex({hash:String}), 32) LIMIT 1',
    { hash },
  )
  if (stale)
    return new ExplorerError(
      'explorer.block_stale',
      `Block ${hash} lost: another block of Stacks has its height.`,
      {
        hint: `Look at height ${stale.height}.`,
        facts: { hash, nearest: String(stale.height) },
      },
    )
  return new ExplorerError('explorer.block_not_found', `No indexed Stacks block has the hash ${hash}.`, {
    hint: 'A transaction has its own address: /stacks/tx/{txid}.',
    facts: { hash },
  })
}

/** A block with its rewards. Errors as of `findStacksBlock`. */
export async function readStacksBlock(reader: Reader, id: string): Promise<StacksBlockFull> {
  const at = { height: await findStacksBlock(reader, id) }
  type Row = Omit<
    StacksBlockFull,
    'time' | 'cost' | 'rewards' | 'nextHeight' | 'isPrevHeld' | 'lacks' | 'counterparts' | 'signers'
  > & {
    timeS: number
    lacks: string
  } & CostRow
  const [rows, rewards, neighbours] = await Promise.all([
    readRows<Row>(
      reader,
      `SELECT ${ITEM}, lower(hex(prev_hash)) AS prevHash, lower(hex(header_hash)) AS headerHash,
  if(consensus_hash IS NULL, NULL, lower(hex(assumeNotNull(consensus_hash)))) AS consensusHash,
  tenure_height AS tenureHeight, lower(hex(burn_hash)) AS burnHash, if(miner_txid IS NULL, NULL, lower(hex(assumeNotNull(miner_txid)))) AS minerTxid, CAST(source AS String) AS source, lacks,
  bitcoin_op_count AS bitcoinOpCount, microblock_tx_count AS microblockTxCount, unknown_tx_count AS unknownTxCount,
  rolled_back_event_count AS rolledBackEventCount, signer_signature_count AS signerSignatureCount, cycle,
  ${COST_COLUMNS}
FROM stx_blocks
WHERE height = {height:UInt32}`,
      at,
    ),
    readRows<StacksBlockFull['rewards'][number]>(
      reader,
      `SELECT recipient, toString(coinbase_ustx) AS coinbaseUstx,
  toString(tx_fee_ustx + streamed_confirmed_ustx + streamed_produced_ustx) AS feeUstx
FROM stx_miner_rewards
WHERE height = {height:UInt32}
ORDER BY reward_index`,
      at,
    ),
    readRows<{ height: number }>(
      reader,
      'SELECT height FROM stx_blocks WHERE height IN ({height:UInt32} - 1, {height:UInt32} + 1)',
      at,
    ),
  ])
  const { timeS, readCount, readLength, writeCount, writeLength, runtime, lacks, ...row } = rows[0]!
  const [counterparts, signers] = await Promise.all([
    readCommitOf(reader, row.minerTxid),
    readBlockSigners(reader, row),
  ])
  const held = new Set(neighbours.map(({ height }) => height))
  return {
    ...row,
    time: isoOf(timeS),
    cost: costOf({ readCount, readLength, writeCount, writeLength, runtime }),
    lacks: lacks === '' ? [] : lacks.split(','),
    counterparts,
    rewards,
    signers,
    nextHeight: held.has(row.height + 1) ? row.height + 1 : null,
    isPrevHeld: held.has(row.height - 1),
  }
}

export type BurnBlockItem = {
  height: number
  hash: string
  /** Null where nobody said, as in the two after it. */
  burnSat: string | null
  payoutSat: string | null
  payoutCount: number | null
  /** The Stacks block whose tenure it began, where that is held. */
  stacksHeight: number | null
  minerTxid: string | null
}

/** Bitcoin blocks as Stacks nodes report them, newest first. */
export async function readBurnBlocks(
  reader: Reader,
  { before, limit }: { before: number; limit: number },
): Promise<{ items: BurnBlockItem[]; next: string | null }> {
  const rows = await readRows<BurnBlockItem>(
    reader,
    `SELECT b.height AS height, lower(hex(b.hash)) AS hash, toString(b.burn_sat) AS burnSat,
  toString(b.payout_sat) AS payoutSat, b.payout_count AS payoutCount, s.height AS stacksHeight, s.miner AS minerTxid
FROM (
  SELECT height, hash, burn_sat, payout_sat, payout_count
  FROM stx_burn_blocks
  WHERE height < {before:UInt32}
  ORDER BY height DESC
  LIMIT {limit:UInt32}
) AS b
LEFT JOIN (
  SELECT burn_height, toNullable(min(height)) AS height, lower(hex(any(miner_txid))) AS miner
  FROM stx_blocks
  GROUP BY burn_height
) AS s ON s.burn_height = b.height
ORDER BY height DESC`,
    { before, limit: limit + 1 },
  )
  const items = rows.slice(0, limit)
  return { items, next: rows.length > limit ? String(items.at(-1)!.height) : null }
}
