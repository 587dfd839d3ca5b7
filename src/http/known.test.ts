/** A view of a past day would show values that were published later. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { observations, prices, sources } from '#warehouse/tables/observations.ts'
import type { Problem, Series, SqlAnswer } from './contract.ts'
import { PAST_DAYS_PER_MINUTE, PAST_QUESTIONS_PER_MINUTE } from './pastDays.ts'
import { openTestSite, type TestSite } from './testing.ts'

const FEED = 'btcusd.typedcypher'
const second = (text: string): number => Date.parse(text) / 1000
const close = (day: string, usd: number, seen: string) => ({
  asset: 'BTC',
  quote: 'USD',
  day,
  open: null,
  high: null,
  low: null,
  close: usd,
  source: FEED,
  observedAt: second(seen),
})

let site: TestSite
before(async () => {
  site = await openTestSite()
  const feed = { id: FEED, name: 'feed', url: '', licence: 'none stated', rank: 1n, about: '' }
  await site.warehouse.insertRows(sources, [{ ...feed, cadenceSeconds: null, recordedAt: null }])
  await site.warehouse.insertRows(prices, [
    close('2026-01-10', 90_000, '2026-01-11T01:00:00Z'),
    // Restated three weeks later.
    close('2026-01-10', 91_000, '2026-02-01T01:00:00Z'),
    close('2026-01-20', 95_000, '2026-01-21T01:00:00Z'),
  ])
  const tvl = {
    metric: 'tvl.total',
    entity: 'rootstock',
    breakdown: '',
    day: '2026-01-10',
    amount: null,
    source: 'defillama.tvl',
  }
  await site.warehouse.insertRows(observations, [
    { ...tvl, value: 90_000, observedAt: second('2026-01-11T01:00:00Z') },
    { ...tvl, value: 91_000, observedAt: second('2026-02-01T01:00:00Z') },
  ])
  await site.version.refresh()
})
after(() => site[Symbol.asyncDispose]())

const get = async <Answer>(url: string) => {
  const answer = await site.app.inject({ method: 'GET', url })
  return { status: answer.statusCode, body: answer.json<Answer>() }
}
const closes = async (known?: string) => {
  const url = `/api/v1/series?figures=tvl.total@rootstock&from=2026-01-01&to=2026-01-31${known === undefined ? '' : `&known=${known}`}`
  const { status, body } = await get<{ series?: Series[]; figures?: Series[] }>(url)
  assert.equal(status, 200, JSON.stringify(body))
  return JSON.stringify(body)
}
const ask = async (sql: string, known?: string) => {
  const { statusCode, body } = await site.app.inject({
    method: 'POST',
    url: `/api/v1/sql${known === undefined ? '' : `?known=${known}`}`,
    payload: { sql },
  })
  assert.equal(statusCode, 200, body)
  return (JSON.parse(body) as SqlAnswer).rows
}
const run = (known?: string) =>
  ask(
    `SELECT day, argMax(close, observed_at) AS usd FROM prices WHERE asset = 'BTC' AND source = '${FEED}' GROUP BY day ORDER BY day`,
    known,
  )

test('people’s SQL sees what was known on the day: no later day, and the first word of one that was restated', async () => {
  assert.deepEqual(await run(), [
    ['2026-01-10', 91_000],
    ['2026-01-20', 95_000],
  ])
  assert.deepEqual(await run('2026-01-31'), [
    ['2026-01-10', 90_000],
    ['2026-01-20', 95_000],
  ])
  assert.deepEqual(await run('2026-01-15'), [['2026-01-10', 90_000]])
  assert.deepEqual(await run('2026-01-10'), [])
})

test('the newest word is read from what is kept beside all words, and that of a day from the words', async () => {
  const newest =
    "SELECT day, value FROM latest_observations WHERE metric = 'tvl.total' AND entity = 'rootstock'"
  const closest = "SELECT day, close FROM usd_closes WHERE asset = 'BTC' ORDER BY day LIMIT 1"
  assert.deepEqual(await ask(newest), [['2026-01-10', 91_000]])
  assert.deepEqual(await ask(newest, '2026-01-31'), [['2026-01-10', 90_000]])
  assert.deepEqual(await ask(closest), [['2026-01-10', 91_000]])
  assert.deepEqual(await ask(closest, '2026-01-31'), [['2026-01-10', 90_000]])
  for (const query of [newest, closest]) {
    const plan = await site.warehouse.reader.query({ query: `EXPLAIN ${query}`, format: 'TabSeparated' })
    assert.match(await plan.text(), /ReadFromMergeTree \(newest\)/)
  }
})

test('a kept answer of one day is never that of another', async () => {
  const now = await closes()
  assert.notEqual(await closes('2026-01-31'), now)
  assert.equal(await closes(), now)
  assert.match(now, /91000/)
  assert.match(await closes('2026-01-31'), /90000/)
})

test('blocks are known from their time', async () => {
  const newest = async (query: string) =>
    (await get<{ items: { height: number }[] }>(`/api/v1/bitcoin/blocks?limit=1${query}`)).body.items[0]
      ?.height
  assert.equal(await newest(''), 100_000)
  assert.equal(await newest('&known=2010-12-28'), 171)
  assert.equal(await newest('&known=2009-01-03'), 0)
})

test('a day that is none is refused with its name, and no statement may leave rows in by a setting', async () => {
  for (const day of ['2026-13-01', 'yesterday', '2099-01-01', '2008-12-31', '', '2026-02-30']) {
    const { status, body } = await get<Problem>(`/api/v1/metrics?known=${day}`)
    assert.equal(status, 400, day)
    assert.deepEqual(
      body.errors?.map(({ parameter }) => parameter),
      ['known'],
    )
  }
  const { statusCode } = await site.app.inject({
    method: 'POST',
    url: '/api/v1/sql?known=2026-01-15',
    payload: { sql: 'SELECT count() FROM prices SETTINGS additional_table_filters = {}' },
  })
  assert.equal(statusCode, 400)
})

test('a caller may ask about so many past days a minute; a day asked about again is none of them', async () => {
  const at = (day: number, remoteAddress: string) =>
    site.app.inject({
      url: `/api/v1/bitcoin/blocks?limit=1&known=2011-01-${String(day).padStart(2, '0')}`,
      remoteAddress,
    })
  const [one, other] = ['2001:db8:0:1::1', '2001:db8:1:1::1']
  for (let day = 1; day <= PAST_DAYS_PER_MINUTE; day++) assert.equal((await at(day, one)).statusCode, 200)
  for (const from of [one, '2001:db8:0:1::2']) {
    const refused = await at(PAST_DAYS_PER_MINUTE + 1, from)
    assert.deepEqual([refused.statusCode, refused.json<Problem>().code], [429, 'http.past_days'])
    const seconds = Number(refused.headers['retry-after'])
    assert.ok(seconds > 0 && seconds <= 60, `${seconds}`)
  }
  assert.equal((await at(1, one)).statusCode, 200)
  assert.equal((await at(PAST_DAYS_PER_MINUTE + 1, other)).statusCode, 200)
  const third = '2001:db8:2:1::1'
  for (let asked = 1; asked <= PAST_QUESTIONS_PER_MINUTE; asked++)
    assert.equal((await at(1, third)).statusCode, 200)
  assert.equal((await at(1, third)).statusCode, 429)
  const sql = (url: string) =>
    site.app.inject({ method: 'POST', url, payload: { sql: 'SELECT 1' }, remoteAddress: one })
  assert.equal((await sql('/api/v1/sql?known=2012-01-01')).statusCode, 429)
  assert.equal((await sql('/api/v1/sql')).statusCode, 200)
})
