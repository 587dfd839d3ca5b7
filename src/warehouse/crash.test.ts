/** Rows that were acknowledged would be lost when the engine dies. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { silentLog } from '#kernel/log.ts'
import { table, u32 } from '#kernel/table.ts'
import { until } from '#kernel/until.testing.ts'
import { openTestWarehouse } from './testing.ts'

const acks = table('acks', {
  doc: 'One row per insert that was acknowledged, or tried.',
  columns: { n: u32('number of the insert') },
  orderBy: ['n'],
})
const schema = { tables: [acks], baseViews: [], fills: [], views: [] }

const pidOf = async (home: string): Promise<number> =>
  (JSON.parse(await readFile(join(home, 'warehouse', 'endpoint.json'), 'utf8')) as { pid: number }).pid
const killEngine = async (home: string): Promise<void> => void process.kill(await pidOf(home), 'SIGKILL')

const numbersOf = async (warehouse: Awaited<ReturnType<typeof openTestWarehouse>>): Promise<number[]> => {
  const result = await warehouse.reader.query({
    query: 'SELECT n FROM base.acks ORDER BY n',
    format: 'JSONEachRow',
  })
  return (await result.json<{ n: number }>()).map(({ n }) => n)
}

test('no acknowledged insert is lost when the engine is killed between and during inserts', async () => {
  await using warehouse = await openTestWarehouse({ schema })
  const acknowledged: number[] = []
  for (let round = 0; round < 3; round++) {
    let isKilled = false
    const inserting = (async () => {
      for (let n = round * 1000; !isKilled; n++) {
        await warehouse.insertRows(acks, [{ n }])
        acknowledged.push(n)
      }
    })()
    // Between two inserts nothing is lost, and the next finds a new engine.
    const ended = inserting.catch(error => assert.equal(error.code, 'warehouse.engine_lost'))
    const enough = (round + 1) * 20
    await until(`${enough} inserts are acknowledged`, () => acknowledged.length >= enough, { betweenMs: 1 })
    await killEngine(warehouse.home)
    isKilled = true
    await ended
    const held = new Set(await numbersOf(warehouse))
    assert.deepEqual(
      acknowledged.filter(n => !held.has(n)),
      [],
    )
  }
})

test('an insert that is lost on its way says so, and none of its rows pass for whole', async () => {
  await using warehouse = await openTestWarehouse({ schema })
  const rows = async function* () {
    // More than is buffered before a connection stands, so that the engine that dies is the one that reads; less than a block.
    for (let chunk = 0; chunk < 256; chunk++) yield '1\n'.repeat(1000)
    await killEngine(warehouse.home)
    for (let chunk = 0; chunk < 256; chunk++) yield '1\n'.repeat(1000)
  }
  await assert.rejects(
    warehouse.writer.insert({
      table: 'base.acks',
      values: Readable.from(rows(), { objectMode: false }),
      format: 'TabSeparated',
    }),
    { code: 'warehouse.engine_lost', hint: /repeat what was not/ },
  )
  assert.deepEqual(await numbersOf(warehouse), [])
})

test('a read that is lost with the engine is asked again and answered', async () => {
  await using warehouse = await openTestWarehouse({ schema })
  const answer = warehouse.reader.query({
    query: 'SELECT toUInt32(sum(sleepEachRow(0.9)) + 7) AS n FROM numbers(3)',
    format: 'JSONEachRow',
    query_id: 'asked-again',
  })
  await until('the read runs', async () => {
    const result = await warehouse.writer.query({
      query: "SELECT 1 FROM system.processes WHERE Settings['log_comment'] = 'asked-again'",
      format: 'JSONEachRow',
    })
    return (await result.json()).length > 0
  })
  const before = await pidOf(warehouse.home)
  await killEngine(warehouse.home)
  assert.deepEqual(await (await answer).json(), [{ n: 7 }])
  assert.notEqual(await pidOf(warehouse.home), before)
})

test('a crash loop fails questions at once and says so, and the engine is back without a restart of its users', async () => {
  const warnings: string[] = []
  await using warehouse = await openTestWarehouse({
    schema,
    log: { ...silentLog, warn: message => void warnings.push(message) },
  })
  const { availability } = warehouse
  const changes: boolean[] = []
  availability.onChange(({ isUp }) => void changes.push(isUp))
  for (let death = 1; death < 5; death++) {
    await killEngine(warehouse.home)
    assert.deepEqual(await numbersOf(warehouse), [])
  }
  await killEngine(warehouse.home)
  await assert.rejects(numbersOf(warehouse), { code: 'warehouse.engine_gone', message: /5 times in a row/ })
  assert.equal((await warehouse.health()).isUp, false)
  assert.equal(availability.current().isUp, false)
  assert.equal(warnings.length, 5)
  const back = Promise.withResolvers<void>()
  availability.onChange(({ isUp }) => isUp && back.resolve())
  await back.promise
  assert.deepEqual(await numbersOf(warehouse), [])
  assert.deepEqual(changes, [false, true, false, true, false, true, false, true, false, true])
})

test('an engine that hangs is ended, and who waited for it is answered', async () => {
  const warnings: string[] = []
  await using warehouse = await openTestWarehouse({
    schema,
    silenceMs: 1500,
    log: { ...silentLog, warn: message => void warnings.push(message) },
  })
  await warehouse.insertRows(acks, [{ n: 7 }])
  const before = await pidOf(warehouse.home)
  process.kill(before, 'SIGSTOP')
  assert.deepEqual(await numbersOf(warehouse), [7])
  assert.notEqual(await pidOf(warehouse.home), before)
  assert.deepEqual(warnings, [
    'the warehouse engine does not answer and is ended',
    'the warehouse engine ended unexpectedly',
  ])
})
