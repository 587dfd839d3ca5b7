/** A warehouse on a ClickHouse server would not work or not be protected. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { after, before, describe, test } from 'node:test'
import type { ClickHouseSettings } from '@clickhouse/client'
import { silentLog } from '#kernel/log.ts'
import { CHECKS, openTestServer, portOf, type Seen, type TestServer, USERS } from './door.testing.ts'
import { quotaDdl, quotaKeyOf } from './peopleQuota.ts'
import { openTestWarehouse } from './testing.ts'
import { openWarehouse, type Warehouse } from './warehouse.ts'

describe('a warehouse on a server', () => {
  let engine: Awaited<ReturnType<typeof openTestWarehouse>>
  let warehouse: Warehouse
  let onServer: TestServer
  const seen: Seen[] = []
  before(async () => {
    engine = await openTestWarehouse()
    onServer = await openTestServer(engine.home, seen)
    warehouse = onServer.warehouse
  })
  after(async () => {
    await onServer[Symbol.asyncDispose]()
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
      await assert.rejects(warehouse[role].command({ query: 'DROP VIEW btc_blocks' }), { type: 'READONLY' })
      await assert.rejects(
        warehouse[role].insert({ table: 'base.prices', values: [{ a: 1 }], format: 'JSONEachRow' }),
      )
    }
  })

  test('people’s SQL is refused before it is run, in the words of the embedded engine', async () => {
    for (const [sql, type] of [
      ["SELECT file('/etc/passwd')", 'ACCESS_DENIED'],
      ["SELECT * FROM url('http://127.0.0.1:1/', 'LineAsString')", 'ACCESS_DENIED'],
      ["SELECT * FROM s3('http://127.0.0.1:1/b/k')", 'ACCESS_DENIED'],
      ["SELECT * FROM remote('127.0.0.1', system.one)", 'ACCESS_DENIED'],
      ["SELECT * FROM executable('id', 'LineAsString', 'x String')", 'ACCESS_DENIED'],
      ["SELECT dictGet('a', 'b', 1)", 'ACCESS_DENIED'],
      ['SELECT query FROM system.processes', 'ACCESS_DENIED'],
      ['SELECT * FROM billing.secrets', 'ACCESS_DENIED'],
      ['SELECT 1 WHERE 1 IN billing.secrets', 'ACCESS_DENIED'],
      ['KILL QUERY WHERE 1', 'READONLY'],
      ['SYSTEM SHUTDOWN', 'READONLY'],
      ['SELECT 1 SETTINGS max_execution_time = 0', 'READONLY'],
    ] as const)
      for (const role of ['guest', 'member'] as const)
        for (const way of ['query', 'exec', 'command'] as const) {
          seen.length = 0
          await assert.rejects(
            // The union of three signatures has no common call.
            (warehouse[role][way] as (params: { query: string }) => Promise<unknown>)({ query: sql }),
            { type },
            `${role}.${way}: ${sql}`,
          )
          for (const { sql } of seen.filter(({ user }) => user === 'people'))
            assert.match(sql, CHECKS, 'nothing but the check was sent')
        }
    await assert.rejects(warehouse.guest.query({ query: 'SELECT 1 +* 2' }), /position 13 /)
  })

  test('people’s SQL runs as its own user, read-only and under its limits, the check as well', async () => {
    const result = await warehouse.guest.query({ query: 'SELECT 1 AS limited', format: 'JSONEachRow' })
    await result.json()
    // Half of the check of a statement that an earlier test had refused may still be under way.
    const sent = seen.filter(({ sql }) => sql.includes('AS limited'))
    assert.equal(sent.length, 3, 'the two halves of the check and the statement')
    for (const { user, settings } of sent) {
      assert.equal(user, 'people')
      assert.equal(settings.get('readonly'), '1')
      assert.equal(settings.get('max_execution_time'), '10')
      assert.equal(settings.get('max_memory_usage'), String(2 ** 30))
      assert.equal(settings.get('max_result_rows'), '10001')
      assert.ok(Number(settings.get('max_result_bytes')) > 0)
      assert.equal(settings.get('cancel_http_readonly_queries_on_client_close'), '1')
    }
    await (await warehouse.reader.query({ query: 'SELECT 1 AS trusted' })).text()
    assert.deepEqual(
      seen
        .filter(({ sql }) => sql.includes('AS trusted'))
        .map(({ user, settings }) => [user, settings.get('readonly')]),
      [['house', '1']],
    )
  })

  test('an estimate runs as the query user, after the check, and each request has its caller’s key', async () => {
    const settings = { assay_estimate: 1, quota_key: quotaKeyOf('somebody') } as ClickHouseSettings
    const query = 'SELECT count() AS estimated FROM btc_blocks'
    await (
      await warehouse.member.query({ query, format: 'JSONEachRow', clickhouse_settings: settings })
    ).text()
    const sent = seen.filter(({ sql }) => sql.includes('AS estimated'))
    assert.equal(sent.length, 3)
    assert.match(sent.at(-1)?.sql ?? '', /^EXPLAIN ESTIMATE SELECT count\(\)/)
    for (const { user, settings: found } of sent) {
      assert.deepEqual([user, found.has('assay_estimate')], ['people', false])
      assert.equal(found.get('quota_key'), quotaKeyOf('somebody'))
    }
    await assert.rejects(
      warehouse.member.query({ query: 'EXPLAIN ESTIMATE SELECT 1 AS closed', clickhouse_settings: settings }),
      { type: 'ACCESS_DENIED' },
    )
    assert.ok(seen.filter(({ sql }) => sql.includes('AS closed')).every(({ sql }) => CHECKS.test(sql)))
  })

  test('the documented quota parses and matches the queue', async () => {
    const ddl = quotaDdl('assay_people')
    const query = 'SELECT formatQuerySingleLine({ddl:String}) AS line'
    const { data } = await (await warehouse.reader.query({ query, query_params: { ddl } })).json<{
      line: string
    }>()
    assert.match(
      data[0]?.line ?? '',
      /^CREATE QUOTA IF NOT EXISTS assay_user_queries KEYED BY client_key FOR INTERVAL 1 day/i,
    )
    const text = await readFile(new URL('../../docs/decisions/clickhouse-server.md', import.meta.url), 'utf8')
    assert.ok(text.includes(ddl.replaceAll('`', '')), ddl)
  })

  test('a server that is away or refuses the user is told by the variable to correct', async () => {
    const opened = (more: { url?: string; user?: string; peopleUser?: string }) =>
      openWarehouse({
        home: engine.home,
        url: onServer.url,
        ...USERS,
        ...more,
        log: silentLog,
      })
    await using stranger = await opened({ user: 'stranger' })
    await assert.rejects(stranger.migrate(), {
      code: 'warehouse.server_user',
      hint: /^Correct CLICKHOUSE_USER /,
    })
    await using guest = await opened({ peopleUser: 'stranger' })
    await assert.rejects(guest.guest.query({ query: 'SELECT 1' }), {
      code: 'warehouse.server_user',
      hint: /^Correct CLICKHOUSE_PEOPLE_USER /,
    })
    const other = createServer((_, response) => {
      response.writeHead(501, { 'content-type': 'text/html' })
      response.end('<!DOCTYPE HTML><title>Error</title>')
    })
    await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${portOf(other)}`
    await using web = await opened({ url })
    await assert.rejects(web.migrate(), { code: 'warehouse.server_other', hint: /CLICKHOUSE_URL/ })
    other.closeAllConnections()
    await new Promise(resolve => other.close(resolve))
    await using nobody = await opened({ url })
    await assert.rejects(nobody.migrate(), { code: 'warehouse.server_away', hint: /CLICKHOUSE_URL/ })
    // The gate was not made while nobody answered, and is once somebody does.
    await assert.rejects(nobody.guest.query({ query: 'SELECT 1' }), { code: 'warehouse.server_away' })
  })
})
