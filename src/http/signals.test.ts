/** The signals API would claim records that the data does not support. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type {
  Problem,
  SignalComposite,
  SignalDetail,
  SignalList,
  SignalRecords,
  SqlAnswer,
} from './contract.ts'
import { applicationTable } from './schemas/applications.ts'
import { composite, signalDetail, signalList, signalRecords } from './schemas/signals.ts'
import { openTestSite, type TestSite } from './testing.ts'

let site: TestSite
before(async () => {
  site = await openTestSite()
})
after(() => site[Symbol.asyncDispose]())

const ask = async <Answer>(url: string): Promise<{ status: number; body: Answer }> => {
  const answer = await site.app.inject({ method: 'GET', url })
  return { status: answer.statusCode, body: answer.json() }
}

test('signals without a figure stand in the list, say why, and claim no record', async () => {
  const { status, body } = await ask<SignalList>('/api/v1/signals')
  assert.equal(status, 200, JSON.stringify(body))
  signalList.parse(body)
  assert.equal(body.items.length, 21)
  assert.equal(body.tests, 63)
  for (const item of body.items) {
    assert.deepEqual(
      [item.state, item.reading, item.isCurrent, item.verdict],
      [null, null, false, 'no-history'],
    )
    assert.match(item.absent ?? '', /^No data for |has \d+ days? of data/)
  }
  const mvrv = body.items.find(({ id }) => id === 'mvrv')
  assert.match(mvrv?.absent ?? '', /BITCOIN_RPC_URL/)
})

test('one signal tells its rule with its day, and its records are those of the file', async () => {
  const { body } = await ask<SignalDetail>('/api/v1/signals/hash-ribbons')
  signalDetail.parse(body)
  assert.deepEqual(body.rules.at(-1)?.transform, { kind: 'cross', days: [30, 60] })
  assert.equal(body.fixed, body.rules.at(-1)?.fixed)
  const { body: records } = await ask<SignalRecords>('/api/v1/signals/records')
  signalRecords.parse(records)
  assert.equal(records.items.length, 21 * 3 * 3)
  const csv = await site.app.inject({ method: 'GET', url: '/api/v1/signals/records?format=csv' })
  assert.match(csv.headers['content-type'] as string, /^text\/csv/)
  assert.equal(csv.body.trim().split('\n').length, 1 + 21 * 3 * 3)
  const { body: together } = await ask<SignalComposite>('/api/v1/signals/composite')
  composite.parse(together)
  assert.equal(together.state, null, 'without members nothing is said')
})

test('a reader may run the statement of a record, and of each figure of a signal, as it stands', async () => {
  const { body } = await ask<{ sql: string }>('/api/v1/signals/volatility-30d/record')
  applicationTable.parse(body)
  const run = await site.app.inject({ method: 'POST', url: '/api/v1/sql', payload: { sql: body.sql } })
  assert.equal(run.statusCode, 200, run.body)
  const names = run.json<SqlAnswer>().columns.map(({ name }) => name)
  for (const name of ['part', 'horizon', 'events', 'hit_rate', 'hit_low', 'excess', 'p'])
    assert.ok(names.includes(name), name)
  for (const metric of ['signal.reading', 'signal.state', 'signal.rank']) {
    const { status } = await ask(`/api/v1/metrics/${metric}?entity=volatility-30d`)
    assert.equal(status, 200, metric)
  }
})

test('a name that is no signal is a 404 with the nearest ones', async () => {
  for (const url of ['/api/v1/signals/hash-ribbon', '/api/v1/signals/hash-ribbon/record']) {
    const { status, body } = await ask<Problem>(url)
    assert.deepEqual([status, body.code], [404, 'http.signal'], url)
    assert.match(body.hint ?? '', /hash-ribbons/)
  }
})
