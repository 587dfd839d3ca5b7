/** Pages would stay outdated after new data, or be rebuilt without any. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentLog } from '#kernel/log.ts'
import { asKnownOn, knownOn } from '#warehouse/index.ts'
import { prices } from '#warehouse/tables/observations.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import { openDataVersion } from './dataVersion.ts'

test('the marks are read when rows have changed and once in each half-minute, and at no other look', async () => {
  await using warehouse = await openTestWarehouse()
  let reads = 0
  let nowMs = 0
  const { reader } = warehouse
  const counted = {
    changeMark: warehouse.changeMark,
    reader: {
      query: ((params: Parameters<typeof reader.query>[0]) => {
        reads++
        return reader.query(params)
      }) as typeof reader.query,
    },
  }
  await using version = await openDataVersion({
    warehouse: counted,
    release: 'test',
    log: silentLog,
    // Never polls by itself: the test calls `refresh`.
    pollMs: 2 ** 31 - 1,
    now: () => nowMs,
  })
  const readsOf = async (): Promise<number> => {
    const before = reads
    await version.refresh()
    return reads - before
  }
  const first = version.current()
  assert.equal(await readsOf(), 0)
  assert.equal(version.current(), first)

  await warehouse.insertRows(prices, [
    {
      asset: 'BTC',
      quote: 'USD',
      day: '2026-01-01',
      open: null,
      high: null,
      low: null,
      close: 1,
      source: 'test',
      observedAt: 1_700_000_000,
    },
  ])
  assert.ok((await readsOf()) > 0)
  const second = version.current()
  assert.notEqual(second, first)
  assert.equal(await readsOf(), 0)

  nowMs = 30_000
  assert.ok((await readsOf()) > 0)
  assert.equal(version.current(), second)
  assert.equal(await readsOf(), 0)

  // Ages change with the clock. Rows that queries read change when a day ends and when it counts as complete.
  const rows = version.rows()
  nowMs = 2 * 3_600_000
  await version.refresh()
  assert.notEqual(version.current(), second)
  assert.equal(version.rows(), rows)
  const ofDays = new Set([rows])
  for (const hour of [4, 23, 24, 26, 28]) {
    nowMs = hour * 3_600_000
    await version.refresh()
    ofDays.add(version.rows())
  }
  assert.equal(ofDays.size, 4)
  await warehouse.insertRows(prices, [
    {
      asset: 'BTC',
      quote: 'USD',
      day: '2026-01-02',
      open: null,
      high: null,
      low: null,
      close: 2,
      source: 'test',
      observedAt: 1_700_000_000,
    },
  ])
  await version.refresh()
  assert.ok(!ofDays.has(version.rows()))
})

test('a look that a request as of a past day leads to reads the data as they are today, and so do its listeners', async () => {
  await using warehouse = await openTestWarehouse()
  await using version = await openDataVersion({
    warehouse,
    release: 'test',
    log: silentLog,
    pollMs: 2 ** 31 - 1,
    now: () => 0,
  })
  const days: (string | undefined)[] = []
  version.onChange(() => days.push(knownOn()))
  const price = { asset: 'BTC', quote: 'USD', open: null, high: null, low: null, source: 'test' }
  await warehouse.insertRows(prices, [
    { ...price, day: '2026-01-01', close: 1, observedAt: Date.parse('2026-01-02') / 1000 },
  ])
  // The second waits for the first.
  await asKnownOn('2020-01-01', () => Promise.all([version.refresh(), version.refresh()]))
  assert.deepEqual(days, [undefined])
  const seen = version.current()
  await warehouse.insertRows(prices, [
    { ...price, day: '2026-01-02', close: 2, observedAt: Date.parse('2026-01-03') / 1000 },
  ])
  await asKnownOn('2020-01-01', version.refresh)
  assert.notEqual(version.current(), seen)
  assert.deepEqual(days, [undefined, undefined])
})
