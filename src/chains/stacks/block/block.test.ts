/** Stacks blocks would be decoded wrongly, or altered ones accepted. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  encodeEpoch2Block,
  encodeMicroblock,
  encodeNakamotoBlock,
  encodeTransaction,
  TRANSFER,
} from '#tests/encodeStacks.ts'
import { plain, refusedBy, spliced } from '#tests/refusals.ts'
import { sha512Trunc256Hex } from '../hash.ts'
import {
  checkEpoch2Block,
  checkMicroblock,
  checkNakamotoBlock,
  merkleRoot,
  openStacksCodec,
} from '../index.ts'

const codec = openStacksCodec()
const BYTES = encodeTransaction(TRANSFER)

const transfer = codec.decodeTransaction(BYTES)

test('a Stacks 2 block and its microblock keep every field and prove their transactions', () => {
  const coinbase = codec.decodeTransaction(
    encodeTransaction({
      ...TRANSFER,
      anchorMode: 'onChainOnly',
      payload: { kind: 'coinbase', data: new Uint8Array(32).fill(3) },
    }),
  )
  const header = {
    version: 6,
    burn: 2n ** 64n - 1n,
    work: 5n,
    vrfProof: new Uint8Array(80).fill(7),
    parentBlock: '11'.repeat(32),
    parentMicroblock: '22'.repeat(32),
    parentMicroblockSequence: 65535,
    txMerkleRoot: merkleRoot([coinbase.txid, transfer.txid]),
    stateIndexRoot: '33'.repeat(32),
    microblockPublicKeyHash: '44'.repeat(20),
  }
  const bytes = encodeEpoch2Block({
    header: { ...header, blockHash: '' },
    transactions: [coinbase, transfer],
  })
  const block = codec.decodeEpoch2Block(bytes)
  checkEpoch2Block(block)
  assert.deepEqual(
    plain(block.header),
    plain({ ...header, blockHash: sha512Trunc256Hex(bytes.subarray(0, 247)) }),
  )
  assert.deepEqual(encodeEpoch2Block(block), bytes)
  const boot = codec.decodeEpoch2Block(spliced(bytes, 9, 8, [0, 0, 0, 0, 0, 0, 0, 0]))
  assert.equal(boot.header.blockHash, '00'.repeat(32))
  assert.throws(() => checkEpoch2Block({ ...block, transactions: [coinbase] }), { code: 'check.merkle_root' })
  assert.throws(() => checkEpoch2Block({ ...block, transactions: [coinbase, coinbase] }), {
    code: 'check.duplicate_transaction',
  })
  assert.throws(
    () =>
      checkEpoch2Block({
        header: { ...block.header, txMerkleRoot: merkleRoot([transfer.txid]) },
        transactions: [transfer],
      }),
    { code: 'check.coinbase' },
  )

  const microblock = codec.decodeMicroblock(
    encodeMicroblock({
      header: {
        version: 0,
        sequence: 3,
        previousBlock: block.header.blockHash,
        txMerkleRoot: merkleRoot([transfer.txid]),
        signature: new Uint8Array(65).fill(9),
        hash: '',
      },
      transactions: [transfer],
    }),
  )
  checkMicroblock(microblock)
  assert.deepEqual([microblock.header.sequence, microblock.transactions.length], [3, 1])
  assert.throws(() => checkMicroblock({ ...microblock, transactions: [] }), { code: 'check.no_transactions' })
})

test('a block of epoch 4 keeps every field and hashes without its signers’ signatures', () => {
  const nakamoto = encodeNakamotoBlock({
    header: {
      version: 1,
      isShadow: true,
      chainLength: 9_000_000n,
      burnSpent: 1n,
      consensusHash: '55'.repeat(20),
      parentBlockId: '66'.repeat(32),
      txMerkleRoot: merkleRoot([transfer.txid]),
      stateIndexRoot: '77'.repeat(32),
      timeS: 1_790_000_000n,
      minerSignature: new Uint8Array(65).fill(1),
      signerSignatures: [new Uint8Array(65).fill(2), new Uint8Array(65).fill(3)],
      poxTreatment: { length: 9, bytes: Uint8Array.of(0xff, 0x01) },
      problematicTransactions: [{ txIndex: 0, category: 4 }],
      blockHash: '',
      blockId: '',
    },
    transactions: [transfer],
  })
  const decoded = codec.decodeNakamotoBlock(nakamoto)
  checkNakamotoBlock(decoded)
  assert.deepEqual(encodeNakamotoBlock(decoded), nakamoto)
  assert.deepEqual([decoded.header.version, decoded.header.isShadow], [1, true])
  const unsigned = Buffer.concat([
    nakamoto.subarray(0, 206),
    nakamoto.subarray(206 + 4 + 2 * 65, 206 + 4 + 130 + 8 + 9),
  ])
  assert.equal(decoded.header.blockHash, sha512Trunc256Hex(unsigned))
  const BITS_AT = 206 + 4 + 130
  refusedBy(codec.decodeNakamotoBlock, spliced(nakamoto, BITS_AT, 2, [0, 0]), 'count', BITS_AT)
  refusedBy(codec.decodeNakamotoBlock, spliced(nakamoto, BITS_AT, 2, [0x0f, 0xa1]), 'count', BITS_AT)
  refusedBy(codec.decodeNakamotoBlock, spliced(nakamoto, BITS_AT + 5, 1, [3]), 'count', BITS_AT + 2)
})
