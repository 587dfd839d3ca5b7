import { DecodeError } from '../errors.ts'
import { dataHex, type Fields, hash, isAbsent, listOf, maybe, need, quantity, told } from '../fields.ts'
import { decodeHeaderCore, type HeaderCore, readHeaderCore, writeHeaderCore } from '../header.ts'
import { bytesOf, type Hex, hexOf, ZERO_HASH } from '../hex.ts'
import { keccak, keccakHex } from '../keccak.ts'
import { readRlp, rlpBytes, rlpList, rlpQuantity } from '../rlp/reader.ts'
import type { RlpWriter } from '../rlp/writer.ts'

/** Rootstock's header: Ethereum's first 13 fields, then fees and the proof that Bitcoin's miners worked on it. */
export type RootstockHeader = HeaderCore & {
  readonly form: 'rootstock'
  /** Fees paid to the miner, wei. */
  readonly paidFees: bigint
  /** Lowest gas price that the miner takes, wei; null in the first blocks. */
  readonly minimumGasPrice: bigint | null
  readonly uncleCount: number
  /** Root for mining with more than one layer; empty in all blocks so far, null before Papyrus. */
  readonly ummRoot: Hex | null
  /** Where the lists of transactions that run side by side end (RSKIP-144); null before. */
  readonly edges: readonly number[] | null
  readonly baseEvent: Hex | null
  /** The Bitcoin header that was mined, 80 bytes. */
  readonly bitcoinHeader: Hex
  readonly bitcoinMerkleProof: Hex
  readonly bitcoinCoinbase: Hex
  /** As the node states it; `mergedMining.ts` computes its prefix. */
  readonly hashForMergedMining: Hex | null
}

const smallNumber = (value: unknown): number => {
  if (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 0xffff) return Number(value)
  throw new DecodeError('type', `expected a number up to 65535, got ${told(value)}`, {})
}

/** `hasUmmRoot` follows from what hashes to the block's hash: an answer does not show the field. */
export function readRootstockHeader(from: Fields): RootstockHeader {
  return {
    form: 'rootstock',
    ...readHeaderCore(from),
    paidFees: need(from, 'paidFees', quantity),
    minimumGasPrice: maybe(from, 'minimumGasPrice', quantity),
    uncleCount: listOf(from, 'uncles', hash, true).length,
    ummRoot: null,
    edges: isAbsent(from, 'rskPteEdges') ? null : listOf(from, 'rskPteEdges', smallNumber),
    baseEvent: maybe(from, 'baseEvent', dataHex),
    bitcoinHeader: need(from, 'bitcoinMergedMiningHeader', dataHex),
    bitcoinMerkleProof: maybe(from, 'bitcoinMergedMiningMerkleProof', dataHex) ?? '0x',
    bitcoinCoinbase: maybe(from, 'bitcoinMergedMiningCoinbaseTransaction', dataHex) ?? '0x',
    hashForMergedMining: maybe(from, 'hashForMergedMining', hash),
  }
}

/** How a header was serialised: what an answer of a node leaves open. */
export type RootstockForm = {
  /** Papyrus: an `ummRoot` field is there. */
  readonly hasUmmRoot: boolean
  /** 0: the logs bloom stands in the header; 1, 2: the hash of an extension does (RSKIP-351, RSKIP-535). */
  readonly version: 0 | 1 | 2
  /** Before Orchid (RSKIP-92) the merkle proof and the coinbase were hashed too. */
  readonly hasProof: boolean
}

/** Forms in the order of likelihood; the first one that gives the stated hash is the block's. */
function formsOf(header: RootstockHeader): readonly RootstockForm[] {
  if (header.baseEvent !== null) return [{ hasUmmRoot: true, version: 2, hasProof: false }]
  if (header.edges !== null)
    return [
      { hasUmmRoot: true, version: 1, hasProof: false },
      { hasUmmRoot: true, version: 2, hasProof: false },
      { hasUmmRoot: true, version: 0, hasProof: false },
    ]
  return [
    { hasUmmRoot: true, version: 0, hasProof: false },
    { hasUmmRoot: false, version: 0, hasProof: false },
    { hasUmmRoot: false, version: 0, hasProof: true },
  ]
}

/** The form under which a header has the hash that its node states; null where it has it under none. */
export function rootstockFormOf(header: RootstockHeader, writer: RlpWriter): RootstockForm | null {
  return formsOf(header).find(form => rootstockHeaderHash(header, form, writer) === header.hash) ?? null
}

/** keccak256 of the RLP of the header. Sources: RSKIP-92, -110, -351; rskj BlockHeader. */
export function rootstockHeaderHash(header: RootstockHeader, form: RootstockForm, writer: RlpWriter): Hex {
  return keccakHex(writeRootstockHeader(header, form, writer, true))
}

/** keccak256 of the RLP of the header without its merged-mining fields: what Bitcoin's miners commit to. */
export function hashForMergedMining(header: RootstockHeader, form: RootstockForm, writer: RlpWriter): Buffer {
  const base = keccak(writeRootstockHeader(header, form, writer, false))
  if (header.ummRoot === null || header.ummRoot === '0x') return base
  return keccak(Buffer.concat([base.subarray(0, 20), bytesOf(header.ummRoot)]))
}

function writeRootstockHeader(
  header: RootstockHeader,
  { hasUmmRoot, version, hasProof }: RootstockForm,
  writer: RlpWriter,
  withMining: boolean,
): Uint8Array {
  const extension = version === 0 ? null : extensionOf(header, version, writer)
  writer.reset()
  if (withMining && header.bitcoinHeader !== '0x') {
    if (hasProof) {
      writer.hex(header.bitcoinCoinbase)
      writer.hex(header.bitcoinMerkleProof)
    }
    writer.hex(header.bitcoinHeader)
  }
  if (version === 0 && header.edges !== null) writer.hex(edgesHex(header.edges))
  if (hasUmmRoot) writer.hex(header.ummRoot ?? '0x')
  writer.quantity(header.uncleCount)
  writeMinimumGasPrice(header.minimumGasPrice, writer)
  writer.quantity(header.paidFees)
  writeHeaderCore(extension === null ? header : { ...header, logsBloom: extension }, writer)
  writer.list(0)
  return writer.since(0)
}

/** A Java BigInteger's bytes: one zero byte for zero, and one in front where the first bit would be a sign. */
function writeMinimumGasPrice(price: bigint | null, writer: RlpWriter): void {
  if (price === null) writer.hex('0x')
  else {
    const digits = price.toString(16)
    const even = digits.length % 2 === 0 ? digits : `0${digits}`
    writer.hex(Number.parseInt(even.slice(0, 2), 16) >= 0x80 ? `0x00${even}` : `0x${even}`)
  }
}

/** RLP([version, keccak256(RLP([keccak256(logs bloom), base event (version 2), edges]))]). */
function extensionOf(header: RootstockHeader, version: 1 | 2, writer: RlpWriter): Hex {
  writer.reset()
  if (header.edges !== null) writer.hex(edgesHex(header.edges))
  if (version === 2) writer.hex(header.baseEvent ?? '0x')
  writer.raw(keccak(bytesOf(header.logsBloom)))
  writer.list(0)
  const inner = keccak(writer.since(0))
  writer.reset()
  writer.raw(inner)
  writer.quantity(version)
  writer.list(0)
  return hexOf(writer.since(0))
}

function edgesHex(edges: readonly number[]): Hex {
  const bytes = Buffer.alloc(edges.length * 2)
  for (const [i, edge] of edges.entries()) bytes.writeUInt16LE(edge, i * 2)
  return hexOf(bytes)
}

/** A raw header of version 0 with its merged-mining fields: 19 items before Papyrus, 20 since. */
export function decodeRootstockHeader(bytes: Uint8Array, writer: RlpWriter): RootstockHeader {
  const items = rlpList(readRlp(bytes), 'header', [19, 20])
  const shift = items.length - 19
  const header: RootstockHeader = {
    form: 'rootstock',
    ...decodeHeaderCore(items),
    hash: ZERO_HASH,
    paidFees: rlpQuantity(items[13], 'paid fees'),
    minimumGasPrice: signedQuantity(rlpBytes(items[14], 'minimum gas price')),
    uncleCount: Number(rlpQuantity(items[15], 'uncle count', 2)),
    ummRoot: shift === 1 ? rlpBytes(items[16], 'UMM root', [0, 20]) : null,
    edges: null,
    baseEvent: null,
    bitcoinHeader: rlpBytes(items[16 + shift], 'Bitcoin header', [80]),
    bitcoinMerkleProof: rlpBytes(items[17 + shift], 'merkle proof'),
    bitcoinCoinbase: rlpBytes(items[18 + shift], 'Bitcoin coinbase'),
    hashForMergedMining: null,
  }
  const form: RootstockForm = { hasUmmRoot: shift === 1, version: 0, hasProof: false }
  return { ...header, hash: rootstockHeaderHash(header, form, writer) }
}

const signedQuantity = (hex: Hex): bigint | null => (hex === '0x' ? null : BigInt(hex))
