/** Blocks with unsigned system transactions would stop the index of their layer. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sign, TEST_KEY, unsigned } from '#tests/evm/sign.ts'
import { CheckError, DecodeError } from './errors.ts'
import { readStandardHeader, standardHeaderHash } from './header.ts'
import { bytesOf, type Hex, hexOf, ZERO_ADDRESS, ZERO_HASH } from './hex.ts'
import { openEvmCodec, type TransactionBody } from './index.ts'
import { keccakHex } from './keccak.ts'
import { RlpWriter } from './rlp/writer.ts'
import { writeTransaction } from './serialize.ts'
import { orderedRoot } from './trie.ts'

const standard = openEvmCodec({ chainId: 4114, headerForm: 'standard', checksumChainId: null })
const stated = openEvmCodec({ chainId: 4114, headerForm: 'stated', checksumChainId: null })
const writer = new RlpWriter()
const SENDER: Hex = `0x${'deaddead'.repeat(5)}`

/** A transaction as a node answers it. `fields` replaces some of them; undefined leaves one out. */
function answerOf(body: TransactionBody, fields: Readonly<Record<string, unknown>> = {}) {
  const number = (value: bigint | null): string | undefined =>
    value === null ? undefined : `0x${value.toString(16)}`
  return {
    type: `0x${body.type}`,
    hash: keccakHex(writeTransaction(body, writer)!),
    from: SENDER,
    to: body.to,
    nonce: number(body.nonce),
    gas: number(body.gasLimit),
    gasPrice: number(body.gasPrice ?? 1n),
    maxFeePerGas: number(body.maxFeePerGas),
    maxPriorityFeePerGas: number(body.maxPriorityFeePerGas),
    maxFeePerBlobGas: number(body.maxFeePerBlobGas),
    value: number(body.value),
    input: body.input,
    chainId: number(body.chainId),
    accessList: body.accessList,
    blobVersionedHashes: body.blobVersionedHashes,
    authorizationList: [],
    v: '0x0',
    r: '0x0',
    s: '0x0',
    transactionIndex: '0x0',
    ...fields,
  }
}

/** A block of transactions of a node, with the hash and the root that its header has. */
function blockAnswer(answers: readonly object[], raws: readonly Uint8Array[]) {
  const header = {
    number: '0x1',
    parentHash: `0x${'11'.repeat(32)}`,
    sha3Uncles: ZERO_HASH,
    miner: ZERO_ADDRESS,
    stateRoot: ZERO_HASH,
    transactionsRoot: hexOf(orderedRoot(raws.map(raw => Buffer.from(raw)))),
    receiptsRoot: ZERO_HASH,
    logsBloom: `0x${'00'.repeat(256)}`,
    difficulty: '0x0',
    gasLimit: '0xffffff',
    gasUsed: '0x5208',
    timestamp: '0x65000000',
    extraData: '0x',
    hash: ZERO_HASH,
  }
  const hash = standardHeaderHash(readStandardHeader(header), writer)
  return {
    ...header,
    hash,
    transactions: answers.map((answer, i) => ({
      ...answer,
      blockHash: hash,
      blockNumber: '0x1',
      transactionIndex: `0x${i.toString(16)}`,
    })),
  }
}

const fees = { chainId: 4114n, maxFeePerGas: 9n, maxPriorityFeePerGas: 0n }
const BODIES: readonly TransactionBody[] = [
  unsigned('legacy', 0, { chainId: null, gasPrice: 0n }),
  unsigned('access_list', 1, { chainId: 4114n, gasPrice: 1n }),
  unsigned('dynamic_fee', 2, { ...fees, input: '0x0e27bc11' }),
  unsigned('blob', 3, { ...fees, maxFeePerBlobGas: 3n, blobVersionedHashes: [`0x01${'22'.repeat(31)}`] }),
  unsigned('set_code', 4, fees),
].map(body => ({ ...body, hash: '0x', from: SENDER, signature: null }))

const FORMS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  zeros: {},
  'zeros and a parity': { yParity: '0x0' },
  'nothing in their place': { v: undefined, r: undefined, s: undefined },
  'null in their place': { v: null, r: null, s: null },
  'no digits': { v: '0x', r: '0x', s: '0x' },
  'zeros with all digits': { v: '0x0', r: ZERO_HASH, s: ZERO_HASH },
}

for (const [form, fields] of Object.entries(FORMS))
  test(`a block with transactions that nobody signed is read and proved: ${form}`, () => {
    const signed = sign(unsigned('dynamic_fee', 2, { ...fees, nonce: 7n }), TEST_KEY)
    const raws = [...BODIES.map(body => Buffer.from(writeTransaction(body, writer)!)), bytesOf(signed.raw)]
    const { v, r, s } = signed.body.signature!
    const last = answerOf(signed.body, {
      from: signed.body.from,
      v: `0x${v}`,
      r: `0x${r.toString(16)}`,
      s: `0x${s.toString(16)}`,
    })
    const answers = [...BODIES.map(body => answerOf(body, fields)), last]
    for (const codec of [standard, stated]) {
      const block = codec.readBlock({ block: blockAnswer(answers, raws) })
      assert.deepEqual(
        block.transactions.map(tx => [tx.type, tx.from, tx.signature === null]),
        [...BODIES.map(({ type }) => [type, SENDER, true]), [2, signed.body.from, false]],
      )
      const proofs = codec.checkBlock(block)
      assert.deepEqual(
        [proofs.hash, proofs.transactions, proofs.hashCount, proofs.senderCount, proofs.unsignedCount],
        [true, true, 6, 1, 5],
      )
    }
  })

test('a transaction that nobody signed proves nothing by another hash, and is refused where the chain’s rule is known', () => {
  const hash: Hex = `0x${'ab'.repeat(32)}`
  const body = BODIES[0]!
  const answer = blockAnswer([answerOf(body, { hash })], [Buffer.from(writeTransaction(body, writer)!)])
  assert.throws(
    () => standard.checkBlock(standard.readBlock({ block: answer })),
    (thrown: unknown) => thrown instanceof CheckError && thrown.code === 'check.transaction_hash',
  )
  const proofs = stated.checkBlock(stated.readBlock({ block: answer }))
  assert.deepEqual(
    [proofs.transactions, proofs.hashCount, proofs.senderCount, proofs.unsignedCount],
    [false, 0, 0, 1],
  )
  const other = blockAnswer([answerOf(body)], [])
  assert.throws(
    () => standard.checkBlock(standard.readBlock({ block: other })),
    (thrown: unknown) => thrown instanceof CheckError && thrown.code === 'check.transactions_root',
  )
})

test('half a signature is none that a key made, and refused', () => {
  for (const fields of [{ r: '0x1' }, { s: '0x1' }, { v: '0x1b' }, { v: '0x1' }]) {
    const body = BODIES[2]!
    const answer = blockAnswer([answerOf(body, fields)], [])
    assert.throws(
      () => stated.checkBlock(stated.readBlock({ block: answer })),
      (thrown: unknown) => thrown instanceof CheckError || thrown instanceof DecodeError,
      JSON.stringify(fields),
    )
  }
  assert.throws(() => standard.readTransaction({ ...answerOf(BODIES[0]!), v: '0x0', r: '0x1' }), DecodeError)
})

test('the bytes of a transaction that nobody signed do not say who sent it', () => {
  for (const body of BODIES)
    assert.throws(() => standard.decodeTransaction(Buffer.from(writeTransaction(body, writer)!)), {
      message: /Nobody signed this transaction/,
    })
})

test('an address that is absent may be null, 0x or an empty text', () => {
  const place = { blockHash: ZERO_HASH, blockNumber: '0x1' }
  for (const to of [null, undefined, '0x', '']) {
    assert.equal(standard.readTransaction({ ...answerOf(BODIES[2]!, { to }), ...place }).to, null)
    assert.equal(
      standard.readTransaction({ ...answerOf(BODIES[2]!, { to, type: '0x77' }), ...place }).to,
      null,
    )
    const receipt = standard.readReceipt({ ...RECEIPT, to, contractAddress: to })
    assert.deepEqual([receipt.to, receipt.contractAddress], [null, null])
  }
  for (const to of ['0x0', '0x12', ' ', 0])
    assert.throws(() => standard.readReceipt({ ...RECEIPT, to }), DecodeError)
  assert.throws(() => standard.readReceipt({ ...RECEIPT, from: '0x' }), DecodeError)
})

const RECEIPT = {
  transactionHash: ZERO_HASH,
  transactionIndex: '0x0',
  blockNumber: '0x1',
  blockHash: ZERO_HASH,
  from: SENDER,
  status: '0x1',
  gasUsed: '0x5208',
  cumulativeGasUsed: '0x5208',
  logs: [],
  l1Fee: '0x1',
}

test('the scalar of the L1 fee is a decimal number, with an exponent or without', () => {
  const scalars: readonly [unknown, string][] = [
    ['1e-05', '0.00001'],
    ['2.5e-05', '0.000025'],
    ['5e+06', '5000000'],
    ['1.25E3', '1250'],
    ['12.5e-1', '1.25'],
    ['1.5e+21', '1500000000000000000000'],
    ['0e-7', '0'],
    ['0.684', '0.684'],
    ['1', '1'],
    [1e-7, '0.0000001'],
    [1e21, '1000000000000000000000'],
    [0.684, '0.684'],
  ]
  for (const [given, text] of scalars)
    assert.equal(standard.readReceipt({ ...RECEIPT, l1FeeScalar: given }).l1?.feeScalar, text, String(given))
  for (const given of ['', 'e5', '1e', '1e-', '-1e-5', '1e100', '1e1.5', '0x1', 'NaN', Number.NaN, -1])
    assert.throws(() => standard.readReceipt({ ...RECEIPT, l1FeeScalar: given }), DecodeError, String(given))
})

test('a blob transaction is read out of its network form', () => {
  const signed = sign(BODIES[3]!, TEST_KEY)
  const inner = bytesOf(signed.raw).subarray(1)
  const list = (...items: readonly Buffer[]): Buffer => {
    const content = Buffer.concat(items)
    if (content.length < 56) return Buffer.concat([Buffer.of(0xc0 + content.length), content])
    const length = Buffer.from(content.length.toString(16).padStart(4, '0'), 'hex')
    const bytes = length[0] === 0 ? length.subarray(1) : length
    return Buffer.concat([Buffer.of(0xf7 + bytes.length), bytes, content])
  }
  const bytes = (fill: number, count: number): Buffer =>
    Buffer.concat([Buffer.of(0xb8, count), Buffer.alloc(count, fill)])
  const blobs = [list(bytes(0, 128)), list(bytes(1, 56)), list(bytes(2, 56), bytes(3, 56))]
  const wrapped = (...items: readonly Buffer[]): Buffer => Buffer.concat([Buffer.of(3), list(...items)])
  const plain = standard.decodeTransaction(bytesOf(signed.raw))
  assert.equal(plain.hash, signed.body.hash)
  assert.deepEqual(standard.decodeTransaction(wrapped(inner, ...blobs)), plain)
  assert.deepEqual(standard.decodeTransaction(wrapped(inner, Buffer.of(1), ...blobs)), plain)
  for (const [raw, words] of [
    [wrapped(inner, Buffer.of(2), ...blobs), /Version 2 of the network form/],
    [wrapped(inner, ...blobs.slice(1)), /3 items/],
    [wrapped(Buffer.of(0x80), ...blobs), /no list/],
    [wrapped(inner, blobs[0]!, blobs[1]!, Buffer.of(0x80)), /list of proofs is no list/],
    [wrapped(list(inner), ...blobs), /1 items, not 14/],
  ] as const)
    assert.throws(() => standard.decodeTransaction(raw), { message: words })
})
