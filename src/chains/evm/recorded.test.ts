/** Real blocks of EVM chains would be refused, or altered ones accepted. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordedEvmBlocks, recordedJson } from '#tests/recordedEvm.ts'
import { skipWithoutShared } from '#tests/shared.ts'
import { CheckError, DecodeError, openEvmCodec } from './index.ts'

/** Hash, transactions root, receipts root; what is false cannot follow from the answers, and why is said beside it. */
const PROVED: Record<string, readonly [boolean, boolean, boolean]> = {
  'ethereum-1000000': [true, true, true],
  'ethereum-4369999': [true, true, true],
  'ethereum-18500000': [true, true, true],
  // Its first transaction is of Arbitrum's own type 0x6a, whose bytes this codec does not know.
  'arbitrum-150000000': [true, false, true],
  // A Cosmos chain: its hash and roots are Tendermint's, not those of the header it shows.
  'cronos-11446765': [false, false, false],
  'rootstock-testnet-798248': [true, true, true],
  'rootstock-testnet-141459': [true, true, true],
  // Recorded without receipts.
  'rootstock-testnet-256082': [true, true, false],
}

for (const { name, codec, answers } of skipWithoutShared.skip ? [] : recordedEvmBlocks)
  test(`recorded block ${name} proves itself: hash, roots, every transaction hash and sender`, () => {
    const { block: answer, receipts } = answers()
    const block = codec.readBlock({ block: answer, receipts })
    const proofs = codec.checkBlock(block)
    assert.deepEqual([proofs.hash, proofs.transactions, proofs.receipts], PROVED[name])
    const signed = block.transactions.filter(({ signature }) => signature !== null)
    assert.equal(proofs.senderCount, signed.length)
    assert.equal(proofs.hashCount, block.transactions.filter(({ kind }) => kind !== 'unknown').length)
    assert.equal(block.transactions.length, (answer.transactions as unknown[]).length)
  })

test('a type that nobody told us of is kept as it came', skipWithoutShared, () => {
  const [arbitrum] = recordedEvmBlocks.filter(({ name }) => name.startsWith('arbitrum'))
  const { block: answer, receipts } = arbitrum!.answers()
  const [first] = arbitrum!.codec.readBlock({ block: answer, receipts }).transactions
  assert.equal(first?.kind, 'unknown')
  assert.equal(first?.type, 0x6a)
  assert.deepEqual(JSON.parse(first?.raw ?? ''), (answer.transactions as unknown[])[0])
})

test('REMASC closes each block of Rootstock and is known by its shape', skipWithoutShared, () => {
  for (const { name, codec, answers } of recordedEvmBlocks) {
    if (!name.startsWith('rootstock')) continue
    const { transactions } = codec.readBlock(answers())
    assert.deepEqual(
      transactions.map(({ kind }) => kind),
      [...Array(transactions.length - 1).fill('legacy'), 'remasc'],
    )
    assert.equal(transactions.at(-1)?.nonce, BigInt(transactions[0]!.blockNumber - 1))
  }
})

test('a price that REMASC did not have is found out', skipWithoutShared, () => {
  const { codec, answers } = recordedEvmBlocks.find(({ name }) => name === 'rootstock-testnet-798248')!
  for (const field of ['gasPrice', 'gas', 'nonce']) {
    const { block, receipts } = answers()
    ;(block.transactions as Record<string, unknown>[]).at(-1)![field] = '0x2'
    assert.throws(() => codec.checkBlock(codec.readBlock({ block, receipts })), {
      code: 'check.transaction_hash',
    })
  }
})

test('a receipt that keeps silent about its failure is found out', skipWithoutShared, () => {
  for (const name of ['rootstock-testnet-798248', 'ethereum-18500000']) {
    const { codec, answers } = recordedEvmBlocks.find(block => block.name === name)!
    const { block, receipts } = answers()
    const failed = receipts?.filter(({ status }) => status === '0x0') ?? []
    assert.ok(failed.length > 0, name)
    delete failed[0]?.status
    assert.throws(() => codec.checkBlock(codec.readBlock({ block, receipts })), {
      code: 'check.receipt_status',
    })
  }
})

type Tamper = (block: Record<string, unknown>, receipts: Record<string, unknown>[]) => void
const txs = (block: Record<string, unknown>) => block.transactions as Record<string, unknown>[]
const logsOf = (receipts: Record<string, unknown>[]) =>
  receipts.flatMap(({ logs }) => logs as Record<string, unknown>[])

/** What an endpoint that lies may change, and the rule that it breaks. */
const LIES: Record<string, [rule: string, Tamper]> = {
  'a later time': [
    'check.block_hash',
    block => (block.timestamp = `0x${(Number(block.timestamp) + 1).toString(16)}`),
  ],
  'another miner': ['check.block_hash', block => (block.miner = `0x${'11'.repeat(20)}`)],
  'an amount': ['check.transaction_hash', block => (txs(block)[1]!.value = '0x1')],
  'another sender': ['check.sender', block => (txs(block)[1]!.from = `0x${'22'.repeat(20)}`)],
  'a transaction less': [
    'check.transactions_root',
    (block, receipts) => {
      txs(block).pop()
      receipts.pop()
    },
  ],
  'a receipt less': ['check.receipt_count', (_, receipts) => receipts.pop()],
  'two receipts swapped': ['check.receipt_place', (_, receipts) => receipts.reverse()],
  'a success made a failure': [
    'check.receipts_root',
    (_, receipts) => (receipts[3]!.status = receipts[3]!.status === '0x1' ? '0x0' : '0x1'),
  ],
  'a log less': [
    'check.logs_bloom',
    (_, receipts) =>
      (receipts.findLast(({ logs }) => (logs as unknown[]).length > 0)!.logs as unknown[]).pop(),
  ],
  'an amount in a log': [
    'check.receipts_root',
    (_, receipts) => (logsOf(receipts)[0]!.data = `0x${'00'.repeat(31)}01`),
  ],
  'another block for a log': [
    'check.log_place',
    (_, receipts) => (logsOf(receipts)[0]!.blockHash = `0x${'33'.repeat(32)}`),
  ],
  'less gas used': ['check.cumulative_gas', (_, receipts) => (receipts[2]!.gasUsed = '0x1')],
}

for (const [what, [rule, tamper]] of Object.entries(LIES))
  test(`an endpoint that lies is found: ${what}`, skipWithoutShared, () => {
    const name = 'ethereum-18500000'
    const { codec, answers } = recordedEvmBlocks.find(block => block.name === name)!
    const { block, receipts } = answers()
    tamper(block, receipts!)
    assert.throws(
      () => codec.checkBlock(codec.readBlock({ block, receipts })),
      (thrown: unknown) => {
        assert.ok(thrown instanceof CheckError, String(thrown))
        assert.equal(thrown.code, rule)
        assert.ok(thrown.facts.number !== undefined && thrown.facts.hash !== undefined)
        return true
      },
    )
  })

test('a header with fields of a fork to come is refused, and the error names them', skipWithoutShared, () => {
  const answer = { ...recordedJson('ethereum-1000000-block.json'), slotNumber: '0x5', extraData: '0x' }
  const codec = openEvmCodec({ chainId: 1, headerForm: 'standard', checksumChainId: null })
  assert.throws(() => codec.checkBlock(codec.readBlock({ block: answer })), /does not hash to it/)
  assert.throws(
    () => codec.checkBlock(codec.readBlock({ block: answer })),
    (thrown: unknown) => thrown instanceof CheckError && /slotNumber/.test(thrown.hint ?? ''),
  )
})

test('what is missing or of the wrong shape is told by its field', skipWithoutShared, () => {
  const { codec, answers } = recordedEvmBlocks[0]!
  const faults: [RegExp, (block: Record<string, unknown>) => void][] = [
    [/^block\.parentHash: the field is missing/, block => delete block.parentHash],
    [/^block\.number: expected a number in hexadecimal, got 1000000/, block => (block.number = 1_000_000)],
    [/^block\.timestamp: expected a number below 2\^53/, block => (block.timestamp = `0x${'f'.repeat(20)}`)],
    [/^block\.logsBloom: expected 256 bytes/, block => (block.logsBloom = '0x00')],
    [/^block\.transactions: expected a list, got nothing|missing/, block => delete block.transactions],
    [/^block\.transactions\.1\.value: expected a number/, block => (txs(block)[1]!.value = '-1')],
    [
      /^block\.transactions\.0: expected an object, got "0x12"/,
      block => ((block.transactions as unknown[])[0] = '0x12'),
    ],
    [/^block\.transactions\.0\.v: no signature has the number 3/, block => (txs(block)[0]!.v = '0x3')],
  ]
  for (const [words, change] of faults) {
    const { block, receipts } = answers()
    change(block)
    assert.throws(
      () => codec.readBlock({ block, receipts }),
      (thrown: unknown) => {
        assert.ok(thrown instanceof DecodeError, String(thrown))
        assert.match(thrown.message, words)
        return true
      },
    )
  }
})
