/** A transaction would not link to its counterpart on the other chain. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { btcLayerOps, btcOutputs } from '#warehouse/tables/bitcoin.ts'
import { stxBatches, stxPrintFields, stxTenures, stxTxs } from '#warehouse/tables/stacks.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import { readCommitOf, readCounterparts, readStacksTxCounterparts } from './counterparts.ts'

let warehouse: Awaited<ReturnType<typeof openTestWarehouse>>
const hex = (n: number): string => n.toString(16).padStart(2, '0').repeat(32)
const HEIGHT = 900_000

/** Rows with what the questions read; columns left out take the engine's defaults. */
before(async () => {
  warehouse = await openTestWarehouse()
  const insert = (table: string, columns: string, values: string) =>
    warehouse.writer.command({ query: `INSERT INTO base.${table} (${columns}) VALUES ${values}` })
  const id = (n: number) => `unhex('${hex(n)}')`
  await insert(
    'btc_batches',
    'batch, seq, is_live, from_height, to_height, block_count',
    `(1, 1, true, ${HEIGHT}, ${HEIGHT}, 1)`,
  )
  await insert(
    stxBatches.name,
    'batch, seq, is_live, from_height, to_height, block_count',
    '(1, 1, true, 10, 12, 3)',
  )
  await insert('btc_blocks', 'batch, height, hash', `(1, ${HEIGHT}, ${id(99)})`)
  await insert(
    btcOutputs.name,
    'batch, height, tx_index, txid, vout, value_sat',
    [1, 2, 3, 4, 5].map(n => `(1, ${HEIGHT}, ${n}, ${id(n)}, 0, 5)`).join(', '),
  )
  await insert(
    btcLayerOps.name,
    'batch, height, tx_index, txid, op, details_json',
    [1, 2].map(n => `(1, ${HEIGHT}, ${n}, ${id(n)}, 'stacks.block_commit', '{}')`).join(', '),
  )
  await insert(
    'stx_blocks',
    'batch, height, burn_height, miner_txid',
    `(1, 10, ${HEIGHT - 1}, ${id(77)}), (1, 11, ${HEIGHT}, ${id(1)}), (1, 12, ${HEIGHT + 1}, ${id(78)})`,
  )
  await insert(
    stxTenures.name,
    'batch, height, cause, burn_height, miner_txid',
    `(1, 10, 'BlockFound', ${HEIGHT - 1}, ${id(77)}), (1, 11, 'BlockFound', ${HEIGHT}, ${id(1)}), (1, 12, 'BlockFound', ${HEIGHT + 1}, ${id(78)})`,
  )
  await insert(
    stxTxs.name,
    'batch, height, txid, kind',
    `(1, 12, ${id(3)}, 'bitcoin_op'), (1, 12, ${id(60)}, 'contract_call')`,
  )
  const registry = 'SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4.sbtc-registry'
  await insert(
    stxPrintFields.name,
    'batch, height, event_index, txid, contract, event, path, text_value',
    [
      ['bitcoin-txid', hex(4)],
      ['sweep-txid', hex(5)],
    ]
      .map(
        ([path, txid]) => `(1, 12, 3, ${id(60)}, '${registry}', 'completed-deposit', '${path}', '0x${txid}')`,
      )
      .join(', '),
  )
})
after(() => warehouse[Symbol.asyncDispose]())

test('a Bitcoin transaction says what it is on Stacks: tenure won or not, carried out, deposit, sweep', async () => {
  const of = (n: number, ops: readonly string[] = []) =>
    readCounterparts(warehouse.reader, { height: HEIGHT, txIndex: n, txid: hex(n) }, ops)
  assert.deepEqual(await of(1, ['stacks.block_commit']), [
    { role: 'won_tenure', chain: 'stacks', kind: 'block', id: '11' },
  ])
  assert.deepEqual(await of(2, ['stacks.block_commit']), [
    { role: 'lost_tenure', chain: 'stacks', kind: 'block', id: null },
  ])
  assert.deepEqual(await of(3, ['stacks.transfer_stx']), [
    { role: 'carried_out', chain: 'stacks', kind: 'tx', id: hex(3) },
  ])
  assert.deepEqual(await of(4), [{ role: 'sbtc_deposit', chain: 'stacks', kind: 'tx', id: hex(60) }])
  assert.deepEqual(await of(5, ['stacks.peg']), [
    { role: 'sbtc_sweep', chain: 'stacks', kind: 'tx', id: hex(60) },
  ])
  assert.deepEqual(await of(9), [])
})

test('a Stacks transaction and a Stacks block name the Bitcoin transactions that are held', async () => {
  const of = (n: number, isBitcoinOp: boolean) =>
    readStacksTxCounterparts(warehouse.reader, { height: 12, txid: hex(n), isBitcoinOp })
  assert.deepEqual(await of(60, false), [
    { role: 'sbtc_deposit', chain: 'bitcoin', kind: 'tx', id: hex(4) },
    { role: 'sbtc_sweep', chain: 'bitcoin', kind: 'tx', id: hex(5) },
  ])
  assert.deepEqual(await of(3, true), [{ role: 'carried_out', chain: 'bitcoin', kind: 'tx', id: hex(3) }])
  assert.deepEqual(await of(61, true), [], 'its Bitcoin block is not held')
  assert.equal((await readCommitOf(warehouse.reader, hex(1))).length, 1)
  assert.deepEqual(await readCommitOf(warehouse.reader, hex(77)), [])
  assert.deepEqual(await readCommitOf(warehouse.reader, hex(0)), [])
})

test('a merge-mining tag names the Rootstock block that took the header, or that none did', async () => {
  const of = () =>
    readCounterparts(warehouse.reader, { height: HEIGHT, txIndex: 0, txid: hex(90) }, [
      'rootstock.merge_mining',
    ])
  const insert = (table: string, columns: string, values: string) =>
    warehouse.writer.command({ query: `INSERT INTO base.${table} (${columns}) VALUES ${values}` })
  await insert(
    btcLayerOps.name,
    'batch, height, tx_index, txid, op, details_json',
    `(1, ${HEIGHT}, 0, unhex('${hex(90)}'), 'rootstock.merge_mining', '{"blockNumber":7}')`,
  )
  assert.deepEqual(await of(), [], 'Rootstock is not held')
  await insert(
    'evm_batches',
    'chain, batch, seq, is_live, from_height, to_height, block_count',
    "('rootstock', 1, 1, true, 7, 7, 1)",
  )
  await insert('evm_blocks', 'chain, batch, height, hash', `('rootstock', 1, 7, unhex('${hex(70)}'))`)
  assert.deepEqual(await of(), [{ role: 'no_proof', chain: 'rootstock', kind: 'block', id: null }])
  await insert(
    'evm_batches',
    'chain, batch, seq, is_live, from_height, to_height, block_count',
    "('rootstock', 2, 2, true, 8, 8, 1)",
  )
  await insert(
    'evm_blocks',
    'chain, batch, height, hash, bitcoin_hash',
    `('rootstock', 2, 8, unhex('${hex(80)}'), unhex('${hex(99)}'))`,
  )
  assert.deepEqual(await of(), [{ role: 'merge_mined', chain: 'rootstock', kind: 'block', id: '8' }])
})
