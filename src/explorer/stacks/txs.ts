import { memoText } from '#chains/stacks/index.ts'
import { type Counterpart, readStacksTxCounterparts } from '../counterparts.ts'
import { ExplorerError } from '../errors.ts'
import { bytesOf, isoOf, type Reader, readRows } from '../readRows.ts'
import { COST_COLUMNS, type CostRow, costOf, findStacksBlock, type StacksCost } from './blocks.ts'
import { conditionsOf, type StacksPostCondition } from './postConditions.ts'
import type { Sentence } from './sentences/index.ts'
import { type Speaker, type SpokenRow, sayTxs, speakEvents, speakTxs } from './speak.ts'

export type StacksTxItem = {
  txid: string
  height: number
  txIndex: number
  time: string
  kind: string
  status: string
  /** Null where the source of its block does not say, as in `eventCount`. */
  isSuccess: boolean | null
  sender: string
  /** BNS name that stands beside the sender’s address; null for none. */
  senderName: string | null
  feeUstx: string
  recipient: string | null
  amountUstx: string | null
  contract: string | null
  functionName: string
  eventCount: number | null
  /** What it does, or tried to do. */
  sentence: Sentence
}

export type StacksTxFull = StacksTxItem & {
  blockHash: string
  sponsor: string | null
  authType: string
  hashMode: string
  nonce: string
  anchorMode: string
  postConditionMode: string
  postConditions: StacksPostCondition[]
  memo: string
  resultRepr: string
  vmError: string
  clarityVersion: number | null
  sizeBytes: number
  cost: StacksCost | null
  args: StacksArg[]
  transfers: StacksTransfer[]
  prints: StacksPrint[]
  locks: { stacker: string; amountUstx: string; unlockHeight: number; contract: string }[]
  /** What was made on Bitcoin, as the node tells it; empty for all others. */
  bitcoinOp: string
  /** Bitcoin transactions that it carries out or reports, where they are held. */
  counterparts: Counterpart[]
}

export type StacksArg = {
  index: number
  name: string
  declared: string
  path: string
  type: string
  repr: string
}

export type StacksTransfer = {
  eventIndex: number
  txid: string
  standard: string
  action: string
  asset: string
  sender: string | null
  recipient: string | null
  amount: string
  tokenRepr: string
  /** How much of what, in the decimals of its token where somebody tells them. */
  words: string
  /** BNS names that stand beside the two; null for none. */
  senderName: string | null
  recipientName: string | null
}
/** A movement as its row has it. */
export type BareTransfer = Omit<StacksTransfer, 'words' | 'senderName' | 'recipientName'>

export type StacksPrint = {
  eventIndex: number
  txid: string
  contract: string
  event: string
  repr: string
  sentence: Sentence
}
/** A print as its row has it. */
export type BarePrint = Omit<StacksPrint, 'sentence'> & { functionNames: string }

type ItemRow = Omit<StacksTxItem, 'time' | 'sentence' | 'senderName'> & SpokenRow & { timeS: number }

const ITEM = `lower(hex(txid)) AS txid, height, tx_index AS txIndex, toUnixTimestamp(block_time) AS timeS,
  CAST(kind AS String) AS kind, CAST(status AS String) AS status, is_success AS isSuccess, sender,
  toString(fee_ustx) AS feeUstx, recipient, toString(amount_ustx) AS amountUstx, contract,
  function_name AS functionName, event_count AS eventCount, result_repr AS resultRepr, vm_error AS vmError,
  lower(hex(memo)) AS memoHex, clarity_version AS clarityVersion`

async function itemsOf(speaker: Speaker, rows: readonly ItemRow[]): Promise<StacksTxItem[]> {
  const [sentences, names] = await Promise.all([speakTxs(speaker, rows), speaker.names()])
  return rows.map(({ timeS, resultRepr, vmError, memoHex, clarityVersion, ...row }, index) => ({
    ...row,
    time: isoOf(timeS),
    senderName: names.primary(row.sender) ?? null,
    sentence: sentences[index]!,
  }))
}

/** Transactions of a block in its order. Errors as of `findStacksBlock`. */
export async function readStacksBlockTxs(
  speaker: Speaker,
  id: string,
  { after, limit }: { after: number; limit: number },
): Promise<{ items: StacksTxItem[]; next: string | null }> {
  const { reader } = speaker
  const height = await findStacksBlock(reader, id)
  const rows = await readRows<ItemRow>(
    reader,
    `SELECT ${ITEM}
FROM stx_txs
WHERE height = {height:UInt32} AND toInt64(tx_index) > {after:Int64}
ORDER BY tx_index
LIMIT {limit:UInt32}`,
    { height, after, limit: limit + 1 },
  )
  const items = await itemsOf(speaker, rows.slice(0, limit))
  return { items, next: rows.length > limit ? String(items.at(-1)!.txIndex) : null }
}

/** Newest transactions that a condition on `stx_txs` admits. */
export async function readStacksTxs(
  speaker: Speaker,
  where: string,
  parameters: Readonly<Record<string, unknown>>,
): Promise<StacksTxItem[]> {
  const rows = await readRows<ItemRow>(
    speaker.reader,
    `SELECT ${ITEM}
FROM stx_txs
WHERE ${where}
ORDER BY height DESC, tx_index DESC
LIMIT {limit:UInt32}`,
    parameters,
  )
  return itemsOf(speaker, rows)
}

const TRANSFER = `event_index AS eventIndex, lower(hex(txid)) AS txid, CAST(standard AS String) AS standard,
  CAST(action AS String) AS action, asset, sender, recipient, toString(amount) AS amount, token_repr AS tokenRepr`

/** Newest movements that a condition on `stx_transfers` admits, or those of one transaction in their order. */
export const readStacksTransfers = (
  reader: Reader,
  where: string,
  parameters: Readonly<Record<string, unknown>>,
  order = 'height DESC, event_index DESC',
): Promise<BareTransfer[]> =>
  readRows(
    reader,
    `SELECT ${TRANSFER}
FROM stx_transfers AS e
WHERE ${where}
ORDER BY ${order}
LIMIT {limit:UInt32}`,
    parameters,
  )

const PRINT = `event_index AS eventIndex, lower(hex(txid)) AS txid, contract, event, repr,
  function_names AS functionNames`

/** The same of prints. */
export const readStacksPrints = (
  reader: Reader,
  where: string,
  parameters: Readonly<Record<string, unknown>>,
  order = 'height DESC, event_index DESC',
): Promise<BarePrint[]> =>
  readRows(
    reader,
    `SELECT ${PRINT}
FROM stx_prints AS e
WHERE ${where}
ORDER BY ${order}
LIMIT {limit:UInt32}`,
    parameters,
  )

/** Most events of one transaction that a page shows. */
const MOST_EVENTS = 1000

/** A transaction with its arguments, events and post-conditions. Throws `explorer.tx_not_found`. */
export async function readStacksTx(speaker: Speaker, asked: string): Promise<StacksTxFull> {
  const { reader } = speaker
  const txid = asked.toLowerCase().replace(/^0x/, '')
  type Row = ItemRow &
    CostRow &
    Pick<
      StacksTxFull,
      'sponsor' | 'authType' | 'hashMode' | 'nonce' | 'anchorMode' | 'postConditionMode' | 'sizeBytes'
    > & { conditions: string; raw: string }
  const [row] = await readRows<Row>(
    reader,
    `SELECT ${ITEM},
  sponsor, auth_type AS authType, hash_mode AS hashMode, toString(nonce) AS nonce, anchor_mode AS anchorMode,
  post_condition_mode AS postConditionMode, post_conditions AS conditions, size_bytes AS sizeBytes, raw,
  ${COST_COLUMNS}
FROM stx_txs AS t
-- The column, not the text of the same name.
WHERE t.txid = toFixedString(unhex({txid:String}), 32)
LIMIT 1`,
    { txid },
  )
  if (!row)
    throw new ExplorerError('explorer.tx_not_found', `Stacks transaction ${txid} is not indexed.`, {
      hint: 'Only transactions in indexed blocks are available. See /status for indexed heights.',
      facts: { txid },
    })
  const at = { txid, height: row.height, limit: MOST_EVENTS }
  const here = 'e.height = {height:UInt32} AND e.txid = toFixedString(unhex({txid:String}), 32)'
  const [blocks, args, moved, printed, locks] = await Promise.all([
    readRows<{ hash: string }>(
      reader,
      'SELECT lower(hex(hash)) AS hash FROM stx_blocks WHERE height = {height:UInt32}',
      at,
    ),
    readArgs(speaker, row, at),
    readStacksTransfers(reader, here, at, 'event_index'),
    readStacksPrints(reader, here, at, 'event_index'),
    readRows<StacksTxFull['locks'][number]>(
      reader,
      `SELECT stacker, toString(amount_ustx) AS amountUstx, unlock_height AS unlockHeight, contract
FROM stx_locks AS e
WHERE ${here}
ORDER BY event_index`,
      at,
    ),
  ])
  const leaves = args.map(arg => ({ ...arg, txid: row.txid }))
  const [{ transfers, prints }, [sentence], names] = await Promise.all([
    speakEvents(speaker, printed, moved),
    sayTxs(speaker, [row], leaves, moved),
    speaker.names(),
  ])
  const isBitcoinOp = row.kind === 'bitcoin_op'
  const isOnBitcoin = isBitcoinOp || prints.some(({ contract }) => contract.endsWith('.sbtc-registry'))
  const counterparts = isOnBitcoin
    ? await readStacksTxCounterparts(reader, { txid, height: row.height, isBitcoinOp })
    : []
  const {
    conditions,
    memoHex,
    raw,
    readCount,
    readLength,
    writeCount,
    writeLength,
    runtime,
    timeS,
    ...rest
  } = row
  return {
    ...rest,
    time: isoOf(timeS),
    senderName: names.primary(row.sender) ?? null,
    sentence: sentence!,
    blockHash: blocks[0]?.hash ?? '',
    postConditions: conditionsOf(conditions),
    memo: memoHex === '' ? '' : memoText(bytesOf(memoHex)),
    cost: costOf({ readCount, readLength, writeCount, writeLength, runtime }),
    args,
    transfers,
    prints,
    locks,
    bitcoinOp: isBitcoinOp ? raw : '',
    counterparts,
  }
}

/** Arguments leaf by leaf, with the names that the contract's interface gives them where it is held. */
async function readArgs(
  { reader, sentences }: Speaker,
  { contract, functionName }: Pick<StacksTxItem, 'contract' | 'functionName'>,
  at: { txid: string; height: number },
): Promise<StacksArg[]> {
  if (contract === null || functionName === '') return []
  const asked = { ...at, contract, functionName }
  const [leaves, names] = await Promise.all([
    readRows<Omit<StacksArg, 'name' | 'declared'>>(
      reader,
      `SELECT arg_index AS index, path, CAST(type AS String) AS type, repr
FROM stx_call_args
WHERE contract = {contract:String} AND function_name = {functionName:String} AND height = {height:UInt32}
  AND txid = toFixedString(unhex({txid:String}), 32)
ORDER BY arg_index, leaf_index`,
      asked,
    ),
    readRows<{ index: number; name: string; declared: string }>(
      reader,
      `SELECT arg_index AS index, name, type AS declared
FROM stx_function_args
WHERE contract = {contract:String} AND function_name = {functionName:String}
ORDER BY height DESC, arg_index
LIMIT 1 BY arg_index`,
      asked,
    ),
  ])
  const named = new Map(names.map(name => [name.index, name]))
  const count = (leaves.at(-1)?.index ?? -1) + 1
  const known = names.length > 0 ? undefined : (await sentences()).argNames(contract, functionName, count)
  return leaves.map(leaf => ({
    ...leaf,
    name: named.get(leaf.index)?.name ?? known?.[leaf.index] ?? '',
    declared: named.get(leaf.index)?.declared ?? '',
  }))
}
