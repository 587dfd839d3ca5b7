/** An uploaded file would be lost or visible to someone other than its owner. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Problem, Uploads } from '#http/contract.ts'
import { createUploads } from '#queries/index.ts'
import { type Answer, ask, type Headers, keyOf, store, testSite } from '../queries/sharedSaved.testing.ts'
import { databases, keep, other, owner, read, rows, run, upload } from './uploading.testing.ts'

const { warehouse } = testSite

test('a file becomes a private table that its owner joins with public tables', async () => {
  const made = await upload('heights', 'height,label\n170,first payment\n0,genesis\n')
  assert.deepEqual(made.columns, [
    { name: 'height', type: 'Int64' },
    { name: 'label', type: 'String' },
  ])
  const found = await rows(
    'SELECT height, heights.label FROM uploads.heights JOIN btc_blocks USING height ORDER BY uploads.heights.height',
  )
  assert.deepEqual(found, [
    [0, 'genesis'],
    [170, 'first payment'],
  ])
})

test('nobody else can query an upload, list it, or read a result of it', async () => {
  await upload('canary_of_owner', 'canary\nsecret-canary\n')
  const own = await run('SELECT canary FROM uploads.canary_of_owner')
  assert.equal(own.result?.isPrivate, true)
  const [database] = await warehouse.reader
    .query({
      query: "SELECT database FROM system.tables WHERE name = 'canary_of_owner'",
      format: 'JSONEachRow',
    })
    .then(result => result.json<{ database: string }>())
  assert.match(database?.database ?? '', /^uploads_[0-9a-f]{32}$/)
  for (const headers of [other, {}]) {
    const refused = await run('SELECT canary FROM uploads.canary_of_owner', headers)
    assert.equal(refused.problem?.code, 'sql.unknown_upload')
    const guessed = await run(`SELECT canary FROM ${database?.database}.canary_of_owner`, headers)
    assert.equal(guessed.problem?.code, 'sql.refused')
    const page: Answer<Problem> = await ask<Problem>(
      'GET',
      `/api/v1/queries/results/${own.result?.hash}`,
      headers,
    )
    assert.deepEqual([page.status, page.body.code], [403, 'sql.result_private'])
    for (const [method, part] of [
      ['GET', 'query'],
      ['GET', 'chart'],
      ['PUT', 'pin'],
    ] as const) {
      const refusal: Answer<Problem> = await ask<Problem>(
        method,
        `/api/v1/queries/results/${own.result?.hash}/${part}`,
        headers,
      )
      assert.deepEqual([refusal.status, refusal.body.code], [403, 'sql.result_private'])
      assert.doesNotMatch(refusal.text, /canary/)
    }
    for (const sql of [
      'SELECT * FROM system.columns',
      'SELECT * FROM information_schema.tables',
      'SELECT * FROM information_schema.columns',
      'SHOW TABLES',
    ])
      for (const row of await rows(sql, headers)) assert.doesNotMatch(row.join(' '), /canary|uploads_/)
    for (const sql of [
      'SELECT * FROM canary_of_ownr',
      'SELECT canary FROM canary_of_owner',
      'SELECT * FROM default.canary_of_owne',
    ])
      assert.doesNotMatch(JSON.stringify((await run(sql, headers)).problem), /secret|uploads_/)
  }
  const listed = await ask<Uploads>('GET', '/api/v1/uploads', other)
  assert.doesNotMatch(listed.text, /canary/)
})

test('a misspelled column suggests columns of the caller’s own uploads alone', async () => {
  await upload('canary_prices', 'canary_day,canary_price\n2026-01-01,1\n')
  const sql = 'SELECT u.price FROM uploads.canary_prices AS u'
  const { problem } = await run(sql)
  assert.deepEqual(
    [problem?.code, problem?.nearest, problem?.line, problem?.column],
    ['sql.unknown_column', ['u.canary_price'], 1, 8],
  )
  assert.doesNotMatch(JSON.stringify(problem), /uploads_/)
  for (const headers of [other, {}])
    for (const text of [
      sql,
      'SELECT canary_pric FROM uploads.canary_prices, btc_blocks',
      'SELECT canary_pric FROM btc_blocks, canary_prices',
      'SELECT canary_pric FROM btc_blocks WHERE height IN (SELECT canary_pric FROM canary_prices)',
      'SELECT canary_pric FROM btc_blocks',
    ]) {
      const told = JSON.stringify((await run(text, headers)).problem).replaceAll(
        /canary_prices|canary_pric\b/g,
        '',
      )
      assert.doesNotMatch(told, /canary|uploads_/, text)
    }
})

test('replacing, appending and deleting change what is read, and no earlier result stands for the new rows', async () => {
  const before = (await databases()).length
  await upload('moving', 'a,b\n1,old-canary\n')
  const sql = 'SELECT a, b FROM uploads.moving ORDER BY a'
  const first = await run(sql)
  assert.equal((await run(sql)).isReused, true)
  await upload('moving', 'a,b\n2,\n', { mode: 'append' })
  assert.deepEqual(await rows(sql), [
    [1, 'old-canary'],
    [2, null],
  ])
  const replaced = await upload('moving', 'x\n0.1\n', { mode: 'replace' })
  assert.deepEqual(replaced.columns, [{ name: 'x', type: 'Decimal(38, 1)' }])
  const now = await run('SELECT x FROM uploads.moving')
  assert.notEqual(now.result?.hash, first.result?.hash)
  assert.equal((await databases()).length, before + 1)
  const { body: draft } = await read('y\n1\n')
  const wrong = await keep(draft.id, 'moving', { mode: 'append' })
  assert.deepEqual([wrong.status, wrong.body.code], [409, 'uploads.append'])
  const again = await keep(draft.id, 'moving')
  assert.deepEqual([again.status, again.body.code], [409, 'uploads.taken'])
  assert.equal((await ask('DELETE', '/api/v1/uploads/moving', other)).status, 404)
  assert.equal((await ask('DELETE', '/api/v1/uploads/moving', owner)).status, 204)
  assert.equal((await run(sql)).problem?.code, 'sql.unknown_upload')
  assert.equal((await databases()).length, before)
})

test('a draft, its columns and its table are for who uploaded the file alone', async () => {
  const { body: draft } = await read('a\n1\n')
  for (const [headers, status] of [
    [other, 404],
    [{}, 401],
  ] as const) {
    assert.equal((await ask('GET', `/api/v1/uploads/drafts/${draft.id}`, headers)).status, status)
    assert.equal((await keep(draft.id, 'stolen', {}, headers)).status, status)
    assert.equal((await ask('DELETE', `/api/v1/uploads/drafts/${draft.id}`, headers)).status, status)
  }
})

test('a key reads uploads with the scope read:own and changes them with write:own', async () => {
  await upload('of_keys', 'a\n5\n')
  const [sqlOnly, reading, writing] = [
    (await keyOf(owner, 'read:query')).headers,
    (await keyOf(owner, 'read:query', 'read:own')).headers,
    (await keyOf(owner, 'write:own')).headers,
  ]
  assert.equal((await run('SELECT a FROM uploads.of_keys', sqlOnly)).problem?.code, 'sql.unknown_upload')
  assert.deepEqual(await rows('SELECT a FROM uploads.of_keys', reading), [[5]])
  const sql = async (headers: Headers) =>
    (await ask<Problem>('POST', '/api/v1/sql', headers, { sql: 'SELECT a FROM uploads.of_keys' })).status
  assert.deepEqual([await sql(sqlOnly), await sql(reading)], [404, 200])
  assert.equal((await read('a\n1\n', { headers: reading })).status, 403)
  assert.equal((await read('a\n1\n', { headers: writing })).status, 200)
  assert.equal((await ask('GET', '/api/v1/uploads', sqlOnly)).status, 403)
})

test('a saved query that reads an upload runs for its owner alone, and says so to others', async () => {
  await upload('in_saved', 'a\n5\n')
  const { body } = await ask<{ id: string }>('POST', '/api/v1/queries', owner, {
    name: 'Public',
    sql: 'SELECT a FROM uploads.in_saved',
    visibility: 'public',
  })
  const { body: shared } = await ask<{ sql: string }>('GET', `/api/v1/queries/${body.id}`, other)
  const { problem } = await run(shared.sql, other)
  assert.equal(problem?.code, 'sql.unknown_upload')
  assert.match(problem?.hint ?? '', /Only the owner/)
})

test('what a process left behind while it wrote is dropped, and uploads stay', async () => {
  await upload('staying', 'a\n1\n')
  const before = await databases()
  const left = `uploads_${'0'.repeat(32)}`
  await warehouse.writer.command({ query: `CREATE DATABASE ${left}` })
  await warehouse.writer.command({
    query: `CREATE TABLE ${left}.half (a Int64) ENGINE = MergeTree ORDER BY tuple()`,
  })
  for (const name of [left, `uploads_${'1'.repeat(32)}`])
    await store.query('INSERT INTO assay.upload_leftovers (database, since) VALUES ($1, to_timestamp(0))', [
      name,
    ])
  const [listed] = await store.query<{ database: string }>(
    "SELECT database FROM assay.uploads WHERE name = 'staying'",
  )
  // A row that stayed behind must not take an upload with it.
  await store.query('INSERT INTO assay.upload_leftovers (database, since) VALUES ($1, to_timestamp(0))', [
    listed?.database,
  ])
  const none = undefined as never
  const uploads = createUploads({ warehouse, store, drafts: none, log: { info() {}, warn() {}, error() {} } })
  await uploads.sweep()
  assert.deepEqual(await databases(), before)
  assert.deepEqual(await rows('SELECT a FROM uploads.staying'), [[1]])
})
