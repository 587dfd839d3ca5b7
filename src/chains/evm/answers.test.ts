/** A figure of a node’s answer would be read from the wrong field. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DecodeError } from './errors.ts'
import { readReceipt } from './receipt.ts'
import { readTraceBlock } from './traces.ts'

const hash = (digit: string) => `0x${digit.repeat(64)}`
const account = (digit: string) => `0x${digit.repeat(40)}`
const NEEDED = {
  transactionHash: hash('1'),
  transactionIndex: '0x2',
  blockNumber: '0x3',
  blockHash: hash('4'),
  from: account('5'),
  gasUsed: '0x6',
  cumulativeGasUsed: '0x7',
  logs: [],
}
const L1 = {
  l1Fee: '0x11',
  l1GasPrice: '0x12',
  l1GasUsed: '0x13',
  l1FeeScalar: '0.684',
  l1BaseFeeScalar: '0x14',
  l1BlobBaseFee: '0x15',
  l1BlobBaseFeeScalar: '0x16',
  operatorFeeScalar: '0x17',
  operatorFeeConstant: '0x18',
  daFootprintGasScalar: '0x19',
}

test('a receipt has what a node answers, each from its field', () => {
  const bloom = `0x${'ab'.repeat(256)}`
  const whole = {
    ...{ ...NEEDED, type: '0x7e', to: account('8'), contractAddress: account('9'), status: '0x1' },
    ...{ root: hash('a'), effectiveGasPrice: '0xb', logsBloom: bloom, blobGasUsed: '0xc' },
    ...{ blobGasPrice: '0xd', depositNonce: '0xe', depositReceiptVersion: '0xf', ...L1 },
  }
  assert.deepEqual(readReceipt(whole), {
    ...{ transactionHash: hash('1'), transactionIndex: 2, blockNumber: 3, blockHash: hash('4') },
    ...{ type: 0x7e, from: account('5'), to: account('8'), contractAddress: account('9') },
    ...{ isSuccess: true, root: hash('a'), gasUsed: 6n, cumulativeGasUsed: 7n, effectiveGasPrice: 11n },
    ...{ logsBloom: bloom, logs: [], blobGasUsed: 12n, blobGasPrice: 13n },
    l1: {
      feeWei: 0x11n,
      gasPriceWei: 0x12n,
      gasUsed: 0x13n,
      feeScalar: '0.684',
      baseFeeScalar: 0x14n,
      blobBaseFeeWei: 0x15n,
      blobBaseFeeScalar: 0x16n,
      operatorFeeScalar: 0x17n,
      operatorFeeConstant: 0x18n,
      daFootprintGasScalar: 0x19n,
    },
    ...{ depositNonce: 14n, depositReceiptVersion: 15n },
  })
  assert.deepEqual(readReceipt(NEEDED), {
    ...{ transactionHash: hash('1'), transactionIndex: 2, blockNumber: 3, blockHash: hash('4') },
    ...{ type: 0, from: account('5'), to: null, contractAddress: null, isSuccess: null, root: null },
    ...{ gasUsed: 6n, cumulativeGasUsed: 7n, effectiveGasPrice: null, logsBloom: null, logs: [] },
    ...{ blobGasUsed: null, blobGasPrice: null, l1: null, depositNonce: null, depositReceiptVersion: null },
  })
  // A rollup charges a fee, or gas.
  assert.equal(readReceipt({ ...NEEDED, l1Fee: '0x1' }).l1?.feeWei, 1n)
  assert.equal(readReceipt({ ...NEEDED, l1GasUsed: '0x1' }).l1?.gasUsed, 1n)
  assert.equal(readReceipt({ ...NEEDED, l1GasPrice: '0x1' }).l1, null)
  assert.equal(readReceipt({ ...NEEDED, status: '0x0' }).isSuccess, false)
  assert.equal(readReceipt({ ...NEEDED, root: '0x01' }).root, null)
  assert.throws(() => readReceipt({ ...NEEDED, status: '0x2' }), DecodeError)
})

test('each field that a receipt must have is missed by its name', () => {
  for (const name of Object.keys(NEEDED)) {
    const { [name as keyof typeof NEEDED]: _, ...rest } = NEEDED
    assert.throws(
      () => readReceipt(rest),
      (thrown: unknown) => thrown instanceof DecodeError && JSON.stringify(thrown.facts).includes(name),
      name,
    )
  }
})

const flat = (more: object = {}, action: object = {}, result: object | null = { gasUsed: '0x5' }) => ({
  type: 'call',
  transactionPosition: 3,
  traceAddress: [],
  action: {
    ...{ callType: 'call', from: account('1'), to: account('2'), value: '0x7', input: '0xab', ...action },
  },
  result,
  ...more,
})
const CALL = {
  ...{ transactionIndex: 3, kind: 'call', path: [], from: account('1'), to: account('2'), value: 7n },
  ...{ gasUsed: 5n, input: '0xab', code: null, isReverted: false, error: null },
}

test('a flat trace has the fields of its kind', () => {
  const read = (...answer: unknown[]) => readTraceBlock(answer)
  assert.deepEqual(read(flat()), [CALL])
  assert.deepEqual(read(flat({}, { value: undefined, input: undefined }, null)), [
    { ...CALL, value: 0n, input: '0x', gasUsed: null },
  ])
  for (const kind of ['delegatecall', 'staticcall', 'callcode'])
    assert.equal(read(flat({}, { callType: kind }))[0]?.kind, kind)
  const made = { address: account('8'), code: '0xcc', gasUsed: '0x9' }
  const init = { callType: undefined, to: undefined, input: undefined, init: '0xdd' }
  const created = { ...CALL, to: account('8'), input: '0xdd', code: '0xcc', gasUsed: 9n }
  assert.deepEqual(read(flat({ type: 'create' }, init, made)), [{ ...created, kind: 'create' }])
  assert.deepEqual(read(flat({ type: 'create' }, { ...init, creationMethod: 'create2' }, made)), [
    { ...created, kind: 'create2' },
  ])
  assert.deepEqual(read(flat({ type: 'create' }, init, null)), [
    { ...created, kind: 'create', to: null, code: null, gasUsed: null },
  ])
  const end = { address: account('6'), refundAddress: account('7'), balance: '0x20' }
  assert.deepEqual(read({ ...flat({ type: 'suicide' }, {}, null), action: end }), [
    {
      ...CALL,
      kind: 'selfdestruct',
      from: account('6'),
      to: account('7'),
      value: 32n,
      input: '0x',
      gasUsed: null,
    },
  ])
  assert.deepEqual(read({ type: 'reward' }), [])
})

test('what lies within a call that failed is taken back with it, in its transaction alone', () => {
  const at = (traceAddress: number[], more: object = {}) => flat({ traceAddress, ...more })
  const failed = { error: 'Reverted', result: null }
  const isReverted = (...answer: unknown[]) => readTraceBlock(answer).map(call => call.isReverted)
  assert.deepEqual(
    isReverted(
      at([]),
      at([0], failed),
      at([0, 0]),
      at([0, 1, 2]),
      at([1]),
      at([0, 0], { transactionPosition: 4 }),
      at([], { transactionPosition: 5, ...failed }),
      at([7], { transactionPosition: 5 }),
    ),
    [false, true, true, true, false, false, true, true],
  )
  assert.equal(readTraceBlock([at([], failed)])[0]?.error, 'Reverted')
})

test('a trace that is none is refused with its field', () => {
  for (const [answer, path] of [
    [flat({ type: 7 }), 'type'],
    [flat({ transactionPosition: -1 }), 'transactionPosition'],
    [flat({ transactionPosition: '3' }), 'transactionPosition'],
    [flat({ transactionPosition: 1.5 }), 'transactionPosition'],
    [flat({ traceAddress: [0, -1] }), ''],
    [flat({ action: null }), 'action'],
    [flat({}, { callType: 'x' }), 'callType'],
    [flat({}, { from: '0x1' }), 'from'],
    [flat({}, { to: undefined }), 'to'],
    [flat({ error: 7 }), 'error'],
  ] as const)
    assert.throws(
      () => readTraceBlock([answer]),
      (thrown: unknown) => thrown instanceof DecodeError && JSON.stringify(thrown.facts).includes(path),
      path,
    )
})
