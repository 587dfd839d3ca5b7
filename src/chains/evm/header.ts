import { address, dataHex, type Fields, fixedHex, hash, index, maybe, need, quantity, u64 } from './fields.ts'
import { type Hex, ZERO_HASH } from './hex.ts'
import { keccakHex } from './keccak.ts'
import { readRlp, rlpBytes, rlpList, rlpQuantity } from './rlp/reader.ts'
import type { RlpWriter } from './rlp/writer.ts'

/** Fields that the headers of all EVM chains have in common. */
export type HeaderCore = {
  readonly hash: Hex
  readonly number: number
  readonly parentHash: Hex
  /** Seconds. */
  readonly timeS: number
  readonly miner: Hex
  readonly difficulty: bigint
  readonly gasLimit: bigint
  readonly gasUsed: bigint
  readonly sha3Uncles: Hex
  readonly stateRoot: Hex
  readonly transactionsRoot: Hex
  readonly receiptsRoot: Hex
  readonly logsBloom: Hex
  readonly extraData: Hex
}

/** Ethereum's header; what came with a fork is null before it. */
export type StandardHeader = HeaderCore & {
  readonly form: 'standard'
  readonly mixHash: Hex
  readonly nonce: Hex
  readonly baseFeePerGas: bigint | null
  readonly withdrawalsRoot: Hex | null
  readonly blobGasUsed: bigint | null
  readonly excessBlobGas: bigint | null
  readonly parentBeaconBlockRoot: Hex | null
  readonly requestsHash: Hex | null
}

export function readHeaderCore(from: Fields): HeaderCore {
  return {
    hash: need(from, 'hash', hash),
    number: need(from, 'number', index),
    parentHash: need(from, 'parentHash', hash),
    timeS: need(from, 'timestamp', index),
    miner: need(from, 'miner', address),
    difficulty: need(from, 'difficulty', quantity),
    gasLimit: need(from, 'gasLimit', u64),
    gasUsed: need(from, 'gasUsed', u64),
    sha3Uncles: need(from, 'sha3Uncles', hash),
    stateRoot: need(from, 'stateRoot', hash),
    transactionsRoot: need(from, 'transactionsRoot', hash),
    receiptsRoot: need(from, 'receiptsRoot', hash),
    logsBloom: need(from, 'logsBloom', bloom),
    extraData: need(from, 'extraData', dataHex),
  }
}

export const bloom = (value: unknown): Hex => fixedHex(value, 256)
const word8 = (value: unknown): Hex => fixedHex(value, 8)

export function readStandardHeader(from: Fields): StandardHeader {
  return {
    form: 'standard',
    ...readHeaderCore(from),
    mixHash: maybe(from, 'mixHash', hash) ?? ZERO_HASH,
    nonce: maybe(from, 'nonce', word8) ?? `0x${'00'.repeat(8)}`,
    baseFeePerGas: maybe(from, 'baseFeePerGas', quantity),
    withdrawalsRoot: maybe(from, 'withdrawalsRoot', hash),
    blobGasUsed: maybe(from, 'blobGasUsed', u64),
    excessBlobGas: maybe(from, 'excessBlobGas', u64),
    parentBeaconBlockRoot: maybe(from, 'parentBeaconBlockRoot', hash),
    requestsHash: maybe(from, 'requestsHash', hash),
  }
}

/** keccak256 of the RLP of the header. Source: Ethereum yellow paper, section 4.3; EIP-1559, -4895, -4844, -4788, -7685. */
export function standardHeaderHash(header: StandardHeader, writer: RlpWriter): Hex {
  writer.reset()
  if (header.requestsHash !== null) writer.hex(header.requestsHash)
  if (header.parentBeaconBlockRoot !== null) writer.hex(header.parentBeaconBlockRoot)
  if (header.excessBlobGas !== null) writer.quantity(header.excessBlobGas)
  if (header.blobGasUsed !== null) writer.quantity(header.blobGasUsed)
  if (header.withdrawalsRoot !== null) writer.hex(header.withdrawalsRoot)
  if (header.baseFeePerGas !== null) writer.quantity(header.baseFeePerGas)
  writer.hex(header.nonce)
  writer.hex(header.mixHash)
  writeHeaderCore(header, writer)
  writer.list(0)
  return keccakHex(writer.since(0))
}

/** The first 13 fields, last first: Rootstock and Ethereum share them. */
export function writeHeaderCore(header: HeaderCore, writer: RlpWriter): void {
  writer.hex(header.extraData)
  writer.quantity(header.timeS)
  writer.quantity(header.gasUsed)
  writer.quantity(header.gasLimit)
  writer.quantity(header.number)
  writer.quantity(header.difficulty)
  writer.hex(header.logsBloom)
  writer.hex(header.receiptsRoot)
  writer.hex(header.transactionsRoot)
  writer.hex(header.stateRoot)
  writer.hex(header.miner)
  writer.hex(header.sha3Uncles)
  writer.hex(header.parentHash)
}

/** The first 13 items of a raw header; its hash is not known from them. */
export function decodeHeaderCore(items: ReturnType<typeof rlpList>): Omit<HeaderCore, 'hash'> {
  const hashAt = (i: number, what: string): Hex => rlpBytes(items[i], what, [32])
  return {
    parentHash: hashAt(0, 'parent hash'),
    sha3Uncles: hashAt(1, 'hash of uncles'),
    miner: rlpBytes(items[2], 'miner', [20]),
    stateRoot: hashAt(3, 'state root'),
    transactionsRoot: hashAt(4, 'transactions root'),
    receiptsRoot: hashAt(5, 'receipts root'),
    logsBloom: rlpBytes(items[6], 'logs bloom', [256]),
    difficulty: rlpQuantity(items[7], 'difficulty'),
    number: Number(rlpQuantity(items[8], 'number', 6)),
    gasLimit: rlpQuantity(items[9], 'gas limit', 8),
    gasUsed: rlpQuantity(items[10], 'gas used', 8),
    timeS: Number(rlpQuantity(items[11], 'time', 6)),
    extraData: rlpBytes(items[12], 'extra data'),
  }
}

/** The header in its raw form. Throws `DecodeError` with the offset of what is wrong. */
export function decodeStandardHeader(bytes: Uint8Array): StandardHeader {
  const items = rlpList(readRlp(bytes), 'header', [15, 16, 17, 20, 21])
  const hashAt = (i: number, what: string): Hex => rlpBytes(items[i], what, [32])
  return {
    form: 'standard',
    ...decodeHeaderCore(items),
    hash: keccakHex(bytes),
    mixHash: hashAt(13, 'mix hash'),
    nonce: rlpBytes(items[14], 'nonce', [8]),
    baseFeePerGas: items.length > 15 ? rlpQuantity(items[15], 'base fee') : null,
    withdrawalsRoot: items.length > 16 ? hashAt(16, 'withdrawals root') : null,
    blobGasUsed: items.length > 17 ? rlpQuantity(items[17], 'blob gas used', 8) : null,
    excessBlobGas: items.length > 18 ? rlpQuantity(items[18], 'excess blob gas', 8) : null,
    parentBeaconBlockRoot: items.length > 19 ? hashAt(19, 'parent beacon block root') : null,
    requestsHash: items.length > 20 ? hashAt(20, 'requests hash') : null,
  }
}
