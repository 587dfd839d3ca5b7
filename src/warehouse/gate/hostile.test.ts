import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { silentLog } from '#kernel/log.ts'
import { CHECKS, openDoor, portOf, type Seen } from '../door.testing.ts'
import { type Connection, openNativeEngine } from '../engine/native.ts'
import { roleLimits } from '../engine/roles.ts'
import { openTestWarehouse, testSchema } from '../testing.ts'
import { openWarehouse, type Warehouse } from '../warehouse.ts'
import { EXPLAIN, formattingOf, gate, readFormatting } from './index.ts'
import { refusalOfText } from './text.ts'
import { refusalOfTree } from './tree.ts'

const casesOf = <T>(file: string): T[] =>
  readFileSync(new URL(`./cases/${file}`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as T)

/** `code` is the engine's error that the user gets, `server` that of a server where it differs. */
const HOSTILE = casesOf<{ family: string; sql: string; code: number; server?: number }>('hostile.jsonl')
const OPEN = casesOf<{ sql: string }>('open.jsonl')
/** What a hostile statement of the list would leave behind. */
const WRITTEN = '/tmp/assay-x'

const codeOf = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown ? String(thrown.code) : String(thrown)

async function codesOf(
  warehouse: Pick<Warehouse, 'guest'>,
  statements: readonly string[],
): Promise<string[]> {
  const codes: string[] = []
  for (const query of statements)
    codes.push(
      await warehouse.guest.exec({ query }).then(async ({ stream }) => {
        for await (const _ of stream);
        return 'OK'
      }, codeOf),
    )
  return codes
}

const differing = (codes: readonly string[], path: 'embedded' | 'server') =>
  HOSTILE.flatMap(({ family, sql, code, server = code }, i) => {
    const expected = String(path === 'server' ? server : code)
    return codes[i] === expected ? [] : [{ family, sql, expected, given: codes[i] }]
  })

/** Tables, rows, users and functions of the engine: what a statement could have changed. */
async function stateOf({ writer }: Pick<Warehouse, 'writer'>): Promise<string> {
  const result = await writer.query({
    query: `SELECT groupArray((database, name, total_rows)), (SELECT count() FROM system.functions), (SELECT count() FROM system.databases)
      FROM (SELECT * FROM system.tables WHERE database IN ('base', 'default') ORDER BY database, name)`,
    format: 'TabSeparated',
  })
  return result.text()
}

describe('hostile statements', () => {
  let engine: Awaited<ReturnType<typeof openTestWarehouse>>
  let server: Warehouse
  let door: Server
  const seen: Seen[] = []
  before(async () => {
    engine = await openTestWarehouse()
    const folder = join(engine.home, 'warehouse')
    const { port } = JSON.parse(await readFile(join(folder, 'endpoint.json'), 'utf8')) as { port: number }
    door = await openDoor(port, await readFile(join(folder, 'token'), 'utf8'), seen)
    server = await openWarehouse({
      home: engine.home,
      url: `http://127.0.0.1:${portOf(door)}`,
      user: 'house',
      password: 'house-secret',
      peopleUser: 'people',
      peoplePassword: 'people-secret',
      schema: await testSchema(),
      log: silentLog,
    })
  })
  after(async () => {
    await server[Symbol.asyncDispose]()
    door.closeAllConnections()
    door.close()
    await engine[Symbol.asyncDispose]()
  })

  test('there are hundreds, and each is refused by the embedded engine with its code', async () => {
    assert.ok(HOSTILE.length >= 300)
    const state = await stateOf(engine)
    const codes = await codesOf(
      engine,
      HOSTILE.map(({ sql }) => sql),
    )
    assert.deepEqual(differing(codes, 'embedded'), [])
    assert.equal(await stateOf(engine), state)
    assert.equal(existsSync(WRITTEN), false)
  })

  test('each is refused on a server with the same code, and nothing but the checks is sent', async () => {
    const state = await stateOf(engine)
    seen.length = 0
    const codes = await codesOf(
      server,
      HOSTILE.map(({ sql }) => sql),
    )
    assert.deepEqual(differing(codes, 'server'), [])
    const people = seen.filter(({ user }) => user === 'people')
    assert.ok(people.length >= HOSTILE.length)
    for (const { sql } of people) assert.match(sql, CHECKS)
    assert.equal(await stateOf(engine), state)
  })

  test('ordinary queries are answered on both', async () => {
    assert.ok(OPEN.length >= 60)
    const statements = OPEN.map(({ sql }) => sql)
    for (const warehouse of [engine, server])
      assert.deepEqual(
        (await codesOf(warehouse, statements)).flatMap((code, i) =>
          code === 'OK' ? [] : [`${code}: ${statements[i]}`],
        ),
        [],
      )
  })
})

describe('each layer alone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-gate-'))
  const native = openNativeEngine(join(folder, 'data'))
  const argumentsOf = (settings: Readonly<Record<string, string | number>>) =>
    Object.entries(settings).map(([name, value]) => `--${name}=${value}`)
  let root: Connection
  before(() => {
    root = native.connect([])
  })
  after(() => {
    root.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const parsedBy = async (connection: Connection, sql: string) => ({
    tree: (await connection.run(EXPLAIN + sql, 'TSVRaw')).bytes.toString(),
    ...readFormatting((await connection.run(formattingOf(sql), 'JSONCompactEachRow')).bytes.toString()),
  })
  /** The verdict where the engine enforces nothing; undefined also where it cannot parse the statement. */
  const verdictOf = async (sql: string) => {
    const { count, kind } = await root.classify(sql)
    if (count !== 1 || kind !== 'read') return 'not one read'
    const parsed = await parsedBy(root, sql).catch(() => undefined)
    return parsed === undefined ? 'not parsed' : gate(sql, parsed)
  }

  test('the gate refuses every hostile statement where the engine enforces nothing', async () => {
    const passed: string[] = []
    for (const { sql } of HOSTILE) if ((await verdictOf(sql)) === undefined) passed.push(sql)
    assert.deepEqual(passed, [])
  })

  test('the verdict is the same for a statement, its formatted form and with comments', async () => {
    const differing: string[] = []
    for (const { sql } of [...HOSTILE, ...OPEN]) {
      const { count, kind } = await root.classify(sql)
      if (count !== 1 || kind !== 'read') continue
      const parsed = await parsedBy(root, sql).catch(() => undefined)
      if (parsed === undefined) continue
      const verdict = gate(sql, parsed)
      const commented = parsed.formatted.replace(' ', ' /* a ; comment */ -- and another\n ')
      for (const form of [parsed.formatted, `${commented} -- end`])
        if ((await verdictOf(form)) !== verdict) differing.push(form)
    }
    assert.deepEqual(differing, [])
  })

  test('the check of the text alone refuses settings, functions and tables, and so does that of the tree', async () => {
    for (const sql of [
      'SELECT * FROM (SELECT 1 SETTINGS readonly = 0)',
      "SELECT arrayMap(x -> file(x), ['a'])",
      "SELECT * FROM url('http://127.0.0.1:1/')",
      'SELECT * FROM (SELECT * FROM base.btc_live_batches)',
      'SELECT 1 IN (billing.secrets)',
      'SELECT `in`(1, base.btc_live_batches)',
      "SELECT * APPLY(file) FROM (SELECT 'a')",
      "SELECT 1 INTO OUTFILE 'x'",
    ]) {
      const { tree, formatted } = await parsedBy(root, sql)
      assert.notEqual(refusalOfText(formatted), undefined, `text: ${sql}`)
      assert.notEqual(refusalOfTree(tree, true, true), undefined, `tree: ${sql}`)
    }
  })

  test('a guest’s connection alone writes nothing, makes nothing and reads no URL or table function of files', async () => {
    const guest = native.connect(argumentsOf(roleLimits(2 ** 30, 2).guest.settings))
    try {
      const refused = HOSTILE.filter(
        ({ family, sql }) =>
          (family === 'statements' &&
            /^(CREATE|INSERT|ALTER|DROP|TRUNCATE|SYSTEM|SET max_|BACKUP)\b/.test(sql)) ||
          /^SELECT \* FROM (file|url|s3|remote|executable|sqlite|mysql)\(/.test(sql) ||
          /^SELECT 1 SETTINGS readonly/.test(sql),
      )
      assert.ok(refused.length > 25)
      const passed: string[] = []
      for (const { sql } of refused)
        await guest.run(sql, 'Null').then(
          () => passed.push(sql),
          () => {},
        )
      assert.deepEqual(passed, [])
    } finally {
      guest.close()
    }
  })
})
