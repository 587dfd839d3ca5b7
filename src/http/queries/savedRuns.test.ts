/** A saved query with parameters would fail through the API, a schedule or a form, or give different results than on the page. */
import assert from 'node:assert/strict'
import { before, mock, test } from 'node:test'
import type {
  ChangedQuery,
  Problem,
  QueryRun,
  QuerySchedule,
  ResultPage,
  SavedQuery,
} from '#http/contract.ts'
import { bearer, ORIGIN } from '#http/people.testing.ts'
import { ask, type Headers, save, signedIn, store, testSite } from './sharedSaved.testing.ts'

let owner: Headers
before(async () => {
  owner = await signedIn('runs@saved.example')
})

type Values = Readonly<Record<string, string>>
type Answer = {
  status: number
  rows: unknown
  code: string | null
  field: string | null
  run: QueryRun & Problem
}

async function start(headers: Headers, id: string, parameters: Values = {}): Promise<Answer> {
  const { status, body } = await ask<QueryRun & Problem>('POST', `/api/v1/queries/${id}/runs`, headers, {
    parameters,
    waitSeconds: 30,
  })
  const problem = status === 200 ? body.problem : body
  const hash = body.result?.hash
  const page =
    hash === undefined ? undefined : await ask<ResultPage>('GET', `/api/v1/queries/results/${hash}`, headers)
  return {
    status,
    rows: page?.body.rows ?? null,
    code: problem?.code ?? null,
    field: problem?.errors?.[0]?.parameter ?? null,
    run: body,
  }
}
const saved = (sql: string, parameters: Values = {}) => save(owner, { sql, parameters })
const limitedKey = async (...queries: SavedQuery[]): Promise<Headers> => {
  const { body } = await ask<{ key: string }>(
    'POST',
    '/api/v1/account/keys',
    { ...owner, origin: ORIGIN },
    { name: 'k', scopes: ['read:query'], queries: queries.map(({ id }) => id) },
  )
  return bearer(body.key)
}

const RANGE = `-- {{from}} type: Date
-- {{to}} type: Date
-- {{from}} default: 2026-01-01
SELECT dateDiff('day', {{from}}, {{to}}) AS days`
const LIST = '-- {{coins}} type: Array(String)\nSELECT {{coins}} AS coins, length({{coins}}) AS n'
const HOSTILE = `'); DROP TABLE btc_blocks -- {{x}} {y:UInt8} \\ " \``

const ANSWERS: readonly [about: string, sql: string, kept: Values, given: Values, rows: unknown][] = [
  ['a text', 'SELECT {{name}} AS name', { name: 'STX' }, {}, [['STX']]],
  ['a value of the run', 'SELECT {{name}} AS name', { name: 'STX' }, { name: 'ALEX' }, [['ALEX']]],
  ['a default of a comment', '-- {{name}} default: STX\nSELECT {{name}}', {}, {}, [['STX']]],
  [
    'a saved value before a default',
    '-- {{n}} default: 1\n-- {{n}} type: Int64\nSELECT {{n}}',
    { n: '2' },
    {},
    [[2]],
  ],
  ['a day range', RANGE, { to: '2026-01-31' }, {}, [[30]]],
  ['a day range of the run', RANGE, {}, { from: '2026-02-01', to: '2026-02-01' }, [[0]]],
  ['a list as entered', LIST, { coins: 'a, b c\nd' }, {}, [['["a","b c","d"]', 3]]],
  ['a list as JSON', LIST, {}, { coins: '["a, b", "c"]' }, [['["a, b","c"]', 2]]],
  ['a list as SQL', LIST, {}, { coins: "['a', 'it''s']" }, [['["a","it\'s"]', 2]]],
  ['an empty list', LIST, { coins: '' }, { coins: '[]' }, [['[]', 0]]],
  ['a list of numbers', '-- {{n}} type: Array(Int64)\nSELECT arraySum({{n}})', { n: '1, -2,+4' }, {}, [[3]]],
  [
    'a time of a field',
    '-- {{t}} type: DateTime\nSELECT {{t}}',
    { t: '2026-01-31T10:30' },
    {},
    [['2026-01-31 10:30:00']],
  ],
  [
    'a time with its zone',
    '-- {{t}} type: DateTime\nSELECT {{t}}',
    {},
    { t: '2026-01-31T10:30:05Z' },
    [['2026-01-31 10:30:05']],
  ],
  ['a fraction', '-- {{f}} type: Float64\nSELECT {{f}} * 2', { f: ' 0.5 ' }, {}, [[1]]],
  ['a written type', 'SELECT {n:UInt8} + {{n}}', { n: '3' }, {}, [[6]]],
  ['a list of a written type', 'SELECT {n:Array(UInt8)}', { n: '1, 2' }, {}, [['[1,2]']]],
  ['no value for a nullable parameter', 'SELECT {n:Nullable(UInt8)} IS NULL', {}, {}, [[1]]],
  ['a closing semicolon', 'SELECT {{name}} ; -- done', { name: 'a' }, {}, [['a']]],
  ['a value that the text no longer has', 'SELECT {{name}}', { name: 'a', old: 'b' }, {}, [['a']]],
  ['braces in a text', `SELECT '{{name}}', {{name}}`, { name: 'a' }, {}, [['{{name}}', 'a']]],
  [
    'a comment inside a string is ignored',
    "SELECT {{n}}, '\n-- {{n}} type: Int64\n' != ''",
    { n: 'a' },
    {},
    [['a', 1]],
  ],
  ['hostile text', 'SELECT {{name}} AS name', {}, { name: HOSTILE }, [[HOSTILE]]],
  [
    'hostile items',
    LIST,
    {},
    { coins: JSON.stringify([HOSTILE, "']"]) },
    [[JSON.stringify([HOSTILE, "']"]), 2]],
  ],
  [
    'names of every object',
    'SELECT {{constructor}}, {{hasOwnProperty}}',
    { hasOwnProperty: 'a' },
    { constructor: 'b' },
    [['b', 'a']],
  ],
]

test('a saved query runs with its types, defaults and values, and values are never SQL', async () => {
  const found = await Promise.all(
    ANSWERS.map(async ([about, sql, kept, given]) => {
      const { code, rows } = await start(owner, (await saved(sql, kept)).id, given)
      return [about, code, rows]
    }),
  )
  assert.deepEqual(
    found,
    ANSWERS.map(([about, , , , rows]) => [about, null, rows]),
  )
})

const REFUSALS: readonly [about: string, sql: string, given: Values, code: string, field: string | null][] = [
  ['no value', 'SELECT {{n}}', {}, 'sql.parameter_missing', 'n'],
  ['no value of a name of every object', 'SELECT {{__proto__}}', {}, 'sql.parameter_missing', '__proto__'],
  [
    'an empty day',
    '-- {{d}} type: Date\n-- {{d}} default: 2026-01-01\nSELECT {{d}}',
    { d: '' },
    'sql.parameter_missing',
    'd',
  ],
  ['a name that is not in the query', 'SELECT 1', { n: '1' }, 'sql.parameter_unknown', 'n'],
  [
    'a text for a number',
    '-- {{n}} type: Int64\nSELECT {{n}}',
    { n: '1) OR (1' },
    'sql.parameter_value',
    'n',
  ],
  [
    'a number out of range',
    '-- {{n}} type: Int64\nSELECT {{n}}',
    { n: '9223372036854775808' },
    'sql.parameter_value',
    'n',
  ],
  [
    'a number out of range in a list',
    '-- {{n}} type: Array(Int64)\nSELECT {{n}}',
    { n: '1, 9223372036854775808' },
    'sql.parameter_value',
    'n',
  ],
  ['an impossible date', RANGE, { to: '2026-02-30' }, 'sql.parameter_value', 'to'],
  ['a day with two readings', RANGE, { to: '03/04/2026' }, 'sql.ambiguous_date', 'to'],
  ['a day with one reading', RANGE, { to: '25.12.2026' }, 'sql.parameter_value', 'to'],
  ['a time with two readings', 'SELECT {t:DateTime}', { t: '3.4.26 10:00' }, 'sql.ambiguous_date', 't'],
  [
    'a list with two readings',
    'SELECT {t:Array(Date)}',
    { t: '2026-01-01, 03-04-2026' },
    'sql.ambiguous_date',
    't',
  ],
  ['a range that ends before it begins', RANGE, { to: '2025-12-31' }, 'sql.parameter_value', 'to'],
  ['an unclosed list', LIST, { coins: "['a', 'b]" }, 'sql.parameter_value', 'coins'],
  [
    'an invalid type',
    '-- {{n}} type: UInt8) , (SELECT 1\nSELECT {{n}}',
    { n: '1' },
    'sql.parameter_type',
    'n',
  ],
  [
    'a type of tables',
    '-- {{n}} type: Identifier\nSELECT * FROM {{n}}',
    { n: 'btc_blocks' },
    'sql.parameter_type',
    'n',
  ],
  ['several statements', 'SELECT {{n}}; SELECT 2', { n: '1' }, 'sql.two_statements', null],
  [
    'several statements after a value',
    'SELECT {{n}} -- ;\n;SELECT 2',
    { n: '1' },
    'sql.two_statements',
    null,
  ],
  ['an unclosed string', "SELECT {{n}}, ';", { n: '1' }, 'sql.syntax', null],
  ['only comments', '-- {{n}} default: 1', {}, 'sql.empty', null],
]

test('invalid runs are refused with a code and the name of the parameter', async () => {
  const found = await Promise.all(
    REFUSALS.map(async ([about, sql, given]) => {
      const answer = await start(owner, (await saved(sql)).id, given)
      return [about, answer.code, answer.field]
    }),
  )
  assert.deepEqual(
    found,
    REFUSALS.map(([about, , , code, field]) => [about, code, field]),
  )
})

test('a run through the API returns the same result as the page', async () => {
  const { id } = await saved(`${RANGE};\n`, { to: ' 2026-01-31 ' })
  const sql = RANGE.replace('{{from}}, {{to}}', '{from:Date}, {to:Date}')
  const page = await ask<QueryRun>('POST', '/api/v1/queries/runs', owner, {
    sql,
    parameters: { from: '2026-01-01', to: '2026-01-31' },
    waitSeconds: 30,
  })
  const { run } = await start(owner, id)
  assert.equal(run.result?.hash, page.body.result?.hash)
  assert.equal(run.isReused, true)
})

test('a limited key runs and reads its own queries with every value, and no others', async () => {
  const own = await saved('-- {{n}} type: Int64\nSELECT {{n}} AS n', { n: '1' })
  const others = await Promise.all([
    saved('-- {{n}} type: Float64\nSELECT {{n}} AS n', { n: '1' }),
    saved('SELECT {{n}} AS n', { n: '1' }),
    saved('-- {{n}} type: Int64\nSELECT {{n}} + 0 AS n', { n: '1' }),
    saved('-- {{m}} type: Int64\nSELECT {{m}} AS n', { m: '1' }),
    saved('-- {{n}} type: Int64\n-- {{n}} default: 2\nSELECT {{n}} AS n', { n: '1' }),
    saved('-- {{n}} type: Int64\nSELECT {{n}} AS n -- again', { n: '1' }),
  ])
  const key = await limitedKey(own)
  for (const [given, rows] of [
    [{}, [[1]]],
    [{ n: '5' }, [[5]]],
  ] as const) {
    const answer = await start(key, own.id, given)
    assert.deepEqual([answer.status, answer.rows], [200, rows])
    const again = await ask<QueryRun>('GET', `/api/v1/queries/runs/${answer.run.id}`, key)
    assert.equal(again.body.state, 'succeeded')
  }
  for (const { id, sql } of others) {
    assert.equal((await start(key, id)).code, 'accounts.key_queries', sql)
    const { run } = await start(owner, id)
    for (const path of [
      `runs/${run.id}`,
      `results/${run.result?.hash}`,
      `results/${run.result?.hash}?format=csv`,
    ]) {
      const refused = await ask<Problem>('GET', `/api/v1/queries/${path}`, key)
      assert.deepEqual([refused.status, refused.body.code], [403, 'accounts.key_queries'], sql)
    }
  }
  // Neither values nor their names can change the query.
  for (const given of [
    { n: '1', 'n:String}, {n': '2' },
    { n: '1', sql: 'SELECT 2' },
    { n: '{{m}}' },
    { n: "1' OR '1'='1" },
  ])
    assert.match((await start(key, own.id, given)).code ?? '', /^sql\.parameter_(?:unknown|value)$/)
  const { body } = await ask<{ body: unknown }>('GET', `/api/v1/queries/${others[0]?.id}`, key)
  assert.ok(!JSON.stringify(body).includes('Float64'))
})

const schedule = (id: string, more: object = {}) =>
  ask<Problem & QuerySchedule>('PUT', `/api/v1/queries/${id}/schedule`, owner, { cron: '0 6 * * *', ...more })

test('a schedule accepts the same values as the page and refuses those that would always fail', async () => {
  const list = await saved(LIST, { coins: 'a, b' })
  for (const parameters of [{}, { coins: 'c' }, { coins: '["c"]' }]) {
    const { status } = await schedule(list.id, { parameters })
    assert.equal(status, 200)
  }
  const range = await saved(RANGE)
  const two = await saved('SELECT 1; SELECT 2')
  for (const [id, parameters, code, field] of [
    [range.id, {}, 'sql.parameter_missing', 'to'],
    [range.id, { to: '2025-01-01' }, 'sql.parameter_value', 'to'],
    [range.id, { to: 'soon' }, 'sql.parameter_value', 'to'],
    [range.id, { to: '2026-01-02', day: '2026-01-01' }, 'sql.parameter_unknown', 'day'],
    [two.id, {}, 'sql.two_statements', undefined],
  ] as const) {
    const { status, body } = await schedule(id, { parameters })
    assert.deepEqual([status, body.code, body.errors?.[0]?.parameter], [400, code, field])
    // A failing schedule can be paused.
    assert.equal((await schedule(id, { parameters, isPaused: true })).status, 200)
  }
  await store.query(
    `UPDATE assay.query_schedules SET next_at = now() - interval '1 minute' WHERE query = $1`,
    [list.id],
  )
  await testSite.queryTool.scheduler.tick()
  const { body } = await ask<QuerySchedule>('GET', `/api/v1/queries/${list.id}/schedule`, owner)
  const page = await ask<ResultPage>('GET', `/api/v1/queries/results/${body.latest?.result}`, owner)
  assert.deepEqual(page.body.rows, [['["c"]', 1]])
})

test('a save warns about its schedule and keys that no longer work', async () => {
  const query = await saved(RANGE, { to: '2026-01-31' })
  const warnings = async (sql: string, parameters: Values = { to: '2026-01-31' }) => {
    const { body } = await ask<ChangedQuery>('PUT', `/api/v1/queries/${query.id}`, owner, {
      name: 'Q',
      sql,
      parameters,
    })
    return body.warnings
  }
  assert.deepEqual(await warnings(RANGE.replace('{{from}}', '{{since}}')), [])
  assert.deepEqual(await warnings(RANGE), [])
  await schedule(query.id, { parameters: { from: '2026-01-02' } })
  assert.deepEqual(await warnings(`${RANGE}, 1`), [])
  assert.deepEqual(await warnings(RANGE.replaceAll('from', 'since')), [
    'Its schedule sets `from`, which the query no longer uses.',
  ])
  assert.deepEqual(await warnings(`${RANGE}, {{n}}`), [
    'Its schedule will fail. The parameter `n` (String) has no value.',
  ])
  // A successful save returns success even if a later step fails.
  const check = mock.method(testSite.queryTool.executor, 'check', () => Promise.reject(new Error('lost')))
  assert.deepEqual(await warnings(RANGE), [])
  check.mock.restore()
  assert.deepEqual(await warnings(`${RANGE}, {{n}}`), [
    'Its schedule will fail. The parameter `n` (String) has no value.',
  ])
  await limitedKey(query)
  await limitedKey(query)
  assert.deepEqual(await warnings('SELECT 1; SELECT 2'), [
    'Its schedule will fail. The query has 2 statements, but only one can run.',
    'Its schedule sets `from`, which the query no longer uses.',
    'API runs with the 2 keys limited to this query will fail without values. The query has 2 statements, but only one can run.',
    'API runs with the 2 keys limited to this query will be refused if they send `from`, `to`, `n`.',
  ])
})

test('a limited key reads scheduled results of its query, including those with types set by the schedule', async () => {
  const own = await saved('SELECT {{n}} + 1 AS n')
  const key = await limitedKey(own)
  const set = await ask('PUT', `/api/v1/queries/${own.id}/schedule`, owner, {
    cron: '0 6 * * *',
    parameters: { n: '7' },
    types: { n: 'Int64' },
  })
  assert.equal(set.status, 200, JSON.stringify(set.body))
  await store.query(
    `UPDATE assay.query_schedules SET next_at = now() - interval '1 minute' WHERE query = $1`,
    [own.id],
  )
  await testSite.queryTool.scheduler.tick()
  const { body } = await ask<{ latest: { result: string } }>(
    'GET',
    `/api/v1/queries/${own.id}/schedule`,
    owner,
  )
  const page = await ask<ResultPage>('GET', `/api/v1/queries/results/${body.latest.result}`, key)
  assert.deepEqual([page.status, page.body.rows], [200, [[8]]])
})

test('a date filter lists both readings of an ambiguous date', async () => {
  const { run } = await start(
    owner,
    (await saved("SELECT toDate('2026-04-03') AS day, '03/04/2026' AS text")).id,
  )
  const filtered = async (column: number, operator: string, value: string) => {
    const filter = encodeURIComponent(JSON.stringify([{ column, operator, value }]))
    return ask<Problem & ResultPage>(
      'GET',
      `/api/v1/queries/results/${run.result?.hash}?filter=${filter}`,
      owner,
    )
  }
  const { status, body } = await filtered(0, 'greater', '03/04/2026')
  assert.deepEqual([status, body.code], [400, 'sql.ambiguous_date'])
  assert.match(body.detail, /`day` is 03\/04\/2026, which can mean 2026-03-04 or 2026-04-03/)
  assert.equal((await filtered(0, 'greater', 'soon')).body.code, 'sql.result_filter')
  assert.equal((await filtered(1, 'equals', '03/04/2026')).body.matchingRows, 1)
  assert.equal((await filtered(0, 'equals', '2026-04-03')).body.matchingRows, 1)
})
