import type { BlockMessage, StacksEvent, TransactionMessage } from '#chains/stacks/index.ts'
import type { StacksSource } from '#chains/stacks/node/index.ts'
import type { Difference } from '../verify.ts'

/** Asks what readers see. */
export type Ask = <T>(query: string, query_params: Record<string, unknown>) => Promise<T[]>

/** One thing that is said of a block, with its value as text; null where it is not told. */
type Fact = readonly [what: string, value: string | null]

/** What is held of a height against what a source tells of it. What either of them does not tell is no difference. */
export async function compareBlock(
  ask: Ask,
  source: StacksSource,
  height: number,
  signal?: AbortSignal,
): Promise<Difference[]> {
  const place = await source.at(height, signal)
  const held = await heldFacts(ask, height)
  if (place === null) return [{ height, what: 'block', held: held.get('id') ?? 'none', expected: 'none' }]
  if (held.get('id') !== place.id)
    return [{ height, what: 'id', held: held.get('id') ?? 'none', expected: place.id }]
  const block = await source.block(place, signal)
  const told = new Map(factsOf(block))
  const differences: Difference[] = []
  for (const what of new Set([...held.keys(), ...told.keys()])) {
    const [ours, theirs] = [held.get(what), told.get(what)]
    if (ours === null || theirs === null || ours === theirs) continue
    // An event or transaction that one of the two has no word of, though both tell them all.
    if (ours === undefined && !tellsAll(held.get('lacks') ?? '', what)) continue
    if (theirs === undefined && (what === 'lacks' || !tellsAll(block.lacks.join(), what))) continue
    if (what !== 'lacks') differences.push({ height, what, held: ours ?? 'none', expected: theirs ?? 'none' })
  }
  return differences
}

function tellsAll(lacks: string, what: string): boolean {
  const missing = new Set(lacks.split(','))
  if (what.startsWith('event ')) return !missing.has('events')
  return what.startsWith('transaction ') ? !missing.has('other_transactions') : true
}

const hexOf = (bytes: Buffer): string => bytes.toString('hex')
const orNull = (value: string | number | bigint | null): string | null =>
  value === null ? null : String(value)

function factsOf(block: BlockMessage): Fact[] {
  const isWithReceipts = !block.lacks.includes('receipts')
  return [
    ['id', block.id],
    ['parent', block.parentId],
    ['header hash', block.headerHash],
    ['time', String(block.timeS)],
    ['consensus hash', block.consensusHash],
    ['tenure height', orNull(block.tenureHeight)],
    ['Bitcoin height', String(block.burnHeight)],
    ['Bitcoin hash', block.burnHash],
    ['commit that won', block.minerTxid],
    ['miner signature', block.minerSignature && hexOf(block.minerSignature)],
    ['transactions', block.lacks.includes('other_transactions') ? null : String(block.transactions.length)],
    ...block.transactions.flatMap(tx => txFacts(tx, isWithReceipts)),
    ...block.events.filter(({ isCommitted }) => isCommitted).map(eventFact),
  ]
}

/** By txid: who does not tell operations on Bitcoin may count positions otherwise. */
const txFacts = (tx: TransactionMessage, isWithReceipts: boolean): Fact[] => [
  [`transaction ${tx.txid}`, 'held'],
  [`status of ${tx.txid}`, tx.status],
  [`result of ${tx.txid}`, isWithReceipts ? hexOf(tx.result) : null],
  [`running time of ${tx.txid}`, orNull(tx.cost?.runtime ?? null)],
]

function eventFact({ index, txid, body }: StacksEvent): Fact {
  const what = `event ${index}`
  switch (body.kind) {
    case 'transfer':
      return [
        what,
        [
          txid,
          body.standard,
          body.action,
          body.asset ?? '',
          body.sender ?? '',
          body.recipient ?? '',
          body.amount,
        ].join(' '),
      ]
    case 'lock':
      return [what, [txid, 'lock', body.address, body.amountUstx, body.unlockHeight].join(' ')]
    case 'print':
      return [what, [txid, 'print', body.contract, hexOf(body.value)].join(' ')]
    case 'unknown':
      return [what, null]
  }
}

async function heldFacts(ask: Ask, height: number): Promise<Map<string, string | null>> {
  const [block] = await ask<Record<string, string | null>>(BLOCK_SQL, { height })
  if (block === undefined) return new Map()
  const facts = new Map(Object.entries(block))
  if (block.lacks?.includes('other_transactions')) facts.set('transactions', null)
  for (const { txid, status, result, runtime } of await ask<Record<string, string | null>>(TXS_SQL, {
    height,
  })) {
    facts.set(`transaction ${txid}`, 'held')
    facts.set(`status of ${txid}`, runtime === null ? null : status!)
    facts.set(`result of ${txid}`, runtime === null ? null : result!)
    facts.set(`running time of ${txid}`, runtime!)
  }
  for (const { at, text } of await ask<{ at: number; text: string }>(EVENTS_SQL, { height }))
    facts.set(`event ${at}`, text)
  return facts
}

const hex = (column: string): string => `concat('0x', lower(hex(${column})))`
const maybeHex = (column: string): string =>
  `if(${column} IS NULL, NULL, concat('0x', lower(hex(assumeNotNull(${column})))))`

const BLOCK_SQL = `SELECT ${hex('hash')} AS id, ${hex('prev_hash')} AS parent, ${hex('header_hash')} AS "header hash",
  toString(toUnixTimestamp(block_time)) AS time, ${maybeHex('consensus_hash')} AS "consensus hash",
  toString(tenure_height) AS "tenure height", toString(burn_height) AS "Bitcoin height", ${hex('burn_hash')} AS "Bitcoin hash",
  ${maybeHex('miner_txid')} AS "commit that won",
  if(miner_signature = '', NULL, lower(hex(miner_signature))) AS "miner signature",
  toString(tx_count) AS transactions, lacks
FROM stx_blocks
WHERE height = {height:UInt32}`

const TXS_SQL = `SELECT ${hex('txid')} AS txid, CAST(status AS String) AS status, lower(hex(result)) AS result,
  toString(runtime) AS runtime
FROM stx_txs
WHERE height = {height:UInt32}`

const EVENTS_SQL = `SELECT event_index AS at, concat(${hex('txid')}, ' ', CAST(standard AS String), ' ', CAST(action AS String), ' ', asset, ' ',
  ifNull(sender, ''), ' ', ifNull(recipient, ''), ' ', toString(amount)) AS text
FROM stx_transfers WHERE height = {height:UInt32}
UNION ALL
SELECT event_index, concat(${hex('txid')}, ' lock ', stacker, ' ', toString(amount_ustx), ' ', toString(unlock_height))
FROM stx_locks WHERE height = {height:UInt32}
UNION ALL
SELECT event_index, concat(${hex('txid')}, ' print ', contract, ' ', lower(hex(value)))
FROM stx_prints WHERE height = {height:UInt32}`
