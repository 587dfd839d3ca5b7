/** A public example would fail, return nothing, or contradict the page that shows the same figure. */
import assert from 'node:assert/strict'
import process from 'node:process'
import { after, before, describe, test } from 'node:test'
import { EXAMPLE_TOPICS, type QueryExample, readContent } from '#content/index.ts'
import { createRandom } from '#ingest/testing.ts'
import { newSeed } from '#kernel/seed.testing.ts'
import { SQL_LIMITS } from '#kernel/sqlLimits.ts'
import type { SeriesQuery } from '../contract.ts'
import { CONTENT_DIR, openTestSite, type TestSite } from '../testing.ts'

const SLOWEST_MS = 3000
const EXAMPLE_COUNT = 50

type Row = Readonly<Record<string, string | number | boolean | null>>
type SqlAnswer = {
  columns: { name: string }[]
  rows: Row[string][][]
  isTruncated: boolean
  elapsedMs: number
}

let site: TestSite
let examples: readonly QueryExample[]

before(async () => {
  site = await openTestSite({ holds: 'snapshot' })
  examples = (await readContent(CONTENT_DIR)).queryExamples
})
after(() => site[Symbol.asyncDispose]())

async function answerOf(sql: string, parameters: Readonly<Record<string, string>>): Promise<SqlAnswer> {
  const answer = await site.app.inject({ method: 'POST', url: '/api/v1/sql', payload: { sql, parameters } })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json<SqlAnswer>()
}

/** Rows of an example by column, with some of its parameters changed. */
async function rowsOf(id: string, parameters: Readonly<Record<string, string>> = {}): Promise<Row[]> {
  const example = examples.find(each => each.id === id)
  assert.ok(example, `there is no example ${id}`)
  return rowsFrom(example.sql, { ...example.parameters, ...parameters })
}

async function rowsFrom(sql: string, parameters: Readonly<Record<string, string>> = {}): Promise<Row[]> {
  const { columns, rows } = await answerOf(sql, parameters)
  return rows.map(row => Object.fromEntries(columns.map(({ name }, place) => [name, row[place] ?? null])))
}

/** Figures of a metric by day, or by day and key. */
async function figuresOf(
  id: string,
  entity: string,
  span: Pick<SeriesQuery, 'from' | 'to' | 'grain'>,
): Promise<Map<string, number>> {
  const { points } = await site.apiFor({ address: 'test' }).series({ id, entity, ...span })
  return new Map(
    points.flatMap(({ day, key, value }) =>
      value === null ? [] : [[key === null || key === '' ? day : `${day} ${key}`, Number(value)] as const],
    ),
  )
}

/** The column equals the metric on every row whose key the metric has, and there are at least `least` such rows. */
function agree(
  rows: readonly Row[],
  figures: ReadonlyMap<string, number>,
  { key, value, least }: { key: (row: Row) => string; value: (row: Row) => number; least: number },
): void {
  let compared = 0
  for (const row of rows) {
    const expected = figures.get(key(row))
    if (expected === undefined) continue
    compared++
    const difference = Math.abs(value(row) - expected)
    assert.ok(
      difference <= Math.abs(expected) * 1e-9 + 1e-9,
      `${key(row)}: ${value(row)}, metric ${expected}`,
    )
  }
  assert.ok(compared >= least, `${compared} rows compared`)
}

const sumOf = (figures: ReadonlyMap<string, number>): number =>
  [...figures.values()].reduce((sum, figure) => sum + figure, 0)
const number = (column: string) => (row: Row) => Number(row[column])
const text = (column: string) => (row: Row) => String(row[column])
/** Satoshis of a column in BTC. */
const satoshis = (column: string) => (row: Row) => Math.round(Number(row[column]) * 1e8)

describe('examples of the query tool', () => {
  test('the API lists them all by topic, each with its own title', async () => {
    const answer = await site.app.inject({ url: '/api/v1/queries/examples' })
    assert.equal(answer.statusCode, 200)
    const listed = answer.json<{ examples: QueryExample[] }>().examples
    assert.deepEqual(listed, examples)
    assert.ok(listed.length >= EXAMPLE_COUNT, `${listed.length} examples`)
    assert.equal(new Set(listed.map(({ title }) => title)).size, listed.length)
    assert.deepEqual([...new Set(listed.map(({ topic }) => topic))], [...EXAMPLE_TOPICS])
    assert.ok(listed.filter(({ parameters }) => Object.keys(parameters).length > 0).length >= 10)
  })

  test('every example returns all its rows within the limits of a guest, in under three seconds', async () => {
    for (const { id, sql, parameters } of examples) {
      const { columns, rows, isTruncated, elapsedMs } = await answerOf(sql, parameters)
      assert.ok(rows.length > 0, `${id} returns nothing`)
      assert.ok(!isTruncated && rows.length <= SQL_LIMITS.guest.rows, `${id} returns too many rows`)
      assert.ok(elapsedMs < SLOWEST_MS, `${id} takes ${elapsedMs} ms`)
      assert.equal(new Set(columns.map(({ name }) => name)).size, columns.length, `${id} repeats a column`)
      assert.ok(
        columns.some((_, place) => rows.some(row => row[place] !== null && row[place] !== 0)),
        `${id} has no figure`,
      )
    }
  })

  test('Bitcoin figures agree with the metrics of the pages', async () => {
    const span = { from: '2025-09-11', to: '2026-01-31' }
    agree(await rowsOf('fees-by-day', span), await figuresOf('fees.total', 'bitcoin', span), {
      key: text('day'),
      value: satoshis('fees_btc'),
      least: 140,
    })
    const day = '2009-02-13'
    agree(
      await rowsOf('coins-by-age', { day }),
      await figuresOf('utxo.age_bands', 'bitcoin', { from: day, to: day }),
      { key: row => `${day} ${row.age}`, value: satoshis('supply_btc'), least: 12 },
    )
    agree(
      await rowsOf('btc-price-by-month'),
      await figuresOf('price.close', 'bitcoin', { from: '2015-01-01', to: '2025-12-31', grain: 'month' }),
      { key: text('month'), value: number('last_close_usd'), least: 100 },
    )
    const stale = await figuresOf('blocks.stale', 'bitcoin', { from: '2016-01-01', to: '2016-12-31' })
    const ofYear = (await rowsOf('stale-blocks-by-year')).find(({ year }) => year === 2016)
    assert.equal(ofYear?.stale_blocks, sumOf(stale))
    const [{ difficulty: expected } = { difficulty: 0 }] = await rowsFrom(
      'SELECT difficulty FROM btc_block_facts WHERE height = 934575',
    )
    const epoch = (await rowsOf('difficulty-epochs')).find(row => row.epoch === Math.floor(934_575 / 2016))
    assert.ok(Math.abs(Number(epoch?.difficulty) / Number(expected) - 1) < 1e-12)
  })

  test('coins of the first 4,312 blocks are all there, and the schedule gives the known supply', async () => {
    const unspent = await rowsOf('unspent-outputs')
    // No fee was lost in these blocks, so each after the first adds 50 BTC.
    assert.equal(
      unspent.reduce((sum, row) => sum + satoshis('value_btc')(row), 0),
      4312 * 50e8,
    )
    const supply = await rowsOf('supply-at-height', { height: '839999' })
    assert.equal(supply.at(-1)?.supply_btc, 19_687_500)
    const [input, first, second] = await rowsOf('transaction-inputs-and-outputs')
    assert.deepEqual([input?.amount_btc, first?.amount_btc, second?.amount_btc], [50, 10, 40])
  })

  test('figures of layers and funds agree with the metrics of the pages', async () => {
    const day = '2026-08-05'
    const at = { from: day, to: day }
    agree(await rowsOf('tvl-by-layer'), await figuresOf('tvl.total', 'rootstock', at), {
      key: row => (row.layer === 'rootstock' ? String(row.as_of) : ''),
      value: number('tvl_usd'),
      least: 1,
    })
    agree(await rowsOf('tvl-by-protocol'), await figuresOf('tvl.by_protocol', 'rootstock', at), {
      key: row => `${row.as_of} ${row.protocol}`,
      value: number('tvl_usd'),
      least: 20,
    })
    agree(
      (await rowsOf('stablecoins-by-layer')).filter(({ layer }) => layer === 'core'),
      await figuresOf('stables.by_token', 'core', { from: '2026-08-20', to: '2026-08-20' }),
      { key: row => `${row.as_of} ${row.stablecoin}`, value: number('supply_usd'), least: 4 },
    )
    const ofMay = await figuresOf('tx.count', 'bob', { from: '2024-05-01', to: '2024-05-31' })
    const may = (await rowsOf('bob-transactions-by-month')).find(({ month }) => month === '2024-05-01')
    assert.equal(may?.transactions, sumOf(ofMay))
    const week = await figuresOf('etf.flow', 'bitcoin', { from: '2026-08-17', to: '2026-08-21' })
    assert.equal((await rowsOf('etf-flows-by-week')).at(-1)?.net_flow_usd, sumOf(week))
  })

  test('Stacks figures agree with the metrics of the pages', async () => {
    const at = { from: '2021-01-14', to: '2021-01-14' }
    agree(await rowsOf('stx-blocks-by-day'), await figuresOf('fees.total', 'stacks', at), {
      key: text('day'),
      value: row => Math.round(Number(row.fees_stx) * 1e6),
      least: 1,
    })
    agree(await rowsOf('stx-transactions-by-kind'), await figuresOf('tx.count', 'stacks', at), {
      key: row => `${row.day} ${row.kind}`,
      value: number('transactions'),
      least: 3,
    })
    agree(
      await rowsOf('stx-miner-bids'),
      await figuresOf('miners.bid', 'stacks', { from: '2021-08-18', to: '2024-02-20' }),
      { key: row => String(row.block_time_utc).slice(0, 10), value: satoshis('bids_btc'), least: 4 },
    )
    agree(
      await rowsOf('stx-supply-schedule'),
      await figuresOf('supply.planned', 'stacks', { from: '2020-10-20', to: '2025-09-01' }),
      { key: text('day'), value: row => Math.round(Number(row.planned_supply_stx) * 1e6), least: 50 },
    )
    agree(
      await rowsOf('sip-votes'),
      await figuresOf('votes.stated', 'stacks', { from: '2024-01-01', to: '2025-12-31' }),
      {
        key: row => (row.lane === 'all' ? `${row.closed_day} sip-0${row.sip}.yes` : ''),
        value: row => Number(row.yes_stx) * 1e6,
        least: 2,
      },
    )
    const since = { from: '2021-02-01', to: '2026-01-20' }
    const cycles = await figuresOf('pox.cycle', 'fast-pool', since)
    for (const [metric, value] of [
      ['pox.stackers', number('members')],
      ['pox.stacked', (row: Row) => Math.round(Number(row.stacked_stx) * 1e6)],
    ] as const) {
      const figures = await figuresOf(metric, 'fast-pool', since)
      const byCycle = new Map([...figures].map(([day, figure]) => [String(cycles.get(day)), figure]))
      // In these cycles the pool counts the members of a second pool that its list leaves out.
      for (const cycle of ['99', '100', '101']) byCycle.delete(cycle)
      agree(await rowsOf('stacking-pool-by-cycle'), byCycle, { key: text('cycle'), value, least: 100 })
    }
  })

  test('figures of treasuries, yields, indices and developers agree with the metrics of the pages', async () => {
    const held = await figuresOf('btc.held', 'strategy', { from: '2026-06-15', to: '2026-06-15' })
    const strategy = (await rowsOf('treasuries-largest')).filter(({ name }) =>
      String(name).startsWith('Strategy'),
    )
    agree(strategy, held, { key: text('as_of'), value: satoshis('held_btc'), least: 1 })
    agree(
      await rowsOf('treasury-mnav'),
      await figuresOf('mnav.basic', 'strategy', { from: '2021-01-01', to: '2026-03-01' }),
      { key: text('as_of'), value: number('mnav'), least: 50 },
    )
    const opportunity = 'Fluid DEX: WBTC–cbBTC'
    const realized = await figuresOf('yield.btc_realised', 'fluid-dex-ethereum-wbtc-cbbtc', {
      from: '2025-10-01',
      to: '2025-10-06',
    })
    agree(await rowsOf('yields-realized'), realized, {
      key: row => (row.opportunity === opportunity ? `${row.as_of} 90 days` : ''),
      value: row => Number(row.return_90d_percent) / 100,
      least: 1,
    })
    agree(
      (await rowsOf('index-levels-by-month')).filter(
        ({ index_name: name }) => name === 'Layer tokens, equal',
      ),
      await figuresOf('index.level', 'layer-tokens-equal', { from: '2021-03-31', to: '2025-11-13' }),
      { key: text('as_of'), value: number('level_points'), least: 50 },
    )
    agree(
      await rowsOf('developers-of-an-ecosystem-by-month'),
      await figuresOf('dev.new', 'bitcoin', { from: '2022-01-01', to: '2026-07-31', grain: 'month' }),
      { key: text('month'), value: number('new_developers'), least: 50 },
    )
    const [last] = await rowsOf('developers-by-ecosystem')
    assert.equal(last?.ecosystem_name, 'Bitcoin')
    agree([last], await figuresOf('dev.monthly', 'bitcoin', { from: '2026-08-21', to: '2026-08-21' }), {
      key: text('as_of'),
      value: number('monthly_developers'),
      least: 1,
    })
  })
})

describe('metrics as tables', () => {
  const isDrill = process.env.ASSAY_DRILL === '1'
  /** Number of metrics to compare. Each is read twice. */
  const METRICS = isDrill ? Number.POSITIVE_INFINITY : 24
  const seed = newSeed()
  const random = createRandom(seed)
  const tableOf = (id: string, entity: string) => `metrics.${id.replaceAll('.', '_')}('${entity}')`
  /** Leaves out columns that differ from read to read. */
  const hashed = (from: string) =>
    `SELECT count() AS rows, sum(cityHash64(day, key, toString(value), state, source)) AS hash FROM ${from}`

  test('a metric in FROM has the same rows as its assay view', async () => {
    const all = (await site.metrics.list()).toSorted(() => random() - 0.5)
    let filled = 0
    for (const { id, entities } of all.slice(0, METRICS)) {
      const entity = entities[Math.floor(random() * entities.length)] ?? ''
      const { sql, parameters } = await site.apiFor({ address: 'test' }).series({ id, entity })
      const expected = await rowsFrom(hashed(`(\n${sql}\n)`), parameters)
      const found = await rowsFrom(hashed(tableOf(id, entity)))
      assert.deepEqual(found, expected, `${id} of ${entity}, seed ${seed}`)
      if (Number(found[0]?.rows) > 0) filled++
    }
    assert.ok(filled >= 5, `${filled} metrics have rows, seed ${seed}`)
  })

  test('its values match the page, and it joins with tables and other metrics', async () => {
    const span = { from: '2025-09-11', to: '2025-12-31' }
    const figures = await figuresOf('fees.total', 'bitcoin', span)
    const rows = await rowsFrom(
      `SELECT day, value FROM metrics.fees_total WHERE day BETWEEN '${span.from}' AND '${span.to}'`,
    )
    agree(rows, figures, { key: text('day'), value: number('value'), least: 100 })
    const joined = await rowsFrom(
      `SELECT f.day AS day, f.value AS fees, metrics.blocks.count.value AS blocks
FROM metrics.fees.total AS f JOIN metrics.blocks.count ON metrics.blocks.count.day = f.day
WHERE f.day BETWEEN '${span.from}' AND '${span.to}'`,
    )
    agree(joined, figures, { key: text('day'), value: number('fees'), least: 100 })
  })

  test('its result includes the age of the data, and errors refer to the original query', async () => {
    const answer = await site.app.inject({
      method: 'POST',
      url: '/api/v1/sql',
      payload: { sql: 'SELECT max(day) AS newest FROM metrics.fees_total', format: 'csv' },
    })
    assert.match(String(answer.headers['assay-as-of']), /^bitcoin=/)
    const failing = async (sql: string) =>
      (await site.app.inject({ method: 'POST', url: '/api/v1/sql', payload: { sql } })).json<{
        code: string
        line?: number
        column?: number
        detail: string
        hint: string
      }>()
    const unknown = await failing('SELECT day\nFROM metrics.fees_totl')
    assert.deepEqual([unknown.code, unknown.line, unknown.column], ['sql.unknown_metric', 2, 6])
    assert.match(unknown.hint, /metrics\.fees_total/)
    assert.equal((await failing('SELECT 1 FROM a, metrics.nothing')).code, 'sql.unknown_metric')
    const wrong = await failing('SELECT day FROM metrics.fees_total\nWHERE missing = 1')
    assert.deepEqual([wrong.code, wrong.line, wrong.column], ['sql.unknown_column', 2, 7])
    assert.doesNotMatch(JSON.stringify(wrong), /candidates|CAST\(/)
    for (const sql of [
      'SELECT * FROM metrics.fees_total SETTINGS readonly = 0',
      "SELECT * FROM metrics.fees_total('bitcoin', file('/etc/passwd'))",
      "SELECT * FROM metrics.fees_total('bitcoin\\') UNION ALL SELECT * FROM file(\\'/etc/passwd')",
    ])
      assert.match((await failing(sql)).code, /^sql\./, sql)
  })
})
