/** On a ClickHouse server, a mistake in the checks of user queries would let one user read the uploads of another. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import type { ClickHouseSettings } from '@clickhouse/client'
import { silentLog } from '#kernel/log.ts'
import { until } from '#kernel/until.testing.ts'
import { createUploads, type QueryTool } from '#queries/index.ts'
import { openStore, type Store } from '#store/index.ts'
import { STORE_KINDS, type StoreKind } from '#store/testing.ts'
import { type AccessModel, createAccessModel } from '#warehouse/accessModel.testing.ts'
import { CHECKS, openTestServer, type Seen, type TestServer, USERS } from '#warehouse/door.testing.ts'
import { openNativeEngine } from '#warehouse/engine/native.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import { createUploadAccess, NOBODY, openingStatements, uploadRoleOf } from '#warehouse/uploadAccess.ts'
import { openQueriesServer } from './queriesServer.ts'

const ALICE = 'account:alice'
const BOB = 'account:bob'
const never = new AbortController().signal

/** Statements of an upload, by how they begin; each may be the one that a server refuses. */
const STEPS = [
  /^CREATE ROLE IF NOT EXISTS assay_uploads_of_nobody$/,
  /^GRANT assay_uploads_of_nobody /,
  /^CREATE ROLE IF NOT EXISTS assay_uploads_of_[0-9a-f]{32}$/,
  /^GRANT assay_uploads_of_[0-9a-f]{32} TO `people`$/,
  /^CREATE ROLE IF NOT EXISTS uploads_[0-9a-f]{32}$/,
  /^GRANT SELECT ON uploads_([0-9a-f]{32})\.\* TO uploads_\1$/,
  /^GRANT uploads_[0-9a-f]{32} TO assay_uploads_of_[0-9a-f]{32}$/,
] as const

describe('uploads on a ClickHouse server', () => {
  const kind = STORE_KINDS[0] as StoreKind
  const opened = new AsyncDisposableStack()
  const seen: Seen[] = []
  let access: AccessModel
  let server: TestServer
  let store: Store
  let tool: QueryTool

  before(async () => {
    const place = opened.use(await kind.open())
    const schema = { tables: [], baseViews: [], fills: [], views: [] }
    opened.use(await openTestWarehouse({ home: place.home, schema }))
    access = createAccessModel()
    server = opened.use(await openTestServer(place.home, seen, access))
    store = opened.use(await openStore({ ...place, log: silentLog }))
    tool = opened.use(await openQueriesServer({ home: place.home, warehouse: server.warehouse, store }))
    await until('access control was checked', () => access.changes.some(sql => sql.includes(NOBODY)))
  })
  after(() => opened.disposeAsync())

  async function keep(owner: string, name: string, mode: 'create' | 'replace' | 'append', rows = '1\n2\n') {
    const body = Readable.from([Buffer.from(`secret\n${rows}`)])
    const { id } = await tool.drafts.add(owner, { fileName: 'a.csv', hasHeader: true, body }, never)
    return tool.uploads.keep(owner, { draft: id, name, mode, misfits: 'refuse' }, never)
  }

  async function read(owner: string, sql: string): Promise<string> {
    const { answer } = await tool.executor.run(
      { sql, uploadsOf: owner },
      {
        caller: owner,
        role: 'member',
        settings: { default_format: 'TabSeparated' } as ClickHouseSettings,
        maxRows: 100,
        overflow: 'throw',
        take: async stream => ({ answer: await text(stream) }),
      },
    )
    return answer
  }

  const databases = async (): Promise<string[]> => {
    const result = await server.warehouse.writer.query({
      query: "SELECT name FROM system.databases WHERE startsWith(name, 'uploads_') ORDER BY name",
      format: 'JSONEachRow',
    })
    return (await result.json<{ name: string }>()).map(({ name }) => name)
  }

  /** Whether a request can read a database, where the gate has opened it by mistake. */
  const isReadable = (database: string, role?: string): Promise<boolean> =>
    server.warehouse.member
      .exec({
        query: `SELECT * FROM ${database}.a`,
        clickhouse_settings: {
          assay_uploads: database,
          ...(role !== undefined && { assay_upload_role: role }),
        } as ClickHouseSettings,
      })
      .then(
        async ({ stream }) => (await text(stream)) !== '',
        () => false,
      )

  test('a request reads those of its owner alone, also where the checks let another one through', async () => {
    access.changes.length = 0
    await keep(ALICE, 'a', 'create')
    assert.equal(access.changes.length, STEPS.length)
    for (const [at, step] of STEPS.entries()) assert.match(access.changes[at] ?? '', step)
    seen.length = 0
    assert.equal(await read(ALICE, 'SELECT sum(secret) FROM uploads.a'), '3\n')
    for (const { user, sql, settings } of seen.filter(({ sql }) => /FROM uploads_/.test(sql))) {
      assert.equal(user, 'people')
      assert.equal(settings.get('readonly'), '1')
      if (!CHECKS.test(sql)) assert.deepEqual(settings.getAll('role'), [uploadRoleOf(ALICE)])
      assert.equal(settings.has('assay_upload_role') || settings.has('assay_uploads'), false)
    }
    await keep(BOB, 'a', 'create', '7\n')
    assert.equal(await read(BOB, 'SELECT secret FROM uploads.a'), '7\n')
    const of = async (owner: string) =>
      (
        await store.query<{ database: string }>('SELECT database FROM assay.uploads WHERE owner = $1', [
          owner,
        ])
      )[0]?.database ?? ''
    const database = await of(ALICE)
    assert.equal(await isReadable(database, uploadRoleOf(ALICE)), true)
    for (const role of [uploadRoleOf(BOB), NOBODY, uploadRoleOf('account:nobody'), undefined])
      assert.equal(await isReadable(database, role), false, String(role))
    // A list that names the upload of somebody else, as the runner would send it after a mistake.
    await assert.rejects(
      tool.executor.run(
        { sql: 'SELECT * FROM uploads.a', uploadsOf: BOB, uploads: [{ name: 'a', database }] },
        { caller: BOB, role: 'member', settings: {}, maxRows: 9, overflow: 'throw', take: async () => ({}) },
      ),
      { code: 'sql.refused' },
    )
  })

  test('replaced, appended and removed versions leave no role behind', async () => {
    const [before] = await store.query<{ database: string }>(
      'SELECT database FROM assay.uploads WHERE owner = $1',
      [ALICE],
    )
    access.changes.length = 0
    await keep(ALICE, 'a', 'append', '10\n')
    assert.equal(access.changes.at(-1), `DROP ROLE IF EXISTS ${before?.database}`)
    assert.equal(await read(ALICE, 'SELECT sum(secret) FROM uploads.a'), '13\n')
    await keep(ALICE, 'a', 'replace', '5\n')
    assert.equal(await read(ALICE, 'SELECT sum(secret) FROM uploads.a'), '5\n')
    await tool.uploads.remove(ALICE, 'a')
    assert.match(access.changes.at(-1) ?? '', /^DROP ROLE IF EXISTS uploads_/)
    assert.equal((await databases()).length, 1, 'that of the other user')
  })

  test('an upload is refused whole where the server refuses one of its statements', async () => {
    for (const step of STEPS) {
      access.fails = step
      await assert.rejects(keep(ALICE, 'b', 'create'), { code: 'uploads.not_private' }, String(step))
      access.fails = undefined
      assert.deepEqual(await tool.uploads.list(ALICE), [])
      assert.equal((await databases()).length, 1)
    }
    // A server where roles hold without being asked for, or are ignored.
    access.hasNoDefaults = false
    await assert.rejects(keep(ALICE, 'b', 'create'), { code: 'uploads.not_private' })
    await assert.rejects(tool.uploads.protect(), {
      code: 'warehouse.server_uploads',
      hint: /DEFAULT ROLE NONE/,
    })
    access.hasNoDefaults = true
    access.knowsRoles = false
    await assert.rejects(keep(ALICE, 'b', 'create'), { code: 'uploads.not_private' })
    await assert.rejects(tool.uploads.protect(), { code: 'warehouse.server_uploads', hint: /24\.4 or later/ })
    access.knowsRoles = true
    assert.equal((await databases()).length, 1)
    await using alone = createUploadAccess({ url: server.url }, server.warehouse.writer)
    const upload = { database: 'uploads_x', table: 'a', owner: ALICE }
    await assert.rejects(alone.open(upload), {
      code: 'warehouse.server_uploads',
      hint: /CLICKHOUSE_PEOPLE_USER/,
    })
  })

  test('a server that ends between two statements leaves nothing readable, and the rest is removed later', async () => {
    const role = uploadRoleOf(ALICE)
    const { writer } = server.warehouse
    for (let done = 0; done < openingStatements('', '', '').length; done++) {
      const database = `uploads_${String(done).repeat(32)}`
      await store.query('INSERT INTO assay.upload_leftovers (database, since) VALUES ($1, to_timestamp(0))', [
        database,
      ])
      await writer.command({ query: `CREATE DATABASE ${database}` })
      await writer.command({
        query: `CREATE TABLE ${database}.a ENGINE = MergeTree ORDER BY tuple() AS SELECT 1 AS x`,
      })
      for (const query of openingStatements(database, role, USERS.peopleUser).slice(0, done))
        await writer.command({ query })
      for (const each of [role, uploadRoleOf(BOB), NOBODY, undefined])
        assert.equal(await isReadable(database, each), false, `${done} statements, ${each}`)
    }
    assert.ok((await databases()).length > 1)
    await tool.uploads.sweep()
    assert.equal((await databases()).length, 1)
    assert.deepEqual(await store.query('SELECT database FROM assay.upload_leftovers'), [])
  })

  test('uploads of earlier releases and of a restored server are opened to their owners alone', async () => {
    const [row] = await store.query<{ database: string }>('SELECT database FROM assay.uploads')
    // Roles do not come with a restored folder of data.
    await server.warehouse.writer.command({ query: `DROP ROLE IF EXISTS ${row?.database}` })
    assert.equal(await isReadable(row?.database ?? '', uploadRoleOf(BOB)), false)
    access.changes.length = 0
    await createUploads({ warehouse: server.warehouse, store, drafts: tool.drafts, log: silentLog }).protect()
    assert.ok(access.changes.includes(`REVOKE SELECT ON ${row?.database}.* FROM \`people\``))
    assert.equal(await read(BOB, 'SELECT secret FROM uploads.a'), '7\n')
    assert.equal(await isReadable(row?.database ?? '', uploadRoleOf(ALICE)), false)
  })
})

describe('the engine’s own access control', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-access-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const DOCUMENTED = readFileSync(
    new URL('../../docs/decisions/clickhouse-server.md', import.meta.url),
    'utf8',
  )

  test('parses the statements, and with these grants a role opens its owner’s uploads alone', async () => {
    const [first, second] = [`uploads_${'a'.repeat(32)}`, `uploads_${'b'.repeat(32)}`] as const
    const [alice, bob] = [uploadRoleOf(ALICE), uploadRoleOf(BOB)] as const
    const statements = [
      ...openingStatements(first, alice, 'default'),
      ...openingStatements(second, bob, 'default'),
    ]
    // The embedded engine has one user and reads roles from a file only: the same grants as XML.
    const grantsTo = (name: string) =>
      statements
        .map(sql => /^(GRANT .*) TO `?(\w+)`?$/.exec(sql))
        .filter(found => found?.[2] === name)
        .map(found => `<query>${found?.[1]}</query>`)
        .join('')
    const roles = [first, second, alice, bob]
    writeFileSync(
      join(folder, 'users.xml'),
      `<clickhouse><profiles><default/></profiles><quotas><default/></quotas>
<roles>${roles.map(role => `<${role}><grants>${grantsTo(role)}</grants></${role}>`).join('')}</roles>
<users><default><password/><networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota>
<grants><query>GRANT CREATE, INSERT ON *.*</query>${grantsTo('default')}</grants></default></users></clickhouse>`,
    )
    writeFileSync(
      join(folder, 'config.xml'),
      `<clickhouse><users_config>${folder}/users.xml</users_config></clickhouse>`,
    )
    const engine = openNativeEngine(join(folder, 'data'))
    const connection = engine.connect([`--config-file=${folder}/config.xml`])
    try {
      const run = async (sql: string): Promise<string> =>
        (await connection.run(sql, 'TSV').catch(cause => ({ bytes: String(cause) }))).bytes.toString().trim()
      const setup = DOCUMENTED.match(/^(?:CREATE USER|CREATE QUOTA|GRANT|ALTER USER) [^;]*/gm) ?? []
      assert.ok(setup.length > 8)
      for (const sql of [
        ...statements,
        ...setup,
        `REVOKE SELECT ON ${first}.* FROM \`people\``,
        `DROP ROLE IF EXISTS ${first}`,
      ])
        assert.doesNotMatch(await run(`SELECT formatQuery('${sql.replaceAll("'", "\\'")}')`), /Code: /, sql)
      for (const database of [first, second]) {
        await run(`CREATE DATABASE ${database}`)
        await run(
          `CREATE TABLE ${database}.a ENGINE = MergeTree ORDER BY tuple() AS SELECT '${database}' AS x`,
        )
      }
      const read = async (): Promise<string[]> => {
        const answers = []
        for (const database of [first, second]) {
          const answer = await run(`SELECT x FROM ${database}.a`)
          answers.push(/Code: (\d+)/.exec(answer)?.[1] ?? answer)
        }
        return answers
      }
      await run('SET ROLE NONE')
      assert.deepEqual(await read(), ['497', '497'])
      await run(`SET ROLE ${alice}`)
      assert.deepEqual(await read(), [first, '497'])
      await run(`SET ROLE ${bob}`)
      assert.deepEqual(await read(), ['497', second])
      // Why the user of user queries has to have no default roles.
      await run('SET ROLE DEFAULT')
      assert.deepEqual(await read(), [first, second])
    } finally {
      connection.close()
    }
  })
})
