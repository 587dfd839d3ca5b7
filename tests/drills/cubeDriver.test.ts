/** Cube could not read Assay through its own ClickHouse driver. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { KEYS, openTestPort } from '#http/clickhouse/port.testing.ts'

const DRIVER = '@cubejs-backend/clickhouse-driver'
const VERSION = '1.7.43'
const INSTALL_MS = 300_000
const isDrill = process.env.ASSAY_DRILL === '1'

/** The part of the driver that this test uses. */
type Driver = {
  testConnection(): Promise<void>
  query(sql: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>
  tablesSchema(): Promise<Record<string, Record<string, { name: string; type: string }[]>>>
  stream(
    sql: string,
    values: readonly unknown[],
    options: { highWaterMark: number },
  ): Promise<{ rowStream: AsyncIterable<Record<string, unknown>>; release?: () => Promise<void> }>
  release(): Promise<void>
}

// It needs 150 MB, so it is not a dependency of the project.
test('the ClickHouse driver of Cube connects, lists tables, binds values, streams rows and reads errors', {
  skip: isDrill ? false : `npm run drill installs ${DRIVER}`,
  timeout: 2 * INSTALL_MS,
}, async t => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-cube-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'package.json'), '{"private":true}')
  const installing = promisify(execFile)(
    'npm',
    ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', `${DRIVER}@${VERSION}`],
    { cwd: folder, timeout: INSTALL_MS },
  )
  await installing
  // Cube's documentation requires this for users who cannot change settings.
  process.env.CUBEJS_DB_CLICKHOUSE_READONLY = 'true'
  await using port = await openTestPort()
  const { ClickHouseDriver } = createRequire(join(folder, 'package.json'))(DRIVER) as {
    ClickHouseDriver: new (options: object) => Driver
  }
  const { hostname, port: number } = new URL(port.url)
  const open = (password: string) =>
    new ClickHouseDriver({
      host: hostname,
      port: number,
      username: 'cube',
      password,
      database: 'default',
      readOnly: true,
      dataSource: 'default',
    })
  const driver = open(KEYS.member)
  t.after(() => driver.release())
  await driver.testConnection()
  const schema = await driver.tablesSchema()
  assert.deepEqual(Object.keys(schema), ['default'])
  assert.ok(schema.default?.btc_blocks?.some(({ name }) => name === 'height'))
  const bound = await driver.query('SELECT ? AS text, number AS n FROM numbers(3) WHERE number > ?', [
    "it's",
    0,
  ])
  assert.deepEqual(
    bound.map(row => [row.text, Number(row.n)]),
    [
      ["it's", 1],
      ["it's", 2],
    ],
  )
  const { rowStream } = await driver.stream('SELECT number AS n FROM numbers(10000)', [], {
    highWaterMark: 100,
  })
  let sum = 0
  for await (const row of rowStream) sum += Number(row.n)
  assert.equal(sum, (9_999 * 10_000) / 2)
  await assert.rejects(driver.query('SELECT nope FROM btc_blocks'), /nope/)
  const stranger = open('assay_wrong')
  t.after(() => stranger.release())
  await assert.rejects(stranger.query('SELECT 1'), /key does not exist/)
})
