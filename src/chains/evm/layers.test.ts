/** Fees and deployed contracts of EVM layers would be wrong. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordedEvmBlocks, recordedLines } from '#tests/recordedEvm.ts'
import { skipWithoutShared } from '#tests/shared.ts'
import { bytesOf, type Hex } from './hex.ts'
import {
  creationsOf,
  DecodeError,
  type EvmReceipt,
  type EvmTransaction,
  feeOf,
  l1AttributesOf,
  openEvmCodec,
  readCallTracer,
  readTraceBlock,
} from './index.ts'

const codec = openEvmCodec({ chainId: 60808, headerForm: 'standard', checksumChainId: null })
const account = (digit: string): Hex => `0x${digit.repeat(40)}`

test(
  'what an OP Stack block says of its parent is read from its first transaction, in each of its forms',
  skipWithoutShared,
  () => {
    const lines = recordedLines('op-stack-deposits.jsonl')
    const [bedrock, ecotone] = lines
      .filter(({ raw }) => raw)
      .map(({ raw }) => l1AttributesOf(codec.decodeTransaction(bytesOf(raw))))
    assert.deepEqual(
      [bedrock?.number, bedrock?.timeS, bedrock?.hash, bedrock?.blobBaseFeeWei],
      [0x805765, 0x63d96d10, '0x73d89754a1e0387b89520d989d3be9c37c1f32495a88faf1ea05c61121ab0d19', null],
    )
    assert.deepEqual(
      [
        ecotone?.number,
        ecotone?.timeS,
        ecotone?.sequenceNumber,
        ecotone?.baseFeeScalar,
        ecotone?.blobBaseFeeScalar,
      ],
      [0x1566261, 0x681c941f, 4, 2269n, 1_055_762n],
    )
    assert.equal(ecotone?.hash, '0x937badfbcce566e0ba932a3f7659644aa0c6ef019541d3134a1d8cb9f84d45c7')
    assert.equal(ecotone?.baseFeeWei, 0x5f629c02n)
    const answered = lines.flatMap(({ result }) =>
      result?.sourceHash ? [codec.readTransaction(result)] : [],
    )
    assert.deepEqual(
      answered.map(tx => l1AttributesOf(tx)?.number),
      [0x141e287, 0x14d1f2d],
    )
    const [first] = answered
    assert.equal(l1AttributesOf({ ...first!, to: account('1') }), null)
    assert.equal(l1AttributesOf({ ...first!, input: '0xdeadbeef' }), null)
    assert.throws(() => l1AttributesOf({ ...first!, input: '0x440a5e2000' }), DecodeError)
    // Isthmus and Jovian put their scalars behind.
    const isthmus = `0x098999be${first!.input.slice(10, 330)}0000000500000000000000aa` as Hex
    assert.deepEqual(
      [
        l1AttributesOf({ ...first!, input: isthmus })?.operatorFeeScalar,
        l1AttributesOf({ ...first!, input: isthmus })?.operatorFeeConstant,
      ],
      [5n, 0xaan],
    )
    const jovian = `${isthmus.replace('098999be', '3db6be2b')}0190` as Hex
    assert.equal(l1AttributesOf({ ...first!, input: jovian })?.daFootprintGasScalar, 400n)
  },
)

test('fees of a recorded block add up to what its header says was paid', skipWithoutShared, () => {
  const { answers, codec } = recordedEvmBlocks.find(({ name }) => name === 'rootstock-testnet-798248')!
  const block = codec.readBlock(answers())
  const fees = block.transactions.map((tx, i) => feeOf(tx, block.receipts![i]!)!.totalWei)
  assert.equal(block.header.form, 'rootstock')
  assert.equal(
    fees.reduce((sum, fee) => sum + fee, 0n),
    block.header.form === 'rootstock' ? block.header.paidFees : -1n,
  )
})

test('fees: L1 data, operator before and since Jovian, blobs; deposits pay none', () => {
  const tx = { kind: 'dynamic_fee', gasPrice: 7n } as EvmTransaction
  const l1 = {
    feeWei: 1000n,
    operatorFeeScalar: 2_000_000n,
    operatorFeeConstant: 3n,
    daFootprintGasScalar: null,
  }
  const receipt = { gasUsed: 10n, effectiveGasPrice: 5n, blobGasUsed: 2n, blobGasPrice: 4n, l1 } as EvmReceipt
  assert.deepEqual(feeOf(tx, receipt), {
    executionWei: 50n,
    blobWei: 8n,
    l1Wei: 1000n,
    operatorWei: 23n,
    totalWei: 1081n,
  })
  const jovian = { ...receipt, l1: { ...l1, operatorFeeScalar: 2n, daFootprintGasScalar: 1n } } as EvmReceipt
  assert.equal(feeOf(tx, jovian)?.operatorWei, 2003n)
  assert.equal(feeOf({ ...tx, kind: 'deposit' }, { ...receipt, blobGasUsed: null })?.totalWei, 0n)
  assert.equal(feeOf(tx, { ...receipt, effectiveGasPrice: null, l1: null } as EvmReceipt)?.executionWei, 70n)
  assert.equal(feeOf({ ...tx, gasPrice: null }, { ...receipt, effectiveGasPrice: null }), null)
})

const frame = (type: string, from: string, to: string | undefined, more: object = {}) => ({
  type,
  from: account(from),
  ...(to && { to: account(to) }),
  gasUsed: '0x5',
  input: '0x',
  ...more,
})

test('contracts made by factories are found, those of calls that failed are not', () => {
  const traced = [
    { txHash: '0x', result: frame('CREATE', 'a', '1') },
    {
      result: frame('CALL', 'a', 'f', {
        calls: [
          frame('CREATE2', 'f', '2', { calls: [frame('CREATE', '2', '3')] }),
          frame('CALL', 'f', 'e', { error: 'execution reverted', calls: [frame('CREATE', 'e', '4')] }),
          frame('CREATE', 'f', undefined, { error: 'out of gas' }),
        ],
      }),
    },
  ]
  const calls = readCallTracer(traced)
  assert.equal(calls.length, 7)
  assert.deepEqual(
    creationsOf(calls).map(({ kind, creator, address, path }) => [kind, creator[2], address[2], path.join()]),
    [
      ['transaction', 'a', '1', ''],
      ['create2', 'f', '2', '0'],
      ['create', '2', '3', '0,0'],
    ],
  )
})

test('the other tracer tells the same', () => {
  const flat = (type: string, path: number[], action: object, result: object | null, error?: string) => ({
    type,
    transactionPosition: 1,
    traceAddress: path,
    action,
    result,
    ...(error && { error }),
  })
  const call = { callType: 'call', from: account('a'), to: account('f'), value: '0x1', input: '0x' }
  const answer = [
    {
      ...flat('create', [], { from: account('a'), init: '0x60' }, { address: account('1') }),
      transactionPosition: 0,
    },
    flat('call', [], call, { gasUsed: '0x1' }),
    flat(
      'create',
      [0],
      { from: account('f'), init: '0x60', creationMethod: 'create2' },
      { address: account('2') },
    ),
    flat('create', [0, 0], { from: account('2'), init: '0x60' }, { address: account('3') }),
    flat('call', [1], call, null, 'Reverted'),
    flat('create', [1, 0], { from: account('e'), init: '0x60' }, { address: account('4') }),
    flat('create', [2], { from: account('f'), init: '0x60' }, null, 'Out of gas'),
    flat('suicide', [3], { address: account('f'), refundAddress: account('a'), balance: '0x2' }, null),
    { type: 'reward', action: { author: account('b'), value: '0x1' } },
  ]
  const calls = readTraceBlock(answer)
  assert.deepEqual(
    creationsOf(calls).map(({ kind, address }) => [kind, address[2]]),
    [
      ['transaction', '1'],
      ['create2', '2'],
      ['create', '3'],
    ],
  )
  assert.deepEqual([calls.at(-1)?.kind, calls.at(-1)?.value], ['selfdestruct', 2n])
})

test('traces that are none are refused by field; depth costs no stack', () => {
  assert.throws(
    () => readCallTracer([{ result: { type: 'CALL' } }]),
    /0\.result|0\.from: the field is missing/,
  )
  assert.throws(() => readCallTracer([{ result: frame('JUMP', 'a', 'b') }]), /"jump" is no kind of call/)
  assert.throws(() => readTraceBlock({}), DecodeError)
  let deep: object = frame('CALL', 'a', 'b')
  for (let i = 0; i < 3000; i++) deep = frame('CALL', 'a', 'b', { calls: [deep] })
  assert.equal(readCallTracer([{ result: deep }]).length, 3001)
})
