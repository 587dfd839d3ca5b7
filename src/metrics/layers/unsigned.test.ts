/** System transactions would count as users. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testCatalog } from '#catalog/testing.ts'
import { createEventIndex, EventFacts, openEvmCodec } from '#chains/evm/index.ts'
import { openEvmRows } from '#ingest/rows/evm/evmRows.ts'
import { silentLog } from '#kernel/log.ts'
import { sign, TEST_KEY, unsigned } from '#tests/evm/sign.ts'
import systemTxBlock from '#tests/evm/systemTxBlock.json' with { type: 'json' }
import { EVM_BATCH_TABLES } from '#warehouse/tables/evm.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import catalogEvents from '../../../catalog/evm/events.json' with { type: 'json' }
import { createMetrics } from '../createMetrics.ts'

const CHAIN_ID = 4114n
const DAY = new Date(Number(systemTxBlock.timestamp) * 1000).toISOString().slice(0, 10)
const GAS_USED = 21_000n
const PRICE_WEI = 7n

/** A payment that a user signed, as a node answers it. */
function userTx() {
  const { body } = sign(
    unsigned('legacy', 0, { chainId: CHAIN_ID, gasPrice: PRICE_WEI, value: 5n }),
    TEST_KEY,
  )
  const hex = (value: bigint) => `0x${value.toString(16)}`
  const { v, r, s } = body.signature!
  return {
    ...{ hash: body.hash, type: '0x0', from: body.from, to: body.to, input: '0x', value: hex(body.value) },
    ...{ nonce: '0x0', gas: hex(body.gasLimit), gasPrice: hex(PRICE_WEI), chainId: hex(CHAIN_ID) },
    ...{ v: hex(v), r: hex(r), s: hex(s) },
  }
}

/** The recorded block of one unsigned system transaction, and a user's payment behind it. */
function answer() {
  const place = { blockHash: systemTxBlock.hash, blockNumber: systemTxBlock.number }
  const transactions = [...systemTxBlock.transactions, userTx()].map((tx, i) => ({
    ...tx,
    ...place,
    transactionIndex: `0x${i}`,
  }))
  const receipts = transactions.map(({ hash, type, from, to, transactionIndex }, i) => ({
    ...{ transactionHash: hash, type, from, to, transactionIndex, ...place, status: '0x1', logs: [] },
    gasUsed: `0x${GAS_USED.toString(16)}`,
    cumulativeGasUsed: `0x${(GAS_USED * BigInt(i + 1)).toString(16)}`,
    effectiveGasPrice: `0x${PRICE_WEI.toString(16)}`,
  }))
  return { block: { ...systemTxBlock, transactions }, receipts }
}

test('figures of users exclude unsigned system transactions', async () => {
  await using warehouse = await openTestWarehouse()
  const codec = openEvmCodec({ chainId: Number(CHAIN_ID), headerForm: 'stated', checksumChainId: null })
  const rows = openEvmRows('merlin', codec, createEventIndex(EventFacts.parse(catalogEvents)))
  const block = codec.readBlock(answer())
  rows.add(1, { block, proofs: codec.checkBlock(block), creations: null })
  const columns = rows.take()
  const [blocks, txs] = EVM_BATCH_TABLES
  await warehouse.insertColumns(blocks, columns.blocks)
  await warehouse.insertColumns(txs, columns.txs)
  await warehouse.writer.command({
    query: `INSERT INTO base.evm_batches (chain, batch, seq, is_live, from_height, to_height, block_count) VALUES ('merlin', 1, 1, 1, 1, 1, 1)`,
  })
  const metrics = createMetrics({ warehouse, catalog: await testCatalog(), log: silentLog })
  await metrics.refreshRollups()
  const figures = async (id: string) => {
    const { points } = await metrics.series({ id, entity: 'merlin', from: DAY, to: DAY })
    return Object.fromEntries(points.filter(({ value }) => value !== 0).map(({ key, value }) => [key, value]))
  }
  const fee = String(GAS_USED * PRICE_WEI)
  assert.deepEqual(await figures('tx.count'), { '': 1 })
  assert.deepEqual(await figures('addresses.senders'), { '': 1 })
  assert.deepEqual(await figures('addresses.new'), { '': 1 })
  assert.deepEqual(await figures('tx.by_kind'), { legacy: 1, system: 1 })
  assert.deepEqual(await figures('calls.by_contract'), {})
  for (const id of ['fees.total', 'fees.median_tx'])
    assert.deepEqual(Object.values(await figures(id)).map(String), [fee], id)
})
