/** Signals in SQL would differ from the engine that defines them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readCatalog } from '#catalog/index.ts'
import { ask } from '../ask.ts'
import { openSnapshotMetrics, type TestMetrics } from '../testing.ts'
import { dayAt } from './evaluate.ts'
import type { ReadSignal } from './readSignal.ts'
import { HORIZONS, LEAST_EVENTS } from './record.ts'

const { signals } = await readCatalog('catalog')
/** Of these the bundled recordings have no figure, or too few: blocks bring them. */
const WITHOUT_HISTORY = ['mvrv', 'puell-multiple', 'sopr']

let site: TestMetrics
const read = new Map<string, ReadSignal>()
before(async () => {
  site = await openSnapshotMetrics()
  const standing = await site.metrics.standing()
  for (const { id } of signals) {
    const found = await site.metrics.signal(id, standing)
    assert.ok(found, `${id} reads what the registry does not know`)
    read.set(id, found)
  }
})
after(() => site[Symbol.asyncDispose]())

type Row = { day: string; value: number }
async function rowsOf(id: string, entity: string): Promise<Row[]> {
  const { sql } = await site.metrics.entry(id, undefined, entity)
  return ask<Row>(site.warehouse.reader, sql, { from: '2009-01-03', to: '2100-01-01' })
}

const LETTER: Readonly<Record<string, string>> = { 1: '+', '-1': '-', 0: '0' }

test('signals whose figures nobody recorded stand without a reading, all others have one', () => {
  const absent = signals.flatMap(({ id }) => (read.get(id)?.evaluation.day === null ? [id] : []))
  assert.deepEqual(absent, WITHOUT_HISTORY)
})

test('the statement of a state gives the engine’s state of every day', async () => {
  for (const { id } of signals) {
    const { letters } = read.get(id)!.evaluation
    const ours = new Map(
      [...letters].flatMap((letter, index) => (letter === '.' ? [] : [[dayAt('2009-01-03', index), letter]])),
    )
    const rows = await rowsOf('signal.state', id)
    const theirs = new Map(rows.map(({ day, value }) => [day, LETTER[value]]))
    assert.deepEqual(theirs, ours, id)
  }
})

test('reading and rank of the newest day are those of their statements', async () => {
  for (const id of ['price-200d', 'volatility-30d', 'drawdown', 'etf-flows', 'hash-ribbons']) {
    const { evaluation } = read.get(id)!
    for (const [metric, value] of [
      ['signal.reading', evaluation.reading],
      ['signal.rank', evaluation.rank],
    ] as const) {
      const row = (await rowsOf(metric, id)).find(({ day }) => day === evaluation.day)
      assert.ok(
        row && Math.abs(row.value - value!) < 1e-9 * Math.max(1, Math.abs(value!)),
        `${metric} of ${id}: ${row?.value}, not ${value}`,
      )
    }
  }
})

type RecordRow = Record<string, number | string | null>
const FIELDS = {
  days: 'days',
  events: 'events',
  bullish: 'bullish',
  bearish: 'bearish',
  hits: 'hits',
  hitRate: 'hit_rate',
  hitLow: 'hit_low',
  hitHigh: 'hit_high',
  afterBullish: 'after_bullish',
  afterBearish: 'after_bearish',
  unconditional: 'unconditional',
  excess: 'excess',
  p: 'p',
} as const

test('the statement of a record gives every figure of the engine’s record', async () => {
  let tested = 0
  for (const { id } of signals) {
    const { sql, evaluation } = read.get(id)!
    const rows = await ask<RecordRow>(site.warehouse.reader, sql)
    for (const [part, records] of [
      ['history', evaluation.records.history],
      ['since', evaluation.records.since],
    ] as const)
      for (const record of records) {
        const row = rows.find(each => each.part === part && Number(each.horizon) === record.horizon)
        if (record.days === 0) {
          assert.equal(row, undefined, `${id} ${part} ${record.horizon}`)
          continue
        }
        for (const [ours, theirs] of Object.entries(FIELDS)) {
          const value = record[ours as keyof typeof FIELDS]
          const other = row?.[theirs] ?? null
          const isSame =
            value === null || other === null
              ? value === other
              : Math.abs(Number(other) - value) < 1e-9 * Math.max(1, Math.abs(value))
          assert.ok(isSame, `${id} ${part} ${record.horizon} ${ours}: ${other}, not ${value}`)
        }
        if (record.events >= LEAST_EVENTS) tested += 1
      }
  }
  assert.ok(tested >= 30, `${tested} records had events enough`)
  assert.equal(HORIZONS.length, 3)
})
