/** Stacks transactions would be decoded wrongly, or a malformed one accepted. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { transactions } from '#tests/arbitraryStacks.ts'
import { encodeTransaction, TRANSFER } from '#tests/encodeStacks.ts'
import { plain, refusedBy, spliced } from '#tests/refusals.ts'
import { readMicroblockHeader } from '../block/microblockHeader.ts'
import { sha512Trunc256Hex } from '../hash.ts'
import { type ClarityValue, DecodeError, openStacksCodec } from '../index.ts'
import { openReader } from '../reader.ts'

const codec = openStacksCodec()
const BYTES = encodeTransaction(TRANSFER)
const refused = (bytes: Uint8Array, reason: string, offset: number): void =>
  refusedBy(codec.decodeTransaction, bytes, reason, offset)

test('a transfer decodes to its fields', () => {
  const { txid, sizeBytes, ...fields } = codec.decodeTransaction(BYTES)
  assert.deepEqual(plain(fields), plain(TRANSFER))
  assert.deepEqual([txid, sizeBytes], [sha512Trunc256Hex(BYTES), 180])
})

test('bytes behind a transaction are an error', () => {
  refused(Buffer.concat([BYTES, Buffer.of(0)]), 'trailing', 180)
})

test('modes, types and codes that no rule knows are refused where they stand', () => {
  const HASH_MODE_AT = 6
  const KEY_ENCODING_AT = 43
  const ANCHOR_MODE_AT = 109
  refused(spliced(BYTES, 5, 1, [6]), 'unknown_kind', 5)
  for (const mode of [4, 6, 8, 255])
    refused(spliced(BYTES, HASH_MODE_AT, 1, [mode]), 'unknown_kind', HASH_MODE_AT)
  refused(spliced(BYTES, KEY_ENCODING_AT, 1, [2]), 'unknown_kind', KEY_ENCODING_AT)
  for (const mode of [0, 4]) {
    refused(spliced(BYTES, ANCHOR_MODE_AT, 1, [mode]), 'unknown_kind', ANCHOR_MODE_AT)
    refused(spliced(BYTES, ANCHOR_MODE_AT + 1, 1, [mode]), 'unknown_kind', ANCHOR_MODE_AT + 1)
  }
  refused(spliced(BYTES, ANCHOR_MODE_AT + 6, 1, [9]), 'unknown_kind', ANCHOR_MODE_AT + 6)
})

test('a segwit address cannot have an uncompressed key', () => {
  refused(spliced(spliced(BYTES, 6, 1, [2]), 43, 1, [1]), 'conflict', 43)
})

test('a count of post-conditions beyond the bytes left is refused before anything is made for it', () => {
  refused(spliced(BYTES, 111, 4, [0xff, 0xff, 0xff, 0xff]), 'count', 111)
})

test('a coinbase must be anchored on chain', () => {
  const coinbase = encodeTransaction({ ...TRANSFER, payload: { kind: 'coinbase', data: new Uint8Array(32) } })
  refused(coinbase, 'conflict', 109)
  assert.equal(codec.decodeTransaction(spliced(coinbase, 109, 1, [1])).payload.kind, 'coinbase')
})

test('signatures of multisig must be as many as needed, of order-independent multisig at least as many', () => {
  const key = {
    kind: 'public_key',
    isKeyCompressed: true,
    bytes: Buffer.concat([Buffer.of(2), Buffer.alloc(32, 5)]),
  } as const
  const signature = { kind: 'signature', isKeyCompressed: true, bytes: Buffer.alloc(65, 6) } as const
  const multisig = (
    hashMode: 'P2SH' | 'P2SHNonSequential' | 'P2WSH',
    signaturesRequired: number,
    fields = [signature, signature, key],
  ) =>
    encodeTransaction({
      ...TRANSFER,
      auth: {
        type: 'Standard',
        origin: { ...TRANSFER.auth.origin, isMultisig: true, hashMode, fields, signaturesRequired } as never,
        sponsor: null,
      },
    })
  for (const mode of ['P2SH', 'P2SHNonSequential', 'P2WSH'] as const) {
    const { origin } = codec.decodeTransaction(multisig(mode, 2)).auth
    assert.deepEqual([origin.hashMode, origin.address.slice(0, 2)], [mode, 'SM'])
  }
  const COUNT_AT = 43 + 4 + 2 * 66 + 34
  refused(multisig('P2SH', 1), 'conflict', COUNT_AT)
  refused(multisig('P2SHNonSequential', 3), 'conflict', COUNT_AT)
  assert.equal(codec.decodeTransaction(multisig('P2SHNonSequential', 1)).auth.origin.isMultisig, true)
  const open = [{ ...signature, isKeyCompressed: false }, signature, key] as never
  refused(multisig('P2WSH', 2, open), 'conflict', 47)
  const many = Array.from({ length: 15 }, () => signature)
  const { origin } = codec.decodeTransaction(multisig('P2SH', 15, many as never)).auth
  assert.equal(origin.isMultisig && origin.fields.length, 15)
})

test('Clarity versions 1 to 6 can be named, others not', () => {
  for (const clarityVersion of [1, 2, 3, 4, 5, 6]) {
    const bytes = encodeTransaction({
      ...TRANSFER,
      payload: {
        kind: 'versioned_smart_contract',
        clarityVersion,
        contractName: 'a-b_c',
        source: '(ok\tu1)\n',
      },
    })
    assert.deepEqual(codec.decodeTransaction(bytes).payload, {
      kind: 'versioned_smart_contract',
      clarityVersion,
      contractName: 'a-b_c',
      source: '(ok\tu1)\n',
    })
  }
  const contract = encodeTransaction({
    ...TRANSFER,
    payload: { kind: 'versioned_smart_contract', clarityVersion: 1, contractName: 'a', source: 'ab\rd' },
  })
  refused(contract, 'text', contract.length - 2)
  for (const version of [0, 7]) refused(spliced(contract, 116, 1, [version]), 'unknown_kind', 116)
})

test('each cause of a tenure change has its name, in the numbering of the node', () => {
  const CAUSE_AT = 116 + 3 * 20 + 32 + 4
  const hash = (byte: string, length: number) => byte.repeat(length)
  const bytes = encodeTransaction({
    ...TRANSFER,
    payload: {
      kind: 'tenure_change',
      tenureConsensusHash: hash('11', 20),
      previousTenureConsensusHash: hash('22', 20),
      burnViewConsensusHash: hash('33', 20),
      previousTenureEnd: hash('44', 32),
      previousTenureBlocks: 9,
      cause: 'BlockFound',
      publicKeyHash: hash('55', 20),
    },
  })
  const causes = [0, 1, 2, 3, 4, 5, 6].map(cause => {
    const { payload } = codec.decodeTransaction(spliced(bytes, CAUSE_AT, 1, [cause]))
    return payload.kind === 'tenure_change' && payload.cause
  })
  // SIP-034 says 2 read count, 3 read length, 4 runtime; the node, which decides what is on chain, has runtime first.
  assert.deepEqual(causes, [
    'BlockFound',
    'Extended',
    'ExtendedRuntime',
    'ExtendedReadCount',
    'ExtendedReadLength',
    'ExtendedWriteCount',
    'ExtendedWriteLength',
  ])
  refused(spliced(bytes, CAUSE_AT, 1, [7]), 'unknown_kind', CAUSE_AT)
})

test('what the node reads and writes otherwise has the txid of what the node writes', () => {
  assert.equal(codec.decodeTransaction(spliced(BYTES, 0, 1, [0x7f])).txid, sha512Trunc256Hex(BYTES))
  const call = (args: readonly ClarityValue[]) =>
    encodeTransaction({
      ...TRANSFER,
      payload: {
        kind: 'contract_call',
        contract: 'SP000000000000000000002Q6VF78.pox',
        functionName: 'f',
        args,
      },
    })
  const tuple = (...names: string[]): ClarityValue => ({
    type: 'tuple',
    fields: names.map((name, i) => ({ name, value: { type: 'uint', value: BigInt(i) } })),
  })
  const sorted = call([tuple('a', 'b')])
  const firstField = sorted.length - 2 * 19
  const swapped = Buffer.concat([
    sorted.subarray(0, firstField),
    sorted.subarray(firstField + 19),
    sorted.subarray(firstField, firstField + 19),
  ])
  const tx = codec.decodeTransaction(swapped)
  assert.equal(tx.txid, sha512Trunc256Hex(sorted))
  assert.deepEqual(tx.payload, codec.decodeTransaction(sorted).payload)
  const coinbase = (recipient: string | null) =>
    encodeTransaction({
      ...TRANSFER,
      anchorMode: 'onChainOnly',
      payload: {
        kind: 'nakamoto_coinbase',
        data: new Uint8Array(32),
        recipient,
        vrfProof: new Uint8Array(80),
      },
    })
  const none = coinbase(null)
  const odd = spliced(none, 116 + 32, 1, [0x0a, 0x03])
  assert.equal(codec.decodeTransaction(odd).txid, sha512Trunc256Hex(none))
  refused(spliced(none, 116 + 32, 1, [0x03]), 'conflict', 116 + 32)
})

test('any transaction decodes to what it was made from', () => {
  fc.assert(
    fc.property(transactions, made => {
      const bytes = encodeTransaction(made)
      const { txid, sizeBytes, ...fields } = codec.decodeTransaction(bytes)
      assert.deepEqual(plain(fields), plain(made))
      assert.deepEqual([txid, sizeBytes], [sha512Trunc256Hex(bytes), bytes.length])
    }),
    { numRuns: 400 },
  )
})

test('any transaction cut anywhere, or with bytes behind it, is refused with its place', () => {
  fc.assert(
    fc.property(transactions, fc.nat(), (made, at) => {
      const bytes = encodeTransaction(made)
      const cut = at % bytes.length
      const isPlaced = (error: unknown) =>
        error instanceof DecodeError && error.offset >= 0 && error.offset <= cut
      assert.throws(() => codec.decodeTransaction(bytes.subarray(0, cut)), isPlaced)
      refused(Buffer.concat([bytes, Buffer.of(1)]), 'trailing', bytes.length)
    }),
    { numRuns: 300 },
  )
})

test('headers of a poison microblock must differ and show a fork', () => {
  const header = (byte: number, sequence: number, parent: string) =>
    readMicroblockHeader(
      openReader(
        Buffer.concat([
          Buffer.of(0, sequence >> 8, sequence & 255),
          Buffer.from(parent.repeat(32), 'hex'),
          Buffer.alloc(97, byte),
        ]),
        () => '',
      ),
    )
  const poison = (...headers: [ReturnType<typeof header>, ReturnType<typeof header>]) =>
    encodeTransaction({
      ...TRANSFER,
      anchorMode: 'onChainOnly',
      payload: { kind: 'poison_microblock', headers },
    })
  assert.doesNotThrow(() => codec.decodeTransaction(poison(header(1, 4, '11'), header(2, 4, '22'))))
  assert.doesNotThrow(() => codec.decodeTransaction(poison(header(1, 4, '11'), header(2, 5, '11'))))
  refused(poison(header(1, 4, '11'), header(1, 4, '11')), 'conflict', 115)
  refused(poison(header(1, 4, '11'), header(2, 5, '22')), 'conflict', 115)
})

test('a result does not change when the codec decodes something else', () => {
  const first = codec.decodeTransaction(BYTES)
  const copy = structuredClone(first)
  codec.decodeTransaction(encodeTransaction({ ...TRANSFER, chainId: 5 }))
  assert.deepEqual(plain(first), plain(copy))
})
