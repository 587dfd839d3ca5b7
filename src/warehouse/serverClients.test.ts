import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { silentLog } from '#kernel/log.ts'
import { openTestWarehouse } from './testing.ts'
import { openWarehouse, type Warehouse } from './warehouse.ts'

/** The embedded engine's own HTTP interface stands in for the server: one user who may write, as a server would have. */
describe('a warehouse on a server', () => {
  let engine: Awaited<ReturnType<typeof openTestWarehouse>>
  let warehouse: Warehouse
  before(async () => {
    engine = await openTestWarehouse()
    const folder = join(engine.home, 'warehouse')
    const { port } = JSON.parse(await readFile(join(folder, 'endpoint.json'), 'utf8')) as { port: number }
    warehouse = await openWarehouse({
      home: engine.home,
      url: `http://127.0.0.1:${port}`,
      user: 'writer',
      password: await readFile(join(folder, 'token'), 'utf8'),
      log: silentLog,
    })
  })
  after(async () => {
    await warehouse[Symbol.asyncDispose]()
    await engine[Symbol.asyncDispose]()
  })

  test('is found migrated, healthy and without a process of ours', async () => {
    assert.deepEqual((await warehouse.migrate()).changes, [])
    assert.equal((await warehouse.health()).isUp, true)
    assert.equal((await warehouse.memory()).anonymousBytes, undefined)
  })

  test('lets readers and people read and nothing else', async () => {
    for (const role of ['reader', 'guest', 'member'] as const) {
      const result = await warehouse[role].query({ query: 'SELECT 1 AS one', format: 'JSONEachRow' })
      assert.deepEqual(await result.json(), [{ one: 1 }])
      await assert.rejects(warehouse[role].command({ query: 'DROP VIEW btc_blocks' }))
    }
    await assert.rejects(warehouse.reader.command({ query: 'DROP VIEW btc_blocks' }), { type: 'READONLY' })
  })

  test('keeps people’s SQL behind the same gate', async () => {
    await assert.rejects(warehouse.guest.query({ query: "SELECT file('/etc/passwd')" }), {
      code: 'warehouse.refused',
      message: /Function file is not open/,
    })
    await assert.rejects(warehouse.member.query({ query: 'SELECT query FROM system.processes' }), {
      code: 'warehouse.refused',
    })
    await assert.rejects(warehouse.guest.exec({ query: "SELECT file('/etc/passwd') FORMAT CSV" }), {
      code: 'warehouse.refused',
    })
    await assert.rejects(warehouse.guest.query({ query: 'SELECT 1 +* 2' }), /position 13 /)
  })
})
