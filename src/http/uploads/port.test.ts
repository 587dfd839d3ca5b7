/** Uploads would be missing in the owner’s ClickHouse client, or visible to others. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { silentLog } from '#kernel/log.ts'
import type { ListedUpload } from '../clickhouse/catalogSql.ts'
import { type ClickHousePort, openClickHousePort } from '../clickhouse/openClickHousePort.ts'
import { accounts, type Headers, keyOf, signedIn, testSite } from '../queries/sharedSaved.testing.ts'
import { keep, other, owner, read, upload } from './uploading.testing.ts'

describe('uploads on the port for ClickHouse clients', () => {
  let port: ClickHousePort
  /** Listed in addition to the real ones. */
  let made: ListedUpload[] = []
  let keys: Readonly<Record<'own' | 'sqlOnly' | 'other' | 'lapsed', string>>
  before(async () => {
    port = await openClickHousePort(
      {
        executor: testSite.executor,
        accounts,
        uploads: {
          list: async of => [...(await testSite.queryTool.uploads.list(of)), ...made],
        },
        version: async () => 'test',
        asOf: async () => [],
        log: silentLog,
      },
      { host: '127.0.0.1', port: 0 },
    )
    const secret = async (headers: Headers, ...scopes: string[]) =>
      ((await keyOf(headers, ...scopes)).headers.authorization ?? '').replace('Bearer ', '')
    const lapsed = await signedIn('lapsed@uploads.example')
    keys = {
      own: await secret(owner, 'read:query', 'read:own'),
      sqlOnly: await secret(owner, 'read:query'),
      other: await secret(other, 'read:query', 'read:own'),
      lapsed: await secret(lapsed, 'read:query', 'read:own'),
    }
    await upload('port_canary', 'height,canary_column\n170,x\n')
    await upload('port_other', 'other_column\n1\n', {}, other)
    await upload('port_lapsed', 'lapsed_column\n1\n', {}, lapsed)
    await accounts.grants.revoke('lapsed@uploads.example', 'test')
  })
  after(() => port[Symbol.asyncDispose]())

  const askPort = async (sql: string, key: keyof typeof keys): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${port.port}/`, {
      method: 'POST',
      body: sql,
      headers: { 'x-clickhouse-key': keys[key] },
    })
    return answer.text()
  }
  /** All ways to list or read uploads. */
  const LISTINGS = [
    'SHOW DATABASES',
    'SHOW TABLES',
    'SHOW FULL TABLES FROM uploads',
    'SHOW COLUMNS FROM uploads.port_canary',
    'SHOW FULL COLUMNS FROM port_canary FROM uploads',
    'SELECT * FROM system.databases',
    'SELECT * FROM system.tables',
    "SELECT * FROM system.tables WHERE database = 'uploads'",
    'SELECT * FROM system.columns',
    'SELECT * FROM information_schema.schemata',
    'SELECT * FROM information_schema.tables',
    'SELECT * FROM INFORMATION_SCHEMA.COLUMNS',
    'EXISTS TABLE uploads.port_canary',
    'EXISTS DATABASE uploads',
    'DESCRIBE TABLE uploads.port_canary',
    'SELECT t.name, c.name FROM system.tables AS t JOIN system.columns AS c ON c.table = t.name AND c.database = t.database',
    // Attempts to see uploads of others.
    'SELECT * FROM system.tables UNION ALL SELECT * FROM system.tables',
    'SELECT (SELECT groupArray(name) FROM system.columns)',
    "SELECT * FROM view(SELECT * FROM system.tables) WHERE name LIKE '%port%'",
    "SELECT * FROM system.columns WHERE database LIKE 'uploads%' OR 1",
    "SELECT * FROM (SELECT * FROM system.columns) WHERE table IN (SELECT name FROM system.tables WHERE database != 'default')",
    "SHOW TABLES FROM uploads LIKE '%' UNION ALL SELECT name FROM system.tables",
    'SHOW TABLES FROM uploads WHERE 1 OR name IN (SELECT name FROM system.tables)',
    'SHOW CREATE TABLE uploads.port_canary',
    'SELECT * FROM `system`.`tables`',
    'SELECT * FROM system . columns AS default',
    'WITH uploads AS (SELECT * FROM system.columns) SELECT * FROM uploads',
    'SELECT canary_column FROM uploads.port_canary',
    'SELECT uploads.port_canary.* FROM uploads.port_canary',
    'SELECT * FROM uploads.port_canry',
    "SELECT * FROM merge('uploads', '.*')",
    "SELECT hasColumnInTable('uploads', 'port_canary', 'canary_column')",
    'EXISTS uploads.port_other',
  ]

  test('uploads are listed with their columns, in a separate database', async () => {
    const lines = async (sql: string) => (await askPort(sql, 'own')).trim().split('\n')
    assert.deepEqual(await lines('SHOW DATABASES'), ['default', 'uploads'])
    assert.ok((await lines('SHOW TABLES FROM uploads')).includes('port_canary'))
    assert.ok(!(await lines('SHOW TABLES')).includes('port_canary'))
    assert.deepEqual(
      await lines(
        "SELECT database, engine, total_rows, comment FROM system.tables WHERE name = 'port_canary'",
      ),
      ['uploads\tMergeTree\t1\tUpload of file.csv'],
    )
    const columns = ['height\tInt64\t1', 'canary_column\tString\t2']
    assert.deepEqual(
      await lines(
        "SELECT name, type, position FROM system.columns WHERE table = 'port_canary' ORDER BY position",
      ),
      columns,
    )
    assert.deepEqual(
      await lines(
        "SELECT column_name, DATA_TYPE, ordinal_position FROM information_schema.columns WHERE table_schema = 'uploads' AND table_name = 'port_canary' ORDER BY ORDINAL_POSITION",
      ),
      columns,
    )
    assert.deepEqual(
      (await lines('SHOW COLUMNS FROM uploads.port_canary')).map(line => line.split('\t', 2).join(' ')),
      ['height Int64', 'canary_column String'],
    )
    assert.deepEqual(await lines('EXISTS TABLE uploads.port_canary'), ['1'])
    assert.deepEqual(await lines('EXISTS TABLE port_canary'), ['0'])
    assert.deepEqual(await lines('EXISTS DATABASE uploads'), ['1'])
    assert.deepEqual(await lines('SELECT height, canary_column FROM uploads.port_canary'), ['170\tx'])
    const types = (table: string, key: keyof typeof keys) => askPort(`DESCRIBE (SELECT * FROM ${table})`, key)
    for (const table of ['system.databases', 'system.tables', 'system.columns'].concat(
      ['schemata', 'tables', 'columns'].map(name => `information_schema.${name}`),
    ))
      assert.equal(await types(table, 'own'), await types(table, 'sqlOnly'), table)
  })

  test('other users, keys without the scope and users whose Premium has ended do not see them', async () => {
    for (const sql of LISTINGS)
      for (const key of ['sqlOnly', 'other', 'lapsed', 'own'] as const) {
        // Errors repeat the query.
        const told = (await askPort(sql, key)).replaceAll(
          /port_canr?a?ry|canary_column|port_other/g,
          found => (sql.includes(found) ? '' : found),
        )
        if (key !== 'own') assert.doesNotMatch(told, /canary/, `${key}: ${sql}`)
        if (key !== 'other') assert.doesNotMatch(told, /port_other|other_column/, `${key}: ${sql}`)
        assert.doesNotMatch(told, /port_lapsed|lapsed_column|uploads_[0-9a-f]/, `${key}: ${sql}`)
      }
    for (const key of ['sqlOnly', 'lapsed'] as const) {
      assert.equal(await askPort('SHOW DATABASES', key), 'default\n')
      assert.match(await askPort('SHOW TABLES FROM uploads', key), /^Code: 81\./)
      assert.equal(await askPort('EXISTS DATABASE uploads', key), '0\n')
    }
    assert.equal(await askPort('EXISTS TABLE uploads.port_canary', 'other'), '0\n')
    assert.equal(await askPort('SHOW COLUMNS FROM uploads.port_canary', 'other'), '')
  })

  test('file names are escaped, and lists that are too long say so', async () => {
    const name = `a'), ('b\\', 1, 1, '\n\t.csv`
    const { body } = await read('a\n1\n', { fileName: name })
    assert.equal((await keep(body.id, 'odd_file')).status, 200)
    assert.equal(
      await askPort(
        "SELECT comment FROM system.tables WHERE name = 'odd_file' FORMAT JSONEachRow",
        'own',
      ).then(text => JSON.parse(text).comment),
      `Upload of ${name}`,
    )
    const wide = (name: string) => ({
      name,
      fileName: 'wide.csv',
      columns: Array.from({ length: 400 }, (_, at) => ({ name: `${'a'.repeat(80)}${at}`, type: 'String' })),
      rowCount: 1,
      bytes: 1,
    })
    made = [wide('wide_a'), wide('wide_b')]
    const listed = await askPort(
      "SELECT t.name, uniqExact(c.name), any(t.comment) FROM system.tables AS t LEFT JOIN system.columns AS c ON c.table = t.name AND c.database = t.database AND c.name != '' WHERE t.name LIKE 'wide%' GROUP BY t.name ORDER BY t.name",
      'own',
    )
    assert.match(
      listed,
      /^wide_a\t400\tUpload of wide\.csv\nwide_b\t\d\tYour uploads have too many columns to list here\. Run DESCRIBE TABLE uploads\.wide_b /,
    )
    made = []
  })
})
