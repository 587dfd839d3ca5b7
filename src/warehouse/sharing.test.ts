/** Commands that run beside the server would break it. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { silentLog } from '#kernel/log.ts'
import { table, u32 } from '#kernel/table.ts'
import { openEngine } from './engine/supervise.ts'
import { openTestWarehouse } from './testing.ts'
import { openWarehouse } from './warehouse.ts'

const guests = table('guests', {
  doc: 'One row per process that was here.',
  columns: { pid: u32('its number') },
  orderBy: ['pid'],
})
const schema = { tables: [guests], baseViews: [], fills: [], views: [] }

/** A program that opens the same warehouse, leaves its number there and ends as told. */
const visitor = (home: string, end: string): string => `
import { openWarehouse } from ${JSON.stringify(fileURLToPath(new URL('./warehouse.ts', import.meta.url)))}
const log = { info() {}, warn() {}, error() {} }
const warehouse = await openWarehouse({ home: ${JSON.stringify(home)}, log })
await warehouse.writer.insert({ table: 'base.guests', values: [{ pid: process.pid }], format: 'JSONEachRow' })
process.stdout.write(String(process.pid))
${end}
`
const visit = async (home: string, end: string): Promise<number> => {
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', visitor(home, end)])
  const { stdout } = await run.catch((cause: { stdout: string }) => cause)
  return Number(stdout)
}
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe('one embedded engine serves several processes', () => {
  let home: string
  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'assay-warehouse-'))
  })
  after(() => rm(home, { recursive: true, force: true }))
  const enginePid = async () =>
    (JSON.parse(await readFile(join(home, 'warehouse', 'endpoint.json'), 'utf8')) as { pid: number }).pid

  test('a second process joins, whether it leaves in order or dies, and the first goes on', async () => {
    await using warehouse = await openTestWarehouse({ home, schema })
    const engine = await enginePid()
    const visitors = await Promise.all([
      visit(home, 'await warehouse[Symbol.asyncDispose]()'),
      visit(home, "process.kill(process.pid, 'SIGKILL')"),
    ])
    const result = await warehouse.reader.query({
      query: 'SELECT pid FROM base.guests ORDER BY pid',
      format: 'JSONEachRow',
    })
    assert.deepEqual(
      await result.json(),
      visitors.sort((a, b) => a - b).map(pid => ({ pid })),
    )
    assert.equal(await enginePid(), engine)
  })

  test('its mark changes with what any of them writes, and with nothing that they read', async () => {
    await using warehouse = await openTestWarehouse({ home, schema })
    await warehouse.writer.query({ query: 'SELECT count() FROM base.guests', format: 'JSONEachRow' })
    await warehouse.reader.query({ query: 'SELECT count() FROM base.guests', format: 'JSONEachRow' })
    const before = await warehouse.changeMark()
    assert.match(before ?? '', /^[0-9a-f]{16} \d+$/)
    assert.equal(await warehouse.changeMark(), before)
    await visit(home, 'await warehouse[Symbol.asyncDispose]()')
    const after = await warehouse.changeMark()
    assert.notEqual(after, before)
    await warehouse.writer.command({ query: 'TRUNCATE TABLE base.guests' })
    assert.notEqual(await warehouse.changeMark(), after)
    await warehouse.insertRows(guests, [{ pid: 1 }])
    const last = await warehouse.changeMark()
    // Another engine counts anew: its marks are its own.
    process.kill(await enginePid(), 'SIGKILL')
    await warehouse.health()
    assert.notEqual(await warehouse.changeMark(), last)
  })

  test('it ends with the last of them, and not before', async () => {
    const first = await openWarehouse({ home, schema, log: silentLog })
    const second = await openWarehouse({ home, schema, log: silentLog })
    const engine = await enginePid()
    await first[Symbol.asyncDispose]()
    assert.equal((await second.health()).isUp, true)
    await second[Symbol.asyncDispose]()
    assert.equal(isAlive(engine), false)
  })

  test('processes that come at the same moment start one engine', async () => {
    const all = await Promise.all(
      Array.from({ length: 3 }, () => openWarehouse({ home, schema, log: silentLog })),
    )
    assert.deepEqual(
      (await Promise.all(all.map(one => one.health()))).map(({ isUp }) => isUp),
      [true, true, true],
    )
    await Promise.all(all.map(one => one[Symbol.asyncDispose]()))
  })

  test('after a death they all find the new engine', async () => {
    await using first = await openWarehouse({ home, schema, log: silentLog })
    await using second = await openWarehouse({ home, schema, log: silentLog })
    process.kill(await enginePid(), 'SIGKILL')
    const [one, two] = await Promise.all([first.health(), second.health()])
    assert.deepEqual([one.isUp, two.isUp], [true, true])
  })

  test('what lets strangers in is readable by its owner alone', async () => {
    await using warehouse = await openWarehouse({ home, schema, log: silentLog })
    // An engine that runs as another user may pass through the folder.
    const isShared = 'user' in ((await warehouse.engineUser()) ?? {})
    for (const [file, mode] of [
      ['token', 0o600],
      ['endpoint.json', 0o600],
      ['', isShared ? 0o710 : 0o700],
    ] as const)
      assert.equal((await stat(join(home, 'warehouse', file))).mode & 0o777, mode)
  })

  test('a holder that gives no access is named by its number', async () => {
    await using _ = await openWarehouse({ home, schema, log: silentLog })
    const pid = await enginePid()
    await rm(join(home, 'warehouse', 'endpoint.json'))
    await assert.rejects(
      openEngine({
        folder: join(home, 'warehouse'),
        memoryBytes: 2 ** 29,
        readers: 1,
        graceMs: 0,
        startTimeoutMs: 0,
        log: silentLog,
      }),
      { code: 'warehouse.locked', message: new RegExp(`held by process ${pid}`), facts: { pid } },
    )
  })
})
