import { createHash } from 'node:crypto'
import { signRecoverable } from 'tiny-secp256k1'
import {
  type BlockMessage,
  type ClarityValue,
  encodeValue,
  type Hex,
  openStacksCodec,
  parsePrintCatalogue,
  type RewardSet,
  type StacksEvent,
} from '#chains/stacks/index.ts'
import { openBurnRows } from '#ingest/rows/stacks/burnRows.ts'
import { openStacksRows } from '#ingest/rows/stacks/stacksRows.ts'
import type { RowOf } from '#kernel/table.ts'
import type { Warehouse } from '#warehouse/index.ts'
import { stxBatches, stxContracts, stxTenures } from '#warehouse/tables/stacks.ts'
import { stxBurnBatches } from '#warehouse/tables/stacksBurn.ts'
import prints from '../../catalog/stacks/prints.json' with { type: 'json' }

type EventBody = StacksEvent['body']
/** Events of one transaction, by its name. */
export type MadeStacksTx = { readonly name: string; readonly events: readonly EventBody[] }
export type MadeStacksBlock = {
  readonly height: number
  readonly timeS: number
  readonly burnHeight: number
  /** Name of the Bitcoin transaction whose commit won; zeros unless given. */
  readonly winner?: string
  /** It begins a tenure. */
  readonly isTenure?: boolean
  readonly txs?: readonly MadeStacksTx[]
  /** Place of its first event: above 0 where the ones before were cut. */
  readonly firstEvent?: number
  /** Contracts that come into being in it. */
  readonly contracts?: readonly string[]
  readonly rewards?: BlockMessage['minerRewards']
  /** What its source does not tell. */
  readonly lacks?: BlockMessage['lacks']
  readonly cycle?: { readonly number: number; readonly set: RewardSet }
  /** Secret keys of its signers. */
  readonly signedBy?: readonly Uint8Array[]
}

export const hashOfName = (name: string): Hex => `0x${createHash('sha256').update(name).digest('hex')}`
export const stacksBlockId = (height: number): Hex => hashOfName(`stacks block ${height}`)
const ZEROS: Hex = `0x${'00'.repeat(32)}`

/** Writes blocks as a live batch: rows made by ingest itself from messages as a node would post them. */
export async function writeMadeStacks(
  warehouse: Warehouse,
  blocks: readonly MadeStacksBlock[],
  batch = 1,
): Promise<void> {
  const rows = openStacksRows(openStacksCodec(), parsePrintCatalogue(prints))
  for (const block of blocks) rows.add(batch, messageOf(block))
  for (const { table, columns } of rows.take()) await warehouse.insertColumns(table, columns)
  const contracts = blocks.flatMap(({ height, timeS, contracts: made = [] }) =>
    made.map((contract, txIndex) => ({
      batch,
      height,
      blockTime: timeS,
      txIndex,
      txid: Buffer.from(hashOfName(contract).slice(2), 'hex'),
      contract,
      deployer: contract.split('.')[0] ?? '',
      clarityVersion: 3,
      epoch: '',
      sourceCode: '',
      interface: '',
      functionCount: null,
    })),
  )
  if (contracts.length > 0) await warehouse.insertRows(stxContracts, contracts)
  const tenures = blocks.flatMap(block => (block.isTenure ? [tenureOf(batch, block)] : []))
  if (tenures.length > 0) await warehouse.insertRows(stxTenures, tenures)
  await decideStacks(warehouse, batch, true, blocks)
}

function tenureOf(
  batch: number,
  { height, timeS, burnHeight, winner }: MadeStacksBlock,
): RowOf<typeof stxTenures> {
  const bytesOf = (hex: Hex) => Buffer.from(hex.slice(2), 'hex')
  return {
    batch,
    height,
    blockTime: timeS,
    txIndex: 0,
    cause: 'BlockFound',
    consensusHash: null,
    prevConsensusHash: null,
    burnViewConsensusHash: null,
    prevTenureEnd: null,
    prevTenureBlocks: null,
    minerKeyHash: null,
    burnHeight,
    burnHash: bytesOf(hashOfName(`burn ${burnHeight}`)),
    minerTxid: winner === undefined ? null : bytesOf(hashOfName(winner)),
  }
}

/** Commits a batch, or takes it back as a reorg does. */
export const decideStacks = (
  warehouse: Warehouse,
  batch: number,
  isLive: boolean,
  blocks: readonly { readonly height: number }[],
): Promise<void> => warehouse.insertRows(stxBatches, [decision(batch, isLive, blocks)])

/** Bitcoin blocks as Stacks nodes report them, as a live batch. */
export async function writeMadeBurnBlocks(
  warehouse: Warehouse,
  blocks: readonly Parameters<ReturnType<typeof openBurnRows>['add']>[1][],
  batch = 1,
): Promise<void> {
  const rows = openBurnRows()
  for (const block of blocks) rows.add(batch, block)
  for (const { table, columns } of rows.take()) await warehouse.insertColumns(table, columns)
  await warehouse.insertRows(stxBurnBatches, [decision(batch, true, blocks)])
}

function decision(batch: number, isLive: boolean, blocks: readonly { readonly height: number }[]) {
  const heights = blocks.map(({ height }) => height)
  return {
    batch,
    seq: process.hrtime.bigint(),
    isLive,
    isIsland: false,
    fromHeight: Math.min(...heights),
    toHeight: Math.max(...heights),
    firstPrevHash: new Uint8Array(32),
    lastHash: new Uint8Array(32),
    blockCount: heights.length,
    origin: 'observer' as const,
    reason: isLive ? '' : 'reorg',
    decidedAt: Math.floor(Date.now() / 1000),
  }
}

function messageOf(block: MadeStacksBlock): BlockMessage {
  const { height, timeS, burnHeight, winner, txs = [], rewards = [], cycle, firstEvent = 0 } = block
  let index = firstEvent
  return {
    source: 'events',
    lacks: block.lacks ?? [],
    height,
    id: stacksBlockId(height),
    parentId: stacksBlockId(height - 1),
    headerHash: hashOfName(`stacks header ${height}`),
    timeS,
    consensusHash: null,
    tenureHeight: null,
    burnHeight,
    burnHash: hashOfName(`burn ${burnHeight}`),
    burnTimeS: timeS,
    minerTxid: winner === undefined ? ZEROS : hashOfName(winner),
    parentBurnHash: null,
    parentMicroblock: null,
    cost: null,
    microblockCost: null,
    minerSignature: Buffer.alloc(65),
    signerSignatures: (block.signedBy ?? []).map(key => signatureOf(block, key)),
    signerBitvec: null,
    cycle: cycle?.number ?? null,
    rewardSet: cycle?.set ?? null,
    minerRewards: rewards,
    transactions: [],
    events: txs.flatMap(({ name, events }) =>
      events.map(body => ({ txid: hashOfName(name), index: index++, isCommitted: true, body })),
    ),
    unknown: [],
  }
}

/** Of the header’s hash, as headers hold it: parity, `r`, `s`. */
function signatureOf({ height }: MadeStacksBlock, key: Uint8Array): Buffer {
  const digest = Buffer.from(hashOfName(`stacks header ${height}`).slice(2), 'hex')
  const { recoveryId, signature } = signRecoverable(digest, key)
  return Buffer.from([recoveryId, ...signature])
}

/** A tuple as contracts print it. Numbers are uints, texts in `0x…` buffers, other texts ASCII, `'SP…` principals. */
export type Printable =
  | bigint
  | number
  | boolean
  | string
  | null
  | { readonly [name: string]: Printable }
  | readonly Printable[]

export const printOf = (contract: string, value: Printable): EventBody => ({
  kind: 'print',
  contract,
  topic: 'print',
  value: encodeValue(clarityOf(value)),
})

function clarityOf(value: Printable): ClarityValue {
  if (value === null) return { type: 'optional', value: null }
  if (typeof value === 'bigint') return { type: 'uint', value }
  if (typeof value === 'number') return { type: 'int', value: BigInt(value) }
  if (typeof value === 'boolean') return { type: 'bool', value }
  if (typeof value === 'string') {
    if (value.startsWith('0x')) return { type: 'buffer', value: Buffer.from(value.slice(2), 'hex') }
    if (value.startsWith("'")) return { type: 'principal', value: value.slice(1) }
    return { type: 'string-ascii', value }
  }
  if (Array.isArray(value)) return { type: 'list', items: value.map(clarityOf) }
  return {
    type: 'tuple',
    fields: Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, field]) => ({ name, value: clarityOf(field) })),
  }
}

/** An amount that moved, was made or destroyed. */
export function moved(given: {
  asset?: string
  from?: string
  to?: string
  amount?: bigint
  token?: Printable
}): EventBody {
  const { asset = null, from = null, to = null, amount = 1n, token } = given
  return {
    kind: 'transfer',
    standard: asset === null ? 'stx' : token === undefined ? 'ft' : 'nft',
    action: from === null ? 'mint' : to === null ? 'burn' : 'transfer',
    asset,
    sender: from,
    recipient: to,
    amount,
    tokenId: token === undefined ? null : encodeValue(clarityOf(token)),
    memo: null,
  }
}
