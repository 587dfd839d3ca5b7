/** Hourly contract calls would be wrong after blocks change. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createRandom } from '#ingest/testing.ts'
import { silentLog } from '#kernel/log.ts'
import { seedOf } from '#kernel/seed.testing.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import { refreshCallHours } from './callHours.ts'

const HOUR_S = 3600
const START_S = 1_700_000_000 - (1_700_000_000 % HOUR_S)
const A = 'aa'.repeat(20)

describe('calls by the hour', () => {
  let warehouse: Awaited<ReturnType<typeof openTestWarehouse>>
  let seq = 0

  const write = (query: string) => warehouse.writer.command({ query })
  const read = async <Row = Record<string, unknown>>(query: string) =>
    (await warehouse.reader.query({ query, format: 'JSONEachRow' })).json<Row>()
  const refresh = (scope: 'newest' | 'all') => refreshCallHours({ warehouse, log: silentLog }, scope)

  before(async () => {
    warehouse = await openTestWarehouse()
  })
  after(() => warehouse[Symbol.asyncDispose]())

  const decide = (family: 'stx' | 'evm', batch: number, isLive: boolean) =>
    write(
      family === 'stx'
        ? `INSERT INTO base.stx_batches (batch, seq, is_live) VALUES (${batch}, ${++seq}, ${isLive})`
        : `INSERT INTO base.evm_batches (chain, batch, seq, is_live) VALUES ('core', ${batch}, ${++seq}, ${isLive})`,
    )

  /** A batch of one block of each family: calls by few people of few contracts, with events of others. */
  async function addBlock(batch: number, height: number, random: () => number): Promise<void> {
    const at = START_S + height * 1000 + Math.floor(random() * 900)
    const pick = (of: number) => Math.floor(random() * of)
    const txs = Array.from({ length: 1 + pick(4) }, (_, index) => ({
      index,
      sender: `SP${pick(3)}`,
      contract: `SPC.c${pick(3)}`,
      isSuccess: random() < 0.8,
    }))
    const txid = (index: number) => `unhex('${(batch * 100 + index).toString(16).padStart(64, '0')}')`
    const hash = `unhex('${batch.toString(16).padStart(64, '0')}')`
    await write(
      `INSERT INTO base.stx_blocks (batch, height, block_time, hash, source) VALUES (${batch}, ${height}, ${at}, ${hash}, 'events')`,
    )
    await write(
      `INSERT INTO base.stx_txs (batch, height, block_time, tx_index, txid, kind, sender, contract, function_name, is_success, fee_ustx) VALUES ${txs
        .map(
          ({ index, sender, contract, isSuccess }) =>
            `(${batch}, ${height}, ${at}, ${index}, ${txid(index)}, 'contract_call', '${sender}', '${contract}', 'f${index % 2}', ${isSuccess}, 7)`,
        )
        .join(', ')}`,
    )
    await write(
      `INSERT INTO base.stx_calls (batch, height, block_time, tx_index, txid, sender, contract, function_name, is_success) VALUES ${txs
        .map(
          ({ index, sender, contract, isSuccess }) =>
            `(${batch}, ${height}, ${at}, ${index}, ${txid(index)}, '${sender}', '${contract}', 'f${index % 2}', ${isSuccess})`,
        )
        .join(', ')}`,
    )
    // Every call prints in the contract c0 too, which is nested where another one was called.
    await write(
      `INSERT INTO base.stx_prints (batch, height, block_time, event_index, txid, contract) VALUES ${txs
        .map(({ index }) => `(${batch}, ${height}, ${at}, ${index}, ${txid(index)}, 'SPC.c0')`)
        .join(', ')}`,
    )
    await write(
      `INSERT INTO base.evm_blocks (chain, batch, height, block_time, hash) VALUES ('core', ${batch}, ${height}, ${at}, ${hash})`,
    )
    await write(
      `INSERT INTO base.evm_txs (chain, batch, height, block_time, tx_index, kind, sender, recipient, method, is_success, fee_wei, gas_price_wei) VALUES ('core', ${batch}, ${height}, ${at}, 0, 'legacy', unhex('${A}'), unhex('${`c${pick(3)}`.padStart(40, 'c')}'), unhex('a9059cbb'), true, 5, 1)`,
    )
    await decide('stx', batch, true)
    await decide('evm', batch, true)
  }

  const ROLLED = `SELECT toString(chain) AS chain, toUnixTimestamp(hour) AS hour, contract, method, toString(caller) AS caller,
    toUInt64(call_count) AS calls, toUInt64(failed_call_count) AS failed, toString(fee) AS fee
  FROM call_hours ORDER BY chain, hour, contract, method, caller`
  const nested = () =>
    read(
      'SELECT toString(chain) AS chain, toUnixTimestamp(hour) AS hour, contract, call_count FROM nested_hours ORDER BY chain, hour, contract',
    )
  /** Counted from the calls themselves. */
  const COUNTED = `SELECT chain, toUnixTimestamp(toStartOfHour(block_time)) AS hour, contract,
    if(chain = 'stacks', function_name, selector) AS method, toString(sipHash64(sender)) AS caller,
    count() AS calls, countIf(is_success = false) AS failed, if(chain = 'stacks', toString(7 * calls), toString(5 * calls)) AS fee
  FROM chain_calls GROUP BY chain, hour, contract, method, caller ORDER BY chain, hour, contract, method, caller`

  test('blocks that come in, go and come again leave what the calls held add up to', async t => {
    const random = createRandom(seedOf(t))
    let batch = 0
    const chain: number[] = []
    for (let round = 0; round < 8; round++) {
      for (let grown = 1 + Math.floor(random() * 3); grown > 0; grown--) {
        await addBlock(++batch, chain.length, random)
        chain.push(batch)
      }
      await refresh('newest')
      // Most reorgs stay within the newest hours; some go below them.
      const depth = random() < 0.7 ? Math.floor(random() * 3) : Math.floor(random() * chain.length)
      for (const gone of chain.splice(chain.length - depth)) {
        await decide('stx', gone, false)
        await decide('evm', gone, false)
      }
    }
    await addBlock(++batch, chain.length, random)
    await refresh('all')
    const rolled = await read(ROLLED)
    assert.ok(rolled.length > 0)
    assert.deepEqual(rolled, await read(COUNTED))
    const kept = await nested()
    for (const table of ['call_hours', 'nested_hours', 'call_hour_runs'])
      await write(`TRUNCATE TABLE base.${table}`)
    await refresh('all')
    assert.deepEqual(await read(ROLLED), rolled)
    assert.deepEqual(await nested(), kept)
  })

  test('a contract is credited with calls of others in which it ran, each once, and not with its own', async () => {
    const [row] = await read<{ nested: string; others: string }>(`SELECT
  (SELECT sum(call_count) FROM nested_hours WHERE contract = 'SPC.c0') AS nested,
  (SELECT count() FROM stx_txs WHERE contract != 'SPC.c0') AS others`)
    assert.equal(row?.nested, row?.others)
    assert.equal((await read("SELECT 1 FROM nested_hours WHERE contract != 'SPC.c0' LIMIT 1")).length, 0)
  })

  test('nothing is computed again while nothing changes, and one block changes its own hour alone', async t => {
    assert.equal(await refresh('all'), 0)
    await addBlock(9_000, 200, createRandom(seedOf(t)))
    assert.equal(await refresh('newest'), 2)
    assert.equal(await refresh('all'), 0)
  })
})
