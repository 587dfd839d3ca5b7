import { hexOf } from '../hex.ts'
import type { DecodedBlock } from './block.ts'
import { CheckError } from './errors.ts'
import type { Hasher } from './hash/hasher.ts'
import { targetOf } from './header.ts'
import { merkleRoot } from './merkle.ts'
import { witnessEndOf } from './witness.ts'

export type CheckOptions = {
  /** Whether the header hash must meet its own target; true unless said. Regtest blocks meet theirs too. */
  readonly proofOfWork?: boolean
}

/**
 * Checks what a block proves about itself: work, merkle root without repeated transactions, one coinbase, witness
 * commitment. Whether its target, its height or its coins are right cannot be told from one block. Errors: `CheckError`
 * `check.work`, `check.merkle_root`, `check.duplicate`, `check.coinbase`, `check.witness_commitment`.
 */
export function checkBlock(hasher: Hasher, block: DecodedBlock, options: CheckOptions = {}): void {
  const hash = hexOf(block.hash)
  if (options.proofOfWork ?? true) {
    const target = targetOf(block.bits)
    if (target === undefined || BigInt(`0x${hash}`) > target) {
      const bits = block.bits.toString(16).padStart(8, '0')
      throw new CheckError('work', `The hash of block ${hash} does not meet its target ${bits}.`, {
        hash,
        bits,
      })
    }
  }
  const { root, isMutated } = merkleRoot(hasher, block.txs.txid)
  if (!equal(root, block.merkleRoot)) {
    throw new CheckError('merkle_root', `The transactions of block ${hash} do not give its merkle root.`, {
      hash,
      got: hexOf(root),
      expected: hexOf(block.merkleRoot),
    })
  }
  if (isMutated) {
    throw new CheckError('duplicate', `Block ${hash} repeats transactions (CVE-2012-2459).`, { hash })
  }
  checkSingleCoinbase(block, hash)
  checkWitnessCommitment(hasher, block, hash)
}

function checkSingleCoinbase({ txs, inputs }: DecodedBlock, hash: string): void {
  for (let tx = 0; tx < txs.count; tx++) {
    const first = txs.firstInput[tx]!
    if (txs.firstInput[tx + 1] === first || txs.firstOutput[tx + 1] === txs.firstOutput[tx]) {
      throw new CheckError('empty', `Transaction ${tx} of block ${hash} lacks inputs or outputs.`, {
        hash,
        tx,
      })
    }
    for (let i = first; tx > 0 && i < txs.firstInput[tx + 1]!; i++) {
      if (inputs.prevVout[i] !== 0xffffffff) continue
      if (inputs.prevTxid.subarray(32 * i, 32 * i + 32).every(byte => byte === 0)) {
        throw new CheckError('coinbase', `Transaction ${tx} of block ${hash} is a second coinbase.`, {
          hash,
          tx,
        })
      }
    }
  }
}

/**
 * The commitment in the last coinbase output that starts 6a24aa21a9ed must be the hash of the merkle root of all wtxids
 * (the coinbase's taken as zeros) and the 32 bytes in the coinbase's witness. A block without one must have no witness.
 * Source: BIP-141, Bitcoin Core `CheckWitnessMalleation`.
 */
function checkWitnessCommitment(hasher: Hasher, block: DecodedBlock, hash: string): void {
  const { txs } = block
  const committed = witnessCommitmentOf(block)
  if (committed === undefined) {
    if (!txs.hasWitness.includes(1)) return
    throw new CheckError('witness_commitment', `Block ${hash} has witnesses and no commitment to them.`, {
      hash,
    })
  }
  const { count, last } = witnessEndOf(block, 0)
  // Before segwit a coinbase could carry the marker without a witness: then nothing is committed to.
  if (count === 0 && !txs.hasWitness.includes(1)) return
  const [reserved] = last
  if (count !== 1 || reserved?.length !== 32) {
    throw new CheckError('witness_commitment', `The coinbase of block ${hash} lacks its 32-byte witness.`, {
      hash,
    })
  }
  const ids = txs.wtxid.slice()
  ids.fill(0, 0, 32)
  const { root } = merkleRoot(hasher, ids)
  const got = hasher.hash256(Uint8Array.of(...root.reverse(), ...reserved)).reverse()
  if (!equal(got, committed)) {
    throw new CheckError(
      'witness_commitment',
      `The witnesses of block ${hash} are not those it commits to.`,
      {
        hash,
        got: hexOf(got),
        expected: hexOf(committed),
      },
    )
  }
}

/** The 32 bytes that a coinbase commits to its block's witnesses with, or undefined (BIP-141). */
function witnessCommitmentOf({ bytes, txs, outputs }: DecodedBlock): Uint8Array | undefined {
  for (let o = txs.firstOutput[1]! - 1; o >= 0; o--) {
    const at = outputs.scriptOffset[o]!
    const isCommitment = outputs.scriptLength[o]! >= 38 && MARKER.every((byte, i) => byte === bytes[at + i])
    if (isCommitment) return bytes.subarray(at + 6, at + 38)
  }
  return undefined
}

const MARKER = [0x6a, 0x24, 0xaa, 0x21, 0xa9, 0xed]

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}
