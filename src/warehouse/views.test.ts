/** Readers would see rows of batches that were rolled back or never committed. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { EVM } from './families.ts'
import { askTypes } from './migrate.ts'
import { BTC_BATCH_TABLES, type BtcBatch, btcBatches, btcBlocks, btcOutputs } from './tables/bitcoin.ts'
import { openTestWarehouse, testLayers, testSchema, truncateTables } from './testing.ts'
import { knownTypes } from './viewTypes.ts'

const hash = (n: number) => new Uint8Array(32).fill(n)

describe('what readers see', () => {
  let warehouse: Awaited<ReturnType<typeof openTestWarehouse>>
  before(async () => {
    warehouse = await openTestWarehouse()
  })
  after(() => warehouse[Symbol.asyncDispose]())
  beforeEach(() =>
    truncateTables(
      warehouse,
      [...BTC_BATCH_TABLES, btcBatches].map(({ name }) => name),
    ),
  )

  const read = async (query: string) =>
    (await warehouse.guest.query({ query, format: 'JSONEachRow' })).json<Record<string, unknown>>()
  let seq = 0n
  const decide = (batch: number, fromHeight: number, toHeight: number, more: Partial<BtcBatch> = {}) =>
    warehouse.insertRows(btcBatches, [
      {
        batch,
        seq: seq++,
        isLive: true,
        isIsland: false,
        fromHeight,
        toHeight,
        firstPrevHash: hash(0),
        lastHash: hash(1),
        blockCount: toHeight - fromHeight + 1,
        origin: 'rpc',
        reason: '',
        decidedAt: 1_700_000_000,
        ...more,
      },
    ])
  const output = (batch: number, txid: Uint8Array, vout: number) => ({
    batch,
    height: 1,
    blockTime: 1_600_000_000,
    txIndex: 0,
    txid,
    vout,
    valueSat: 2n ** 64n - 1n,
    scriptType: 'v1_p2tr' as const,
    script: Uint8Array.of(0x51),
    isCoinbase: false,
  })
  test('types of columns are noted as the engine tells them: after a change run `node scripts/viewTypes.ts`', async () => {
    const layers = await testLayers()
    for (const one of (await testSchema()).views) {
      const types = knownTypes(one, layers)
      assert.ok(types !== undefined, `${one.name} has changed since its types were noted`)
      assert.deepEqual(
        Object.entries(types),
        Object.entries(await askTypes(warehouse.writer, one)),
        `types of ${one.name}`,
      )
    }
  })

  const batchesSeen = async () =>
    (await read('SELECT lower(hex(txid)) AS txid FROM btc_outputs ORDER BY txid')).map(({ txid }) =>
      Number.parseInt(String(txid).slice(0, 2), 16),
    )

  test('rows of a batch appear with its commit and go when it is taken back', async () => {
    await warehouse.insertRows(btcOutputs, [output(1, hash(1), 0), output(2, hash(2), 0)])
    assert.deepEqual(await batchesSeen(), [])
    await decide(1, 0, 9)
    assert.deepEqual(await batchesSeen(), [1])
    await decide(2, 10, 19)
    assert.deepEqual(await batchesSeen(), [1, 2])
    await decide(1, 0, 9, { isLive: false, reason: 'reorg' })
    assert.deepEqual(await batchesSeen(), [2])
    await decide(1, 0, 9)
    assert.deepEqual(await batchesSeen(), [1, 2])
  })

  test('every output stands in the order of outpoints too, found by the start of its txid', async () => {
    const txid = Uint8Array.from({ length: 32 }, (_, i) => i + 1)
    await warehouse.insertRows(btcOutputs, [output(1, txid, 0), output(1, txid, 7)])
    await decide(1, 1, 1)
    const prefix = new DataView(txid.buffer).getBigUint64(0)
    assert.deepEqual(
      await read(
        `SELECT vout, toString(value_sat) AS value_sat, lower(hex(txid)) AS txid FROM btc_outpoints WHERE txid_prefix = ${prefix} ORDER BY vout`,
      ),
      [0, 7].map(vout => ({
        vout,
        value_sat: '18446744073709551615',
        txid: Buffer.from(txid).toString('hex'),
      })),
    )
  })

  test('coverage joins what touches, and counts scattered blocks one by one', async () => {
    await decide(1, 0, 9)
    await decide(2, 10, 19)
    await decide(3, 30, 39)
    await decide(4, 100, 200, { blockCount: 2, isIsland: true })
    await decide(5, 40, 49)
    await decide(5, 40, 49, { isLive: false })
    await warehouse.insertRows(btcBlocks, blocksOf(4, [100, 200]))
    assert.deepEqual(await read('SELECT from_height, to_height FROM btc_coverage'), [
      { from_height: 0, to_height: 19 },
      { from_height: 30, to_height: 39 },
      { from_height: 100, to_height: 100 },
      { from_height: 200, to_height: 200 },
    ])
  })

  test('blocks of all chains stand under the same names, and a question about one chain reads its rows alone', async () => {
    await decide(1, 0, 9)
    await warehouse.insertRows(btcBlocks, blocksOf(1, [0, 1, 2]))
    await warehouse.writer.command({
      query: `INSERT INTO base.evm_blocks (chain, batch, height, fee_wei)
SELECT if(number < 500, 'bob', 'core'), 7, number, toUInt256(10) FROM numbers(800)`,
    })
    await warehouse.writer.command({
      query:
        "INSERT INTO base.evm_batches (chain, batch, seq, is_live) VALUES ('bob', 7, 1, 1), ('core', 7, 1, 1)",
    })
    await warehouse.writer.command({
      query: `INSERT INTO base.evm_txs (chain, batch, height, kind, sender, fee_wei, is_success)
VALUES ('bob', 7, 3, 'deposit', unhex(repeat('ab', 20)), 5, true)`,
    })
    assert.deepEqual(
      await read(
        'SELECT chain, count() AS blocks, toString(sum(fee)) AS fee FROM chain_blocks GROUP BY chain ORDER BY chain',
      ),
      [
        { chain: 'bitcoin', blocks: 3, fee: null },
        { chain: 'bob', blocks: 500, fee: '5000' },
        { chain: 'core', blocks: 300, fee: '3000' },
      ],
    )
    assert.deepEqual(
      await read('SELECT chain, height, kind, sender, is_success, toString(fee) AS fee FROM chain_txs'),
      [
        {
          chain: 'bob',
          height: 3,
          kind: 'deposit',
          sender: `0x${'ab'.repeat(20)}`,
          is_success: true,
          fee: '5',
        },
      ],
    )
    const answer = await warehouse.reader.query({
      query: "SELECT count() AS count FROM chain_blocks WHERE chain = 'core'",
      format: 'JSON',
    })
    const { statistics } = await answer.json<{ count: string }>()
    // Its rows, and the few of the logs.
    assert.ok((statistics?.rows_read ?? 0) < 320, `${statistics?.rows_read} rows were read`)
    for (const { name } of [...EVM.tables, EVM.log])
      await warehouse.writer.command({ query: `TRUNCATE TABLE base.${name}` })
  })

  test('batch tables are read without their batch', async () => {
    for (const { name } of BTC_BATCH_TABLES)
      await assert.rejects(read(`SELECT batch FROM ${name}`), { type: 'UNKNOWN_IDENTIFIER' })
  })
})

const blocksOf = (batch: number, heights: readonly number[]) =>
  heights.map(height => ({
    batch,
    height,
    hash: hash(height),
    prevHash: hash(0),
    merkleRoot: hash(0),
    blockTime: 1_600_000_000,
    medianTime: null,
    version: 1,
    bits: 0,
    nonce: 0,
    sizeBytes: 285,
    strippedSizeBytes: 285,
    weightWu: 1140,
    txCount: 1,
    inputCount: 1,
    outputCount: 1,
    segwitTxCount: 0,
    outputSat: 50n,
    coinbaseSat: 50n,
    subsidySat: 50n,
    feeSat: null,
    taprootOutputCount: 0,
    opReturnCount: 0,
    opReturnBytes: 0,
    inscriptionCount: 0,
    inscriptionBytes: 0,
    runestoneCount: 0,
    coinbaseScript: new Uint8Array(0),
    pool: '',
    poolRule: '',
  }))
