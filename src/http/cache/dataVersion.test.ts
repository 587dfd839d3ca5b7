import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentLog } from '#kernel/log.ts'
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
})
