/** Receipts that an endpoint made up would be stored, or true ones refused. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EvmHeaderForm } from '#kernel/evm.ts'
import { createAddress } from './address.ts'
import type { EvmBlock } from './block.ts'
import { openBlooms } from './bloom.ts'
import { checkReceipts } from './checkReceipts.ts'
import { CheckError } from './errors.ts'
import { type Hex, hexOf, ZERO_HASH } from './hex.ts'
import type { EvmLog } from './logs.ts'
import type { EvmReceipt } from './receipt.ts'
import { writeReceipt, writeRootstockReceipt } from './receiptBytes.ts'
import { RlpWriter } from './rlp/writer.ts'
import { rootstockRoot } from './rootstock/trie.ts'
import type { EvmTransaction } from './transaction.ts'
import { orderedRoot } from './trie.ts'

const tools = { writer: new RlpWriter(), blooms: openBlooms() }
const hashOf = (digit: string): Hex => `0x${digit.repeat(64)}`
const addressOf = (digit: string): Hex => `0x${digit.repeat(40)}`
const BLOCK = hashOf('b')

const log = (at: number, logIndex: number, more: Partial<EvmLog> = {}): EvmLog => ({
  address: addressOf('7'),
  topics: [hashOf('8')],
  data: '0x01',
  logIndex,
  blockNumber: 9,
  blockHash: BLOCK,
  transactionHash: hashOf(String(at)),
  transactionIndex: at,
  isRemoved: false,
  ...more,
})

function receiptOf(at: number, more: Partial<EvmReceipt> = {}): EvmReceipt {
  const logs = more.logs ?? [log(at, at)]
  return {
    ...{ transactionHash: hashOf(String(at)), transactionIndex: at, blockNumber: 9, blockHash: BLOCK },
    ...{ type: 2, from: addressOf('a'), to: addressOf('c'), contractAddress: null },
    ...{ isSuccess: true, root: null, gasUsed: 100n, cumulativeGasUsed: 100n * BigInt(at + 1) },
    ...{ effectiveGasPrice: 1n, logsBloom: tools.blooms.of(logs), logs, blobGasUsed: null },
    ...{ blobGasPrice: null, l1: null, depositNonce: null, depositReceiptVersion: null },
    ...more,
  }
}
const transactionOf = (at: number, more: Partial<EvmTransaction> = {}): EvmTransaction =>
  ({
    ...{ hash: hashOf(String(at)), transactionIndex: at, blockNumber: 9, blockHash: BLOCK },
    ...{ kind: 'dynamic_fee', type: 2, from: addressOf('a'), to: addressOf('c'), nonce: 5n },
    ...more,
  }) as EvmTransaction

/** A block that commits to these receipts, unless its header is made to say otherwise. */
function blockOf(
  receipts: readonly EvmReceipt[],
  transactions: readonly EvmTransaction[] = receipts.map((_, at) => transactionOf(at)),
  header: object = {},
): EvmBlock {
  const root = orderedRoot(receipts.map(each => Buffer.from(writeReceipt(each, tools.writer))))
  return {
    header: {
      form: 'standard',
      hash: BLOCK,
      number: 9,
      gasUsed: receipts.reduce((sum, { gasUsed }) => sum + gasUsed, 0n),
      logsBloom: tools.blooms.of(receipts.flatMap(({ logs }) => logs)),
      receiptsRoot: hexOf(root),
      ...header,
    },
    transactions,
    receipts,
  } as unknown as EvmBlock
}
const check = (block: EvmBlock, form: EvmHeaderForm = 'standard') =>
  checkReceipts(block, block.receipts ?? [], form, tools)
function refused(block: EvmBlock, rule: string, form: EvmHeaderForm = 'standard'): void {
  assert.throws(
    () => check(block, form),
    (thrown: unknown) => {
      assert.ok(thrown instanceof CheckError, String(thrown))
      assert.equal(thrown.code, `check.${rule}`)
      assert.deepEqual(thrown.facts, { number: 9, hash: BLOCK })
      return true
    },
  )
}

test('receipts that a header commits to are proved, also those of no transaction', () => {
  const two = [receiptOf(0), receiptOf(1)]
  assert.equal(check(blockOf(two)), true)
  assert.equal(check(blockOf(two), 'stated'), true)
  assert.equal(check(blockOf([])), true)
  assert.equal(check(blockOf([receiptOf(0, { isSuccess: null, root: hashOf('e') })])), true)
  assert.equal(check(blockOf([receiptOf(0, { logsBloom: null, logs: [] })])), true)
})

test('receipts of Rootstock have bytes and a trie of their own', () => {
  const two = [receiptOf(0, { type: 0 }), receiptOf(1, { type: 0, isSuccess: false })]
  const transactions = two.map((_, at) => transactionOf(at, { type: 0, kind: 'legacy' }))
  for (const form of ['unitrie', 'orchid'] as const) {
    const root = rootstockRoot(
      two.map(each => Buffer.from(writeRootstockReceipt(each, tools.writer))),
      form,
    )
    const header = { form: 'rootstock', receiptsRoot: hexOf(root) }
    assert.equal(check(blockOf(two, transactions, header), 'rootstock'), true, form)
  }
})

test('each receipt is that of its transaction and block, and names who sent it', () => {
  refused(blockOf([receiptOf(0)], [transactionOf(0), transactionOf(1)]), 'receipt_count')
  refused(blockOf([receiptOf(0), receiptOf(1)], [transactionOf(0)]), 'receipt_count', 'stated')
  for (const more of [
    { transactionHash: hashOf('f') },
    { transactionIndex: 1 },
    { blockHash: hashOf('f') },
    { blockNumber: 8 },
  ])
    for (const form of ['standard', 'stated'] as const)
      refused(blockOf([receiptOf(0, { logs: [], ...more })]), 'receipt_place', form)
  refused(blockOf([receiptOf(0, { from: addressOf('d') })]), 'receipt_from')
  const unknown = [transactionOf(0, { kind: 'unknown' })]
  assert.equal(check(blockOf([receiptOf(0, { from: addressOf('d') })], unknown)), true)
})

test('each log is of its receipt and block, and stands in its place', () => {
  for (const more of [
    { transactionHash: hashOf('f') },
    { transactionIndex: 1 },
    { blockHash: hashOf('f') },
    { blockNumber: 8 },
    { isRemoved: true },
  ])
    for (const form of ['standard', 'stated'] as const)
      refused(blockOf([receiptOf(0, { logs: [log(0, 0, more)] })]), 'log_place', form)
  const indexed = (...indices: number[]) => blockOf([receiptOf(0, { logs: indices.map(at => log(0, at)) })])
  assert.equal(check(indexed(0, 1, 2)), true)
  for (const indices of [[1], [0, 2], [0, 0], [1, 0]]) refused(indexed(...indices), 'log_index')
  // Other chains may leave logs out, and number none twice.
  for (const indices of [[0], [1], [0, 2, 7]]) assert.equal(check(indexed(...indices), 'stated'), true)
  for (const indices of [
    [0, 0],
    [2, 1],
  ])
    refused(indexed(...indices), 'log_index', 'stated')
})

test('where the chain’s rules are known, status, type, gas and filters are held to them', () => {
  const cases: readonly (readonly [EvmBlock, string])[] = [
    [blockOf([receiptOf(0, { isSuccess: null })]), 'receipt_status'],
    [blockOf([receiptOf(0, { type: 1 })]), 'receipt_type'],
    [blockOf([receiptOf(0), receiptOf(1, { cumulativeGasUsed: 199n })]), 'cumulative_gas'],
    [blockOf([receiptOf(0, { logsBloom: tools.blooms.of([]) })]), 'logs_bloom'],
    [blockOf([receiptOf(0)], undefined, { gasUsed: 99n }), 'gas_used'],
    [blockOf([receiptOf(0)], undefined, { logsBloom: tools.blooms.of([]) }), 'logs_bloom'],
    [blockOf([receiptOf(0)], undefined, { receiptsRoot: ZERO_HASH }), 'receipts_root'],
  ]
  for (const [block, rule] of cases) {
    refused(block, rule)
    // For a chain with unknown rules only the root is checked.
    assert.equal(check(block, 'stated'), rule !== 'receipts_root', rule)
  }
  const strange = [transactionOf(0), transactionOf(1, { kind: 'unknown' })]
  const header = { receiptsRoot: ZERO_HASH }
  assert.equal(check(blockOf([receiptOf(0), receiptOf(1)], strange, header)), false)
})

test('a contract stands where its maker and the nonce put it', () => {
  const made = createAddress(addressOf('a'), 5n)
  const later = createAddress(addressOf('a'), 6n)
  const of = (contractAddress: Hex | null, tx: Partial<EvmTransaction>, more: Partial<EvmReceipt> = {}) =>
    blockOf([receiptOf(0, { contractAddress, ...more })], [transactionOf(0, { to: null, ...tx })])
  assert.equal(check(of(made, {})), true)
  assert.equal(check(of(null, {})), true, 'a failed one may be left out')
  refused(of(later, {}), 'contract_address')
  assert.equal(check(of(later, { to: addressOf('c') })), true, 'of a call it is not checked')
  assert.equal(check(of(later, { kind: 'unknown' })), true)
  // The nonce of a deposit is in its receipt.
  const deposit = { kind: 'deposit' } as const
  assert.equal(check(of(later, deposit, { depositNonce: 6n })), true)
  refused(of(made, deposit, { depositNonce: 6n }), 'contract_address')
  assert.equal(check(of(made, deposit)), true)
  refused(of(later, {}, { depositNonce: 6n }), 'contract_address')
})

test('a deposit of the OP Stack is written with its nonce and version, since it has one', () => {
  const bytes = (more: Partial<EvmReceipt>) =>
    hexOf(writeReceipt(receiptOf(0, { type: 0x7e, logs: [], ...more }), tools.writer))
  const plain = bytes({})
  assert.ok(plain.startsWith('0x7ef9'))
  assert.equal(bytes({ depositNonce: 3n }), plain)
  const versioned = bytes({ depositNonce: 3n, depositReceiptVersion: 1n })
  assert.ok(versioned.endsWith('c00301') && versioned.length === plain.length + 4)
  assert.ok(bytes({ depositReceiptVersion: 1n }).endsWith('c08001'))
  const other = hexOf(
    writeReceipt(receiptOf(0, { logs: [], depositNonce: 3n, depositReceiptVersion: 1n }), tools.writer),
  )
  assert.ok(other.startsWith('0x02f9') && other.endsWith('c0'))
})
