/** A figure of a fresh install would not check equal on another one, or a check would name the wrong input. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestSite, type TestSite } from '#http/testing.ts'
import { seedOf } from '#kernel/seed.testing.ts'
import { metricsOf } from '#metrics/registry.ts'
import type { Bundle } from '#queries/index.ts'
import { check, createServerClient, type ServerClient } from '../../src/cli/check.ts'
import { randomFrom } from './random.ts'

const isDrill = process.env.ASSAY_DRILL === '1'
const FIGURES = isDrill ? 120 : 6
const CHARTS = isDrill ? 10 : 1
const TABLES = isDrill ? 20 : 2
const EXAMPLES = isDrill ? 50 : 3
/** How many files are made and checked at once. */
const AT_ONCE = 4

type Server = { readonly site: TestSite; readonly url: string; readonly client: ServerClient }
let first: Server
let second: Server
const opened = new AsyncDisposableStack()

before(async () => {
  // Two installations that each load the snapshot by themselves, not copies of one.
  if (isDrill) delete process.env.ASSAY_TEST_HOMES
  ;[first, second] = await Promise.all([openServer(), openServer()])
})
after(() => opened.disposeAsync())

async function openServer(): Promise<Server> {
  const site = opened.use(await openTestSite({ holds: 'snapshot' }))
  const url = await site.app.listen({ port: 0, host: '127.0.0.1' })
  return { site, url, client: createServerClient(url, undefined, new AbortController().signal) }
}

const read = async <T>(path: string): Promise<T> => {
  const answer = await fetch(`${first.url}${path}`)
  assert.equal(answer.status, 200, `${path}: ${await answer.clone().text()}`)
  return (await answer.json()) as T
}

/** What a file is made of, by its name. */
type Item = readonly [name: string, make: () => Promise<Bundle>]

const ofQuery =
  (sql: string, parameters: Record<string, string> = {}): (() => Promise<Bundle>) =>
  () =>
    first.client.provenance({ kind: 'query', sql, parameters })

async function itemsOf(random: () => number): Promise<Item[]> {
  const pick = <T>(list: readonly T[], most: number): T[] =>
    list
      .map(value => ({ value, at: random() }))
      .sort((a, b) => a.at - b.at)
      .slice(0, most)
      .map(({ value }) => value)
  const { metrics } = await read<{ metrics: { id: string; entities: string[] }[] }>('/api/v1/metrics')
  const subjects = pick(
    metrics.flatMap(({ id, entities }) => entities.map(entity => ({ id, entity }))),
    Number.POSITIVE_INFINITY,
  )
  const figures: Item[] = []
  for (const { id, entity } of subjects) {
    if (figures.length >= FIGURES) break
    // Those without a figure would be equal for nothing.
    const { point } = await read<{ point: { day: string } | null }>(
      `/api/v1/metrics/${id}?entity=${entity}&range=30d`,
    ).then(series => {
      const { points } = series as unknown as { points: { day: string; value: unknown }[] }
      return { point: points.findLast(({ value }) => value !== null) ?? null }
    })
    if (point === null) continue
    const span = random() < 0.3 ? `from=${point.day.slice(0, 10)}&to=${point.day.slice(0, 10)}` : 'range=1y'
    figures.push([
      `${id}@${entity}?${span}`,
      () => read<Bundle>(`/api/v1/metrics/${id}/provenance?entity=${entity}&${span}`),
    ])
  }
  const names = figures.map(([name]) => name.split('?')[0])
  const charts = Array.from({ length: CHARTS }, (): Item => {
    const drawn = pick(names, 3).join(',')
    return [drawn, () => read<Bundle>(`/api/v1/series/provenance?figures=${drawn}&range=1y&grain=month`)]
  })
  const { tables } = await read<{ tables: { name: string; columns: { name: string }[] }[] }>(
    '/api/v1/queries/schema',
  )
  const { examples } = await read<{
    examples: { title: string; sql: string; parameters: Record<string, string> }[]
  }>('/api/v1/queries/examples')
  return [
    ...figures,
    ...charts,
    ...pick(
      tables.filter(({ name }) => !OF_LOADING.test(name)),
      TABLES,
    ).map(
      ({ name, columns }): Item => [
        `table ${name}`,
        ofQuery(
          `SELECT ${columns
            .map(column => column.name)
            .filter(column => !/_at$|^(?:seq|run|reading|part)$/.test(column))
            .map(column => `\`${column}\``)
            .join(', ')} FROM ${name} ORDER BY ALL LIMIT 1000`,
        ),
      ],
    ),
    ...pick(
      // When data was loaded differs, and is what this one shows.
      examples.filter(({ sql }) => !/\bsources\b/.test(sql)),
      EXAMPLES,
    ).map(({ title, sql, parameters }): Item => [`example ${title}`, ofQuery(sql, parameters)]),
  ]
}

/** Tables that say how and when data was loaded. */
const OF_LOADING = /_batches$|_states$|^sources$|^rollup_|_runs$|followers|endpoints|_loads$|signatures/

test('figures, charts and results of one fresh install check equal on another', {
  timeout: 1_800_000,
}, async t => {
  const { below } = randomFrom(seedOf(t))
  const random = () => below(2 ** 31) / 2 ** 31
  const items = await itemsOf(random)
  const faults: string[] = []
  const sizes: number[] = []
  let rows = 0
  let rounded = 0
  const queue = [...items]
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [name, make] = next
      try {
        const file = await make()
        sizes.push(JSON.stringify(file).length)
        rows += file.result.rowCount
        const verdict = await check(file, second.client)
        if (verdict.isRounded) rounded++
        if (!verdict.isEqual) faults.push(`${name}: ${verdict.difference ?? verdict.problem}`)
      } catch (thrown) {
        faults.push(`${name}: ${String(thrown)}`)
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  sizes.sort((a, b) => a - b)
  t.diagnostic(
    `${items.length} files, ${rows} rows, ${rounded} equal but for the last digits of floats; size: median ${sizes[sizes.length >> 1]} bytes, largest ${sizes.at(-1)}`,
  )
  assert.deepEqual(faults, [])
  assert.ok(items.length >= (isDrill ? 200 : 12), `${items.length} files`)
})

const literal = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** One changed row of the second install, and what a check must say. */
const CHANGES: readonly {
  readonly name: string
  readonly sql: string
  readonly table: string
  /** Picks the row, by columns that identify it. */
  readonly row: string
  readonly column: string
  readonly to: string
  readonly says: RegExp
}[] = [
  {
    name: 'a Bitcoin block',
    sql: 'SELECT count() FROM btc_blocks',
    table: 'btc_blocks',
    row: 'height = 2016',
    column: 'hash',
    to: "unhex(repeat('ab', 32))",
    says: /^Block 2016 of Bitcoin differs: [0-9a-f]{64} in the file, (?:ab){32} on the server\.$/,
  },
  {
    name: 'a node’s statistics of a block',
    sql: 'SELECT sum(fee_sat) FROM btc_block_stats',
    table: 'btc_block_stats',
    row: 'height = 934000',
    column: 'fee_sat',
    to: 'fee_sat + 1',
    says: /^Node statistics of block 934000 of Bitcoin differ\.$/,
  },
  {
    name: 'a Stacks block',
    sql: 'SELECT count() FROM stx_blocks',
    table: 'stx_blocks',
    row: 'height = (SELECT max(height) FROM base.stx_blocks)',
    column: 'hash',
    to: "unhex(repeat('cd', 32))",
    says: /^Block \d+ of Stacks differs: [0-9a-f]{64} in the file, (?:cd){32} on the server\.$/,
  },
  {
    name: 'a block header of Rootstock',
    sql: 'SELECT count() FROM evm_headers',
    table: 'evm_headers',
    row: "chain = 'rootstock' AND height = 4481200",
    column: 'hash',
    to: "unhex(repeat('ef', 32))",
    says: /^Block header 4481200 of rootstock differs: [0-9a-f]{64} in the file, (?:ef){32} on the server\.$/,
  },
  {
    name: 'a close of bitcoin',
    sql: "SELECT day, close FROM usd_closes WHERE asset = 'BTC' ORDER BY day LIMIT 500",
    table: 'prices',
    row: "asset = 'BTC' AND source = 'yahoo.recorded' AND day = '2020-02-03'",
    column: 'close',
    to: '12345.5',
    says: /^Price BTC\/USD of BTC on 2020-02-03 by source yahoo\.recorded differs: [\d.]+ in the file, 12345\.5 on the server\.$/,
  },
]

test('one changed row is named, and nothing else', { timeout: 600_000 }, async () => {
  const { writer, reader } = second.site.warehouse
  for (const { name, sql, table, row, column, to, says } of CHANGES) {
    const file = await ofQuery(sql)()
    assert.equal((await check(file, second.client)).isEqual, true, name)
    const before = await reader.query({
      query: `SELECT toTypeName(${column}) AS type, hex(reinterpretAsString(${column})) AS bytes, toString(${column}) AS text FROM base.${table} WHERE ${row}`,
      format: 'JSONEachRow',
    })
    const [old] = await before.json<{ type: string; bytes: string; text: string }>()
    assert.ok(old, `${name}: no such row`)
    const set = (value: string) =>
      writer.command({
        query: `ALTER TABLE base.${table} UPDATE ${column} = ${value} WHERE ${row}`,
        clickhouse_settings: { mutations_sync: '2' },
      })
    await set(to)
    try {
      const verdict = await check(file, second.client)
      assert.equal(verdict.isEqual, false, name)
      assert.match(verdict.difference ?? '', says, name)
      if (table === 'prices')
        assert.match(verdict.difference ?? '', new RegExp(`: ${old.text.replace('.', '\\.')} in`))
      if (column === 'hash')
        assert.match(verdict.difference ?? '', new RegExp(`: ${old.bytes.toLowerCase()} in`))
    } finally {
      await set(
        old.type.startsWith('FixedString')
          ? `unhex(${literal(old.bytes)})`
          : `CAST(${literal(old.text)} AS ${old.type})`,
      )
    }
    assert.equal((await check(file, second.client)).isEqual, true, `${name}, changed back`)
  }
})

/** The second install with the release before or after: the same data, and one metric declared differently. */
async function openWith(id: string, change: (sql: string) => string): Promise<Server & AsyncDisposable> {
  const site = await openTestSite({
    over: second.site,
    registry: catalog =>
      metricsOf(catalog).map(metric => (metric.id === id ? { ...metric, sql: change(metric.sql) } : metric)),
  })
  const url = await site.app.listen({ port: 0, host: '127.0.0.1' })
  return {
    site,
    url,
    client: createServerClient(url, undefined, new AbortController().signal),
    [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
  }
}

/** Changes of a definition: one that gives the same rows, and one that does not. */
const DEFINITIONS: readonly ((sql: string) => string)[] = [
  sql => `${sql}\n-- changed`,
  sql => `SELECT * REPLACE (2 * value AS value) FROM (\n${sql}\n)`,
]

test('another definition of a metric is named, and nothing else', { timeout: 1_800_000 }, async t => {
  const metricFile = (id: string, entity = 'bitcoin') =>
    read<Bundle>(`/api/v1/metrics/${id}/provenance?entity=${entity}&range=1y`)
  const chart = () =>
    read<Bundle>('/api/v1/series/provenance?figures=tx.count@bitcoin,fees.total@bitcoin&range=1y&grain=month')
  const rows = (id: string) =>
    ofQuery(`SELECT day, value FROM metrics.${id}('bitcoin') WHERE day < '2024-01-01'`)()
  const fees = await metricFile('fees.total')
  const others = await metricFile('tx.count')
  const both = await chart()
  const feesRows = await rows('fees_total')
  assert.ok([fees, others, both, feesRows].every(({ result }) => result.rowCount > 0))
  for (const [at, change] of DEFINITIONS.entries()) {
    if (!isDrill && at === 0) continue
    await using changed = await openWith('fees.total', change)
    for (const file of [fees, both, feesRows]) {
      const verdict = await check(file, changed.client)
      const name = `${file.subject.kind}, change ${at}`
      assert.equal(verdict.isEqual, false, name)
      assert.deepEqual(verdict.input, { kind: 'metric', name: 'fees.total' }, name)
      assert.match(
        verdict.difference ?? '',
        /^The definition of the metric fees\.total differs \(SQL\)/,
        name,
      )
      assert.equal(verdict.isResultEqual, at === 0, name)
    }
    assert.equal((await check(others, changed.client)).isEqual, true, `change ${at}`)
  }
  if (!isDrill) return
  // Every other metric of Bitcoin with a figure, one at a time.
  const { metrics } = await read<{ metrics: { id: string; entities: string[] }[] }>('/api/v1/metrics')
  let count = 0
  for (const { id } of metrics.filter(({ entities }) => entities.includes('bitcoin'))) {
    const file = await metricFile(id)
    if (file.result.rowCount === 0 || id === 'tx.count') continue
    await using changed = await openWith(id, sql => `${sql}\n-- changed`)
    assert.deepEqual((await check(file, changed.client)).input, { kind: 'metric', name: id })
    assert.equal((await check(others, changed.client)).isEqual, true, id)
    count++
  }
  t.diagnostic(`${count} metrics changed, one at a time`)
  assert.ok(count > 20)
})
