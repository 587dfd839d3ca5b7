import type { Hex } from '#chains/evm/index.ts'
import { ExplorerError } from '../errors.ts'
import { isoOf, type Reader, readRows } from '../readRows.ts'
import { findLayerBlock } from './blocks.ts'
import { type AddressName, type LayerWords, valueText } from './facts.ts'
import { readTokens, type TokenFacts } from './tokens.ts'

/** An address, with the name that the catalogue has for it. */
export type Party = { address: string; name: string | null }

export type LayerTxItem = {
  hash: string
  height: number
  txIndex: number
  time: string
  kind: string
  /** Nobody sent it: the chain itself puts it into each block. */
  isSystem: boolean
  isSuccess: boolean | null
  sender: Party
  recipient: Party | null
  /** The contract that it made. */
  contract: Party | null
  valueWei: string
  feeWei: string | null
  selector: string | null
  /** By the catalogue; empty where it has no name for the selector. */
  functionName: string
  logCount: number
}

export type DecodedArg = { name: string; type: string; value: string }

export type LayerTransfer = {
  txHash: string
  height: number
  logIndex: number
  item: number
  standard: string
  token: TokenFacts
  tokenId: string | null
  amount: string
  /** null: it was made, or destroyed. */
  sender: Party | null
  recipient: Party | null
}

export type LayerEvent = {
  txHash: string
  height: number
  logIndex: number
  emitter: Party
  /** The event's own name; empty where the catalogue does not know it. */
  name: string
  /** Its id in the catalogue; empty likewise. */
  event: string
  args: DecodedArg[]
  /** What an unknown log holds, hexadecimal; empty for known ones. */
  topics: string[]
  data: string
}

export type LayerTxFull = LayerTxItem & {
  blockHash: string
  nonce: string
  type: number
  gasLimit: string
  gasUsed: string | null
  gasPriceWei: string | null
  maxFeeWei: string | null
  priorityFeeWei: string | null
  l1FeeWei: string
  operatorFeeWei: string
  mintWei: string | null
  authorizationCount: number
  input: string
  /** null where the catalogue does not know the function, or the input is not of its form. */
  args: DecodedArg[] | null
  transfers: LayerTransfer[]
  events: LayerEvent[]
  created: { contract: Party; kind: string; creator: Party }[]
  /** The node's JSON of a transaction of an unknown type; empty for all others. */
  raw: string
}

type ItemRow = Omit<LayerTxItem, 'time' | 'sender' | 'recipient' | 'contract' | 'functionName'> & {
  timeS: number
  senderHex: string
  recipientHex: string | null
  contractHex: string | null
}

const hash = (column: string): string => `concat('0x', lower(hex(${column})))`
const hexOrNull = (column: string): string => `if(${column} IS NULL, NULL, hex(assumeNotNull(${column})))`

/** Whether nobody sent it is told by the view of calls, and by the kind. */
const ITEM = `${hash('t.tx_hash')} AS hash, t.height AS height, t.tx_index AS txIndex,
  toUnixTimestamp(t.block_time) AS timeS, toString(t.kind) AS kind, t.is_system AS isSystem, t.is_success AS isSuccess,
  hex(t.sender) AS senderHex, ${hexOrNull('t.recipient')} AS recipientHex, ${hexOrNull('t.contract')} AS contractHex,
  toString(t.value_wei) AS valueWei, toString(t.fee_wei) AS feeWei,
  if(t.method IS NULL, NULL, concat('0x', lower(hex(assumeNotNull(t.method))))) AS selector, t.log_count AS logCount`

export const partyOf = (words: LayerWords, hex: string): Party => {
  const known: AddressName | null = words.nameOf(hex)
  return { address: words.address(hex), name: known?.name ?? null }
}
export const partyOrNull = (words: LayerWords, hex: string | null): Party | null =>
  hex === null ? null : partyOf(words, hex)

function itemOf(
  words: LayerWords,
  { timeS, senderHex, recipientHex, contractHex, ...row }: ItemRow,
): LayerTxItem {
  const called = row.selector === null ? null : words.functions.decode(row.selector as Hex)
  return {
    ...row,
    time: isoOf(timeS),
    sender: partyOf(words, senderHex),
    recipient: partyOrNull(words, recipientHex),
    contract: partyOrNull(words, contractHex),
    functionName: called?.name ?? '',
  }
}

/** Transactions of a block in its order. Errors as of `findLayerBlock`. */
export async function readLayerBlockTxs(
  reader: Reader,
  words: LayerWords,
  id: string,
  { after, limit }: { after: number; limit: number },
): Promise<{ items: LayerTxItem[]; next: string | null }> {
  const height = await findLayerBlock(reader, words, id)
  const rows = await readRows<ItemRow>(
    reader,
    `SELECT ${ITEM}
FROM evm_sent_txs AS t
WHERE t.chain = {layer:String} AND t.height = {height:UInt32} AND toInt64(t.tx_index) > {after:Int64}
ORDER BY t.tx_index
LIMIT {limit:UInt32}`,
    { layer: words.layer, height, after, limit: limit + 1 },
  )
  const items = rows.slice(0, limit).map(row => itemOf(words, row))
  return { items, next: rows.length > limit ? String(items.at(-1)!.txIndex) : null }
}

/** Newest transactions that a condition on the transactions `t` of the layer admits. */
export async function readLayerTxs(
  reader: Reader,
  words: LayerWords,
  where: string,
  parameters: Readonly<Record<string, unknown>>,
): Promise<LayerTxItem[]> {
  const rows = await readRows<ItemRow>(
    reader,
    `SELECT ${ITEM}
FROM evm_sent_txs AS t
WHERE t.chain = {layer:String} AND (${where})
ORDER BY t.height DESC, t.tx_index DESC
LIMIT {limit:UInt32}`,
    { layer: words.layer, ...parameters },
  )
  return rows.map(row => itemOf(words, row))
}

type TransferRow = Omit<LayerTransfer, 'token' | 'sender' | 'recipient'> & {
  tokenHex: string
  senderHex: string
  recipientHex: string
}

const NOBODY = '0'.repeat(40)

/** Movements of tokens that a condition on `evm_transfers` as `e` admits, newest first unless another order is given. */
export async function readLayerTransfers(
  reader: Reader,
  words: LayerWords,
  where: string,
  parameters: Readonly<Record<string, unknown>>,
  order = 'e.height DESC, e.log_index DESC, e.item DESC',
): Promise<LayerTransfer[]> {
  const rows = await readRows<TransferRow>(
    reader,
    `SELECT ${hash('e.tx_hash')} AS txHash, e.height AS height, e.log_index AS logIndex, e.item AS item,
  toString(e.standard) AS standard, hex(e.token) AS tokenHex, toString(e.token_id) AS tokenId,
  toString(e.amount) AS amount, hex(e.sender) AS senderHex, hex(e.recipient) AS recipientHex
FROM evm_transfers AS e
WHERE e.chain = {layer:String} AND (${where})
ORDER BY ${order}
LIMIT {limit:UInt32}`,
    { layer: words.layer, ...parameters },
  )
  const tokens = await readTokens(
    reader,
    words,
    rows.map(({ tokenHex }) => tokenHex),
  )
  const someone = (hex: string): Party | null => (hex === NOBODY ? null : partyOf(words, hex))
  return rows.map(({ tokenHex, senderHex, recipientHex, ...row }) => ({
    ...row,
    token: tokens.get(tokenHex)!,
    sender: someone(senderHex),
    recipient: someone(recipientHex),
  }))
}

type LogRow = {
  txHash: string
  height: number
  logIndex: number
  emitterHex: string
  topics: (string | null)[]
  data: string
}

/** Logs that a condition on `evm_logs` as `e` admits, named by the catalogue where it knows them. */
export async function readLayerEvents(
  reader: Reader,
  words: LayerWords,
  where: string,
  parameters: Readonly<Record<string, unknown>>,
  order = 'e.height DESC, e.log_index DESC',
): Promise<LayerEvent[]> {
  const topic = (n: number) => `if(e.topic${n} IS NULL, NULL, lower(hex(assumeNotNull(e.topic${n}))))`
  const rows = await readRows<LogRow>(
    reader,
    `SELECT ${hash('e.tx_hash')} AS txHash, e.height AS height, e.log_index AS logIndex, hex(e.emitter) AS emitterHex,
  [${[0, 1, 2, 3].map(topic).join(', ')}] AS topics, lower(hex(e.data)) AS data
FROM evm_logs AS e
WHERE e.chain = {layer:String} AND (${where})
ORDER BY ${order}
LIMIT {limit:UInt32}`,
    { layer: words.layer, ...parameters },
  )
  return rows.map(row => eventOf(words, row))
}

function eventOf(words: LayerWords, { emitterHex, topics: held, data, ...place }: LogRow): LayerEvent {
  const topics = held.flatMap((topic): Hex[] => (topic === null ? [] : [`0x${topic}`]))
  const emitter = `0x${emitterHex.toLowerCase()}` as Hex
  const decoded = words.events.decode({ address: emitter, topics, data: `0x${data}` })
  const at = { ...place, emitter: partyOf(words, emitterHex) }
  if (decoded === null) return { ...at, name: '', event: '', args: [], topics, data: `0x${data}` }
  return {
    ...at,
    name: decoded.name,
    event: decoded.id,
    args: Object.entries(decoded.args).map(([name, value]) => ({
      name,
      type: '',
      value: valueText(words, value),
    })),
    topics: [],
    data: '',
  }
}

/** Most events of one transaction that a page shows. */
const MOST_EVENTS = 500
/** Most bytes of an input that an answer carries. */
const MOST_INPUT_BYTES = 20_000

/** A transaction with what it called, moved, said and made. Throws `explorer.tx_not_found`. */
export async function readLayerTx(reader: Reader, words: LayerWords, asked: string): Promise<LayerTxFull> {
  const txHash = asked.toLowerCase().replace(/^0x/, '')
  const { layer } = words
  type Row = ItemRow &
    Omit<LayerTxFull, keyof LayerTxItem | 'blockHash' | 'args' | 'transfers' | 'events' | 'created'>
  const [row] = await readRows<Row>(
    reader,
    `SELECT ${ITEM},
  toString(t.nonce) AS nonce, t.type AS type, toString(t.gas_limit) AS gasLimit, toString(t.gas_used) AS gasUsed,
  toString(t.gas_price_wei) AS gasPriceWei, toString(t.max_fee_wei) AS maxFeeWei,
  toString(t.priority_fee_wei) AS priorityFeeWei, toString(t.l1_fee_wei) AS l1FeeWei,
  toString(t.operator_fee_wei) AS operatorFeeWei, toString(t.mint_wei) AS mintWei,
  t.authorization_count AS authorizationCount, t.raw AS raw,
  concat('0x', lower(hex(substring(t.input, 1, ${MOST_INPUT_BYTES})))) AS input
FROM evm_sent_txs AS t
WHERE t.chain = {layer:String} AND t.tx_hash = toFixedString(unhex({txHash:String}), 32)
LIMIT 1`,
    { layer, txHash },
  )
  if (!row)
    throw new ExplorerError(
      'explorer.tx_not_found',
      `${words.facts.name} transaction 0x${txHash} is not indexed.`,
      {
        hint: 'Only transactions in indexed blocks are available. See /status for indexed heights.',
        facts: { hash: txHash },
      },
    )
  const at = { height: row.height, txIndex: row.txIndex, limit: MOST_EVENTS }
  const here = 'e.height = {height:UInt32} AND e.tx_index = {txIndex:UInt32}'
  type Created = { contractHex: string; kind: string; creatorHex: string }
  const [blocks, transfers, events, created] = await Promise.all([
    readRows<{ hash: string }>(
      reader,
      `SELECT ${hash('b.hash')} AS hash FROM evm_blocks AS b WHERE b.chain = {layer:String} AND b.height = {height:UInt32}`,
      { layer, ...at },
    ),
    readLayerTransfers(reader, words, here, at, 'e.log_index, e.item'),
    readLayerEvents(reader, words, here, at, 'e.log_index'),
    readRows<Created>(
      reader,
      `SELECT hex(e.contract) AS contractHex, toString(e.kind) AS kind, hex(e.creator) AS creatorHex
FROM evm_contracts AS e
WHERE e.chain = {layer:String} AND ${here}
ORDER BY e.path
LIMIT {limit:UInt32}`,
      { layer, ...at },
    ),
  ])
  const args = row.selector === null ? null : (words.functions.decode(row.input as Hex)?.args ?? null)
  const { timeS: _, senderHex: __, recipientHex: ___, contractHex: ____, ...rest } = row
  return {
    ...rest,
    ...itemOf(words, row),
    blockHash: blocks[0]?.hash ?? '',
    args: args?.map(({ name, type, value }) => ({ name, type, value: valueText(words, value) })) ?? null,
    transfers,
    events,
    created: created.map(({ contractHex, creatorHex, kind }) => ({
      contract: partyOf(words, contractHex),
      creator: partyOf(words, creatorHex),
      kind,
    })),
  }
}
