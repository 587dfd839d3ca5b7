import { pointFromScalar, signRecoverable } from 'tiny-secp256k1'
import { bytesOf, type Hex, hexOf } from '#chains/evm/hex.ts'
import type { Authorization, TransactionBody } from '#chains/evm/index.ts'
import { keccak, keccakHex } from '#chains/evm/keccak.ts'
import { RlpWriter } from '#chains/evm/rlp/writer.ts'
import { authorizationHash, signingHash, writeTransaction } from '#chains/evm/serialize.ts'

/** The key of the first account of every test node (mnemonic "test test … junk"): published, worth nothing. */
export const TEST_KEY: Hex = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'

const writer = new RlpWriter()

export const addressOfKey = (key: Hex): Hex =>
  hexOf(keccak(pointFromScalar(bytesOf(key), false)!.subarray(1)).subarray(12))

export type Unsigned = Omit<TransactionBody, 'hash' | 'from' | 'signature'>

/** A transaction of nothing to nobody, to be filled. */
export const unsigned = (kind: Unsigned['kind'], type: number, more: Partial<Unsigned>): Unsigned => ({
  kind,
  type,
  to: `0x${'11'.repeat(20)}`,
  nonce: 0n,
  gasLimit: 100_000n,
  gasPrice: null,
  maxFeePerGas: null,
  maxPriorityFeePerGas: null,
  maxFeePerBlobGas: null,
  value: 0n,
  input: '0x',
  chainId: 1n,
  accessList: [],
  blobVersionedHashes: [],
  authorizations: [],
  deposit: null,
  raw: null,
  ...more,
})

function signed(digest: Uint8Array, key: Hex): { parity: bigint; r: bigint; s: bigint } {
  const { signature, recoveryId } = signRecoverable(digest, bytesOf(key))
  return {
    parity: BigInt(recoveryId),
    r: BigInt(hexOf(signature.subarray(0, 32))),
    s: BigInt(hexOf(signature.subarray(32))),
  }
}

/** Signs as a wallet does; legacy transactions with their chain id (EIP-155) where they have one. */
export function sign(tx: Unsigned, key: Hex): { body: TransactionBody; raw: Hex } {
  const from = addressOfKey(key)
  const draft: TransactionBody = { ...tx, from, hash: '0x', signature: { v: 27n, r: 1n, s: 1n } }
  const { parity, r, s } = signed(signingHash(draft, writer)!, key)
  const v = tx.type > 0 ? parity : tx.chainId === null ? 27n + parity : 35n + 2n * tx.chainId + parity
  const body = { ...draft, signature: { v, r, s } }
  const raw = Buffer.from(writeTransaction(body, writer)!)
  return { body: { ...body, hash: keccakHex(raw) }, raw: hexOf(raw) }
}

/** Lets code act for the key's account (EIP-7702). */
export function authorize(
  entry: Pick<Authorization, 'chainId' | 'address' | 'nonce'>,
  key: Hex,
): Authorization {
  const draft = { ...entry, yParity: 0n, r: 1n, s: 1n }
  const { parity, r, s } = signed(authorizationHash(draft, writer), key)
  return { ...entry, yParity: parity, r, s }
}
