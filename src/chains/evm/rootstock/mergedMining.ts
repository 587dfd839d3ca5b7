import { hash } from 'node:crypto'
import { bytesOf, type Hex, hexOf } from '../hex.ts'
import type { RlpWriter } from '../rlp/writer.ts'
import { hashForMergedMining, type RootstockHeader, rootstockFormOf } from './header.ts'

const TAG = Buffer.from('RSKBLOCK:', 'latin1')
const PREFIX_BYTES = 20

/** What the merged-mining fields of a Rootstock block prove. */
export type MergedMining = {
  /** Hash of the Bitcoin header, display order. */
  readonly bitcoinHash: string
  /** Whether that hash meets the difficulty of the Rootstock block. */
  readonly meetsDifficulty: boolean
  /** Whether the coinbase commits to this block: its last tag carries the first 20 bytes of the hash for merged mining. */
  readonly isTagged: boolean
  /** The 32 bytes after the tag: prefix, parents vector, uncle count, block number (RSKIP-110); null without a tag. */
  readonly tag: Hex | null
}

/**
 * What the proof says; null where the header does not hash, or has no proof. 2^256 / difficulty bounds the Bitcoin hash, as
 * rskj's DifficultyUtils.difficultyToTarget.
 */
export function mergedMiningOf(header: RootstockHeader, writer: RlpWriter): MergedMining | null {
  const form = rootstockFormOf(header, writer)
  if (form === null || header.bitcoinHeader === '0x') return null
  const digest = sha256Twice(bytesOf(header.bitcoinHeader)).reverse()
  const divisor = header.difficulty > 3n ? header.difficulty : 3n
  const coinbase = bytesOf(header.bitcoinCoinbase)
  const at = coinbase.lastIndexOf(TAG)
  const after = at < 0 ? null : coinbase.subarray(at + TAG.length, at + TAG.length + 32)
  const wanted = hashForMergedMining(header, form, writer)
  return {
    bitcoinHash: digest.toString('hex'),
    meetsDifficulty: BigInt(hexOf(digest)) <= (1n << 256n) / divisor,
    isTagged: after?.subarray(0, PREFIX_BYTES).equals(wanted.subarray(0, PREFIX_BYTES)) ?? false,
    tag: after === null ? null : hexOf(after),
  }
}

const sha256Twice = (message: Uint8Array): Buffer =>
  hash('sha256', hash('sha256', message, 'buffer'), 'buffer')
