/** A user query could read closed tables, files or the network. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { CHECKS, openTestServer, type Seen, type TestServer } from '../door.testing.ts'
import { roleLimits } from '../engine/roles.ts'
import { asKnownOn } from '../knownOn.ts'
import { openTestWarehouse } from '../testing.ts'
import type { Warehouse } from '../warehouse.ts'
import { casesOf, type EngineParser, HOSTILE, OPEN, openEngineParser, type Query } from './cases.testing.ts'
import { formattingOf, gate, readFormatting, refusalOfParameters } from './index.ts'
import { refusalOfText } from './text.ts'
import { refusalOfTree } from './tree.ts'

/** What would answer with rows if tables in `base` were not hidden: how many rows they have, uncommitted ones too. */
const HIDDEN = casesOf<Query>('hidden.jsonl')
/** What a hostile statement of the list would leave behind. */
const WRITTEN = '/tmp/assay-x'

const codeOf = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown ? String(thrown.code) : String(thrown)

async function codesOf(warehouse: Pick<Warehouse, 'guest'>, queries: readonly Query[]): Promise<string[]> {
  const codes: string[] = []
  for (const { sql, params = {} } of queries)
    codes.push(
      await warehouse.guest.exec({ query: sql, query_params: params }).then(async ({ stream }) => {
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
  let onServer: TestServer
  let server: Warehouse
  const seen: Seen[] = []
  before(async () => {
    engine = await openTestWarehouse()
    onServer = await openTestServer(engine.home, seen)
    server = onServer.warehouse
  })
  after(async () => {
    await onServer[Symbol.asyncDispose]()
    await engine[Symbol.asyncDispose]()
  })

  test('there are hundreds, and each is refused by the embedded engine with its code', async () => {
    assert.ok(HOSTILE.length >= 300)
    const state = await stateOf(engine)
    const codes = await codesOf(engine, HOSTILE)
    assert.deepEqual(differing(codes, 'embedded'), [])
    assert.equal(await stateOf(engine), state)
    assert.equal(existsSync(WRITTEN), false)
  })

  test('each is refused on a server with the same code, and nothing but the checks is sent', async () => {
    const state = await stateOf(engine)
    seen.length = 0
    const codes = await codesOf(server, HOSTILE)
    assert.deepEqual(differing(codes, 'server'), [])
    const people = seen.filter(({ user }) => user === 'people')
    assert.ok(people.length >= HOSTILE.length)
    for (const { sql } of people) assert.match(sql, CHECKS)
    assert.equal(await stateOf(engine), state)
  })

  test('ordinary queries are answered on both', async () => {
    assert.ok(OPEN.length >= 60)
    for (const warehouse of [engine, server])
      assert.deepEqual(
        (await codesOf(warehouse, OPEN)).flatMap((code, i) => (code === 'OK' ? [] : [{ code, ...OPEN[i] }])),
        [],
      )
  })
})

describe('tables in base', () => {
  let engine: Awaited<ReturnType<typeof openTestWarehouse>>
  let onServer: TestServer
  before(async () => {
    engine = await openTestWarehouse()
    onServer = await openTestServer(engine.home)
  })
  after(async () => {
    await onServer[Symbol.asyncDispose]()
    await engine[Symbol.asyncDispose]()
  })
  const rowsOf = async (client: Warehouse['guest'], query: string) =>
    (await client.query({ query, format: 'JSONCompactEachRow' })).json<unknown[]>()

  test('are hidden from user queries on both, and views are not', async () => {
    for (const { guest, member } of [engine, onServer.warehouse])
      for (const client of [guest, member]) {
        for (const { sql } of HIDDEN) assert.deepEqual(await rowsOf(client, sql), [], sql)
        for (const [table, schema] of [
          ['system.columns', 'database'],
          ['information_schema.tables', 'table_schema'],
          ['information_schema.columns', 'table_schema'],
        ] as const)
          assert.deepEqual(
            await rowsOf(client, `SELECT count() > 50 FROM ${table} WHERE ${schema} = 'default'`),
            [[1]],
            table,
          )
      }
  })

  test('are hidden on a past day too', async () => {
    for (const { guest } of [engine, onServer.warehouse])
      await asKnownOn('2026-01-31', async () => {
        for (const { sql } of HIDDEN) assert.deepEqual(await rowsOf(guest, sql), [], sql)
      })
  })

  test('are there for our own reads, so that each of these would answer', async () => {
    const empty: string[] = []
    for (const { sql } of HIDDEN) if ((await rowsOf(engine.reader, sql)).length === 0) empty.push(sql)
    assert.deepEqual(empty, [])
  })

  test('have views without counts of rows and bytes', async () => {
    const counts =
      "SELECT sum(table_rows), sum(data_length) FROM information_schema.tables WHERE table_schema = 'default'"
    for (const { guest } of [engine, onServer.warehouse]) {
      const [[rows, bytes] = []] = (await rowsOf(guest, counts)) as [unknown, unknown][]
      assert.deepEqual([Number(rows), Number(bytes)], [0, 0])
    }
  })
})

describe('each layer alone', () => {
  const argumentsOf = (settings: Readonly<Record<string, string | number>>) =>
    Object.entries(settings).map(([name, value]) => `--${name}=${value}`)
  let parser: EngineParser
  before(() => {
    parser = openEngineParser()
  })
  after(() => parser[Symbol.dispose]())

  /** The verdict where the engine enforces nothing; a word where there is none. */
  const verdictOf = async ({ sql, params }: Query) => {
    const { count, kind } = await parser.root.classify(sql)
    if (count !== 1 || kind !== 'read') return 'not one read'
    const parsed = await parser.withParameters(params, on => parser.parsedBy(on, sql)).catch(() => undefined)
    return parsed === undefined ? 'not parsed' : gate(sql, parsed)
  }

  test('the gate refuses every hostile statement where the engine enforces nothing', async () => {
    const passed: string[] = []
    for (const query of HOSTILE) if ((await verdictOf(query)) === undefined) passed.push(query.sql)
    assert.deepEqual(passed, [])
  })

  test('the verdict is the same for a statement, its formatted form and with comments', async () => {
    const differing: string[] = []
    for (const { sql, params } of [...HOSTILE, ...OPEN]) {
      const { count, kind } = await parser.root.classify(sql)
      if (count !== 1 || kind !== 'read') continue
      const parsed = await parser
        .withParameters(params, on => parser.parsedBy(on, sql))
        .catch(() => undefined)
      if (parsed === undefined) continue
      const verdict = gate(sql, parsed)
      const commented = parsed.formatted.replace(' ', ' /* a ; comment */ -- and another\n ')
      for (const form of [parsed.formatted, `${commented} -- end`])
        if ((await verdictOf({ sql: form, ...(params && { params }) })) !== verdict) differing.push(form)
    }
    assert.deepEqual(differing, [])
  })

  test('parameters whose types name something are refused before the engine reads their values', async () => {
    const refused: string[] = []
    for (const { sql, params } of HOSTILE) {
      if (params === undefined || !/\{\s*\w+\s*:[^}]*(?:Identifier|AggregateFunction)/.test(sql)) continue
      const answer = await parser.root.run(formattingOf(sql), 'JSONCompactEachRow').catch(() => undefined)
      if (answer === undefined) continue
      const { formatted } = readFormatting(answer.bytes.toString())
      assert.notEqual(refusalOfParameters(formatted), undefined, sql)
      refused.push(sql)
    }
    assert.ok(refused.length > 30, `${refused.length}`)
    for (const { sql } of OPEN.filter(({ params }) => params !== undefined)) {
      const { bytes } = await parser.root.run(formattingOf(sql), 'JSONCompactEachRow')
      assert.equal(refusalOfParameters(readFormatting(bytes.toString()).formatted), undefined, sql)
    }
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
      ...HOSTILE.filter(({ family }) => family === 'tables behind a comma').map(({ sql }) => sql),
      ...HOSTILE.filter(
        ({ family, sql, params }) =>
          family === 'aggregate texts' &&
          params === undefined &&
          /(?:arrayReduce|initializeAggregation)\w*\(/i.test(sql),
      ).map(({ sql }) => sql),
    ]) {
      const { tree, formatted } = await parser.parsedBy(parser.root, sql)
      assert.notEqual(refusalOfText(formatted), undefined, `text: ${sql}`)
      assert.notEqual(refusalOfTree(tree, true, true), undefined, `tree: ${sql}`)
    }
  })

  test('a guest’s connection alone writes nothing, makes nothing and reads no URL or table function of files', async () => {
    const guest = parser.native.connect(argumentsOf(roleLimits(2 ** 30, 2).guest.settings))
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
