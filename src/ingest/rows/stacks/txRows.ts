import {
  type BlockMessage,
  type ClarityValue,
  type DecodedTransaction,
  DecodeError,
  type ExecutionCost,
  type Payload,
  parseInterface,
  payerOf,
  postConditionJson,
  reprOf,
  type StacksCodec,
  type StacksEvent,
  type TransactionMessage,
  typeText,
} from '#chains/stacks/index.ts'
import { STACKS_TX_STATUSES, type StacksTxStatus } from '#kernel/stacks.ts'
import { IngestError } from '../../errors.ts'
import { leavesOf } from './leaves.ts'
import type { Unknowns } from './unknowns.ts'
import type { Place, Writers } from './writers.ts'

/** What the transactions of a block come to. */
export type TxTotals = {
  feeUstx: bigint
  failed: number
  bitcoinOps: number
  unknown: number
  inMicroblocks: number
  contracts: number
  isNakamoto: boolean
  cost: Record<keyof ExecutionCost, bigint>
}

const NO_MEMO = new Uint8Array(0)
const FREE: ExecutionCost = { readCount: 0, readLength: 0, writeCount: 0, writeLength: 0, runtime: 0 }
/** Where nobody says what running took. */
export const NO_COST: Record<keyof ExecutionCost, null> = {
  readCount: null,
  readLength: null,
  writeCount: null,
  writeLength: null,
  runtime: null,
}

/**
 * Adds the transactions of a block, and what follows from their payloads. A transaction that no rule reads is kept with its
 * bytes. Throws `ingest.txid` where bytes have another txid than the node says.
 */
export function addTransactions(
  writers: Writers,
  unknowns: Unknowns,
  codec: StacksCodec,
  place: Place,
  block: BlockMessage,
  eventsOf: ReadonlyMap<string, readonly StacksEvent[]>,
): TxTotals {
  const totals: TxTotals = {
    feeUstx: 0n,
    failed: 0,
    bitcoinOps: 0,
    unknown: 0,
    inMicroblocks: 0,
    contracts: 0,
    isNakamoto: block.minerSignature !== null,
    cost: { readCount: 0n, readLength: 0n, writeCount: 0n, writeLength: 0n, runtime: 0n },
  }
  const hasReceipts = !block.lacks.includes('receipts')
  const hasEvents = !block.lacks.includes('events')
  for (const tx of block.transactions) {
    const events = eventsOf.get(tx.txid) ?? []
    const status = statusOf(tx.status)
    const isSuccess = tx.status === null ? null : status === 'success'
    const resultRepr = reprOfBytes(codec, tx.result)
    const decoded = tx.raw === null ? null : decode(codec, tx, unknowns)
    const cost = tx.cost ?? FREE
    for (const dimension of DIMENSIONS) totals.cost[dimension] += BigInt(cost[dimension])
    if (isSuccess === false) totals.failed += 1
    if (tx.raw === null) totals.bitcoinOps += 1
    else if (decoded === null) totals.unknown += 1
    if (tx.microblock !== null) totals.inMicroblocks += 1
    if (tx.status !== null && status === 'unknown')
      unknowns.add('field', `status of a transaction: ${tx.status}`, tx.txid, tx.status)
    for (const { name, json } of tx.unknown) unknowns.add('field', name, tx.txid, json)
    const payload = decoded?.payload
    const sender = decoded?.auth.origin.address ?? senderOf(tx, events)
    const payer = decoded && payerOf(decoded.auth)
    totals.feeUstx += payer?.feeUstx ?? 0n
    const at = { ...place, txIndex: tx.index }
    const paid = tx.raw === null ? transferOf(events) : undefined
    writers.txs.add({
      ...at,
      txid: tx.txid,
      kind: payload?.kind ?? (tx.raw === null ? 'bitcoin_op' : 'unknown'),
      status,
      isSuccess,
      sender,
      sponsor: decoded?.auth.sponsor?.address ?? null,
      authType: decoded?.auth.type ?? '',
      hashMode: decoded?.auth.origin.hashMode ?? '',
      nonce: decoded?.auth.origin.nonce ?? 0n,
      feeUstx: payer?.feeUstx ?? 0n,
      anchorMode: decoded?.anchorMode ?? '',
      postConditionMode: decoded?.postConditionMode ?? '',
      postConditionCount: decoded?.postConditions.length ?? 0,
      postConditions:
        decoded && decoded.postConditions.length > 0
          ? JSON.stringify(decoded.postConditions.map(postConditionJson))
          : '',
      recipient: (payload && recipientOf(payload)) ?? paid?.recipient ?? null,
      amountUstx: payload?.kind === 'token_transfer' ? payload.amountUstx : (paid?.amount ?? null),
      memo: payload?.kind === 'token_transfer' ? payload.memo : NO_MEMO,
      contract: contractOf(payload, sender),
      functionName: payload?.kind === 'contract_call' ? payload.functionName : '',
      clarityVersion: payload?.kind === 'versioned_smart_contract' ? payload.clarityVersion : null,
      result: tx.result,
      resultRepr,
      vmError: tx.vmError ?? '',
      ...(hasReceipts ? bigCost(cost) : NO_COST),
      eventCount: hasEvents ? events.length : null,
      sizeBytes: decoded?.sizeBytes ?? tx.raw?.length ?? 0,
      microblockHash: tx.microblock?.hash ?? null,
      microblockSequence: tx.microblock?.sequence ?? null,
      raw:
        tx.raw === null
          ? tx.bitcoinOp === null
            ? ''
            : JSON.stringify(tx.bitcoinOp)
          : decoded === null
            ? tx.raw.toString('hex')
            : '',
    })
    if (payload === undefined) continue
    switch (payload.kind) {
      case 'contract_call':
        addCall(writers, at, { tx, payload, sender, isSuccess, resultRepr })
        break
      case 'smart_contract':
      case 'versioned_smart_contract':
        if (!isSuccess) break
        totals.contracts += 1
        addContract(writers, unknowns, at, { tx, payload, sender })
        break
      case 'tenure_change':
        totals.isNakamoto = true
        addTenure(writers, at, block, payload)
        break
      case 'nakamoto_coinbase':
        totals.isNakamoto = true
        break
      case 'coinbase':
      case 'coinbase_to_alt_recipient':
        addTenure(writers, at, block, null)
    }
  }
  return totals
}

const DIMENSIONS = ['readCount', 'readLength', 'writeCount', 'writeLength', 'runtime'] as const

const bigCost = (cost: ExecutionCost): Record<keyof ExecutionCost, bigint> => ({
  readCount: BigInt(cost.readCount),
  readLength: BigInt(cost.readLength),
  writeCount: BigInt(cost.writeCount),
  writeLength: BigInt(cost.writeLength),
  runtime: BigInt(cost.runtime),
})

const STATUSES: ReadonlySet<string> = new Set(STACKS_TX_STATUSES)
const statusOf = (status: string | null): StacksTxStatus =>
  status !== null && STATUSES.has(status) ? (status as StacksTxStatus) : 'unknown'

function decode(codec: StacksCodec, tx: TransactionMessage, unknowns: Unknowns): DecodedTransaction | null {
  let decoded: DecodedTransaction
  try {
    decoded = codec.decodeTransaction(tx.raw!)
  } catch (thrown) {
    if (!(thrown instanceof DecodeError)) throw thrown
    unknowns.add('transaction', thrown.message, tx.txid, tx.raw!.toString('hex'))
    return null
  }
  if (tx.txid.slice(2) === decoded.txid) return decoded
  throw new IngestError(
    'ingest.txid',
    `Transaction ${tx.index} is called ${tx.txid} but is ${decoded.txid}.`,
    {
      facts: { got: tx.txid, expected: decoded.txid },
      hint: 'The node or archive has altered it: read the block again from another one.',
    },
  )
}

/** Readable text; empty where the bytes are no value. */
function reprOfBytes(codec: StacksCodec, bytes: Uint8Array): string {
  const value = clarityOf(codec, bytes)
  return value === null ? '' : reprOf(value)
}

/** The value, null where the bytes are none. */
export function clarityOf(codec: StacksCodec, bytes: Uint8Array): ClarityValue | null {
  try {
    return codec.decodeValue(bytes)
  } catch (thrown) {
    if (thrown instanceof DecodeError) return null
    throw thrown
  }
}

/** Who an operation on Bitcoin acts for: as the node says, else whose STX it moved or locked. */
function senderOf(tx: TransactionMessage, events: readonly StacksEvent[]): string {
  const [operation] = Object.values(tx.bitcoinOp ?? {}) as { sender?: { address?: unknown } }[]
  const named = operation?.sender?.address
  if (typeof named === 'string') return named
  for (const { body } of events) {
    if (body.kind === 'lock') return body.address
    if (body.kind === 'transfer' && body.sender !== null) return body.sender
  }
  return ''
}

function transferOf(
  events: readonly StacksEvent[],
): { recipient: string | null; amount: bigint } | undefined {
  for (const { body } of events)
    if (body.kind === 'transfer' && body.standard === 'stx' && body.amount < 1n << 64n) return body
  return undefined
}

function recipientOf(payload: Payload): string | null {
  return 'recipient' in payload ? payload.recipient : null
}

function contractOf(payload: Payload | undefined, sender: string): string | null {
  if (payload === undefined) return null
  if (payload.kind === 'contract_call') return payload.contract
  return 'contractName' in payload ? `${sender}.${payload.contractName}` : null
}

type At = Place & { readonly txIndex: number }
type PayloadOf<K extends Payload['kind']> = Extract<Payload, { kind: K }>

function addCall(
  writers: Writers,
  at: At,
  call: {
    tx: TransactionMessage
    payload: PayloadOf<'contract_call'>
    sender: string
    isSuccess: boolean | null
    resultRepr: string
  },
): void {
  const { contract, functionName, args } = call.payload
  const { txid } = call.tx
  writers.calls.add({
    ...at,
    txid,
    sender: call.sender,
    contract,
    functionName,
    isSuccess: call.isSuccess,
    argCount: args.length,
    resultRepr: call.resultRepr,
  })
  for (let argIndex = 0; argIndex < args.length; argIndex++) {
    const leaves = leavesOf(args[argIndex]!)
    for (let leafIndex = 0; leafIndex < leaves.length; leafIndex++)
      writers.callArgs.add({
        ...at,
        txid,
        contract,
        functionName,
        argIndex,
        leafIndex,
        ...leaves[leafIndex]!,
      })
  }
}

function addContract(
  writers: Writers,
  unknowns: Unknowns,
  at: At,
  made: {
    tx: TransactionMessage
    payload: PayloadOf<'smart_contract' | 'versioned_smart_contract'>
    sender: string
  },
): void {
  const { tx, payload, sender } = made
  const contract = `${sender}.${payload.contractName}`
  const abi = tx.contractInterface
  let functionCount: number | null = null
  if (abi !== null)
    try {
      functionCount = addFunctions(writers, at, contract, parseInterface(abi))
    } catch (thrown) {
      unknowns.add('field', `contract_interface: ${(thrown as Error).message}`, tx.txid, JSON.stringify(abi))
    }
  writers.contracts.add({
    ...at,
    txid: tx.txid,
    contract,
    deployer: sender,
    clarityVersion: 'clarityVersion' in payload ? payload.clarityVersion : versionOf(abi?.clarity_version),
    epoch: typeof abi?.epoch === 'string' ? abi.epoch : '',
    sourceCode: payload.source,
    interface: abi === null ? '' : JSON.stringify(abi),
    functionCount,
  })
}

/** `Clarity2` as nodes write it. */
function versionOf(text: unknown): number | null {
  const digits = typeof text === 'string' ? /^Clarity(\d{1,2})$/.exec(text)?.[1] : undefined
  return digits === undefined ? null : Number(digits)
}

function addFunctions(
  writers: Writers,
  at: At,
  contract: string,
  { functions }: ReturnType<typeof parseInterface>,
): number {
  let count = 0
  for (const { name: functionName, access, args } of functions.values()) {
    if (access === 'private') continue
    count += 1
    for (const [argIndex, { name, type }] of args.entries())
      writers.functionArgs.add({
        ...at,
        contract,
        functionName,
        isReadOnly: access === 'read_only',
        argIndex,
        name,
        type: typeText(type),
      })
  }
  return count
}

function addTenure(
  writers: Writers,
  at: At,
  block: BlockMessage,
  change: PayloadOf<'tenure_change'> | null,
): void {
  writers.tenures.add({
    ...at,
    cause: change?.cause ?? 'BlockFound',
    consensusHash: change === null ? block.consensusHash : `0x${change.tenureConsensusHash}`,
    prevConsensusHash: change && `0x${change.previousTenureConsensusHash}`,
    burnViewConsensusHash: change && `0x${change.burnViewConsensusHash}`,
    prevTenureEnd: change && `0x${change.previousTenureEnd}`,
    prevTenureBlocks: change?.previousTenureBlocks ?? null,
    minerKeyHash: change && `0x${change.publicKeyHash}`,
    burnHeight: block.burnHeight,
    burnHash: block.burnHash,
    minerTxid: block.minerTxid,
  })
}
