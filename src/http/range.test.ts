/** A range like 30d would begin or end on the wrong day. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Series, SeriesQuery } from './contract.ts'
import { readOver } from './range.ts'

/** Reads a metric that has a figure for each of these days. */
const readerOf = (days: readonly string[]) => {
  const asked: string[] = []
  const read = async ({ from = '0' }: SeriesQuery): Promise<Series> => {
    asked.push(from)
    const points = days.filter(day => day >= from).map(day => ({ day, value: 1 }))
    // Of a series only days and values are looked at.
    return { points } as Series
  }
  return { asked, read }
}
const over = async (days: readonly string[], query: Partial<SeriesQuery>, own?: string | null) => {
  const { asked, read } = readerOf(days)
  const newest = async () => ({ ofBlocks: '2024-06-30', own })
  const { points } = await readOver({ id: 'a', entity: 'b', ...query }, newest, read)
  return { asked, days: points.map(({ day }) => day) }
}

test('a range of a metric that follows the blocks is asked for once', async () => {
  assert.deepEqual(await over(['2024-06-23', '2024-06-24', '2024-06-30'], { range: '7d' }), {
    asked: ['2024-06-24'],
    days: ['2024-06-24', '2024-06-30'],
  })
})

test('a range ends with the newest day of the metric, whether it runs ahead or stopped before', async () => {
  assert.deepEqual((await over(['2024-06-30', '2024-12-01'], { range: '7d' })).days, ['2024-12-01'])
  assert.deepEqual((await over(['2020-01-01', '2020-01-30', '2020-02-01'], { range: '30d' })).days, [
    '2020-01-30',
    '2020-02-01',
  ])
  assert.deepEqual((await over([], { range: '7d' })).days, [])
})

test('a newest day at hand spares the search and leads to the same range', async () => {
  for (const days of [
    ['2024-06-23', '2024-06-24', '2024-06-30'],
    ['2024-06-10', '2024-06-27'],
    ['2024-06-30', '2024-12-01'],
    ['2020-01-01', '2020-01-30', '2020-02-01'],
    [],
  ]) {
    for (const range of ['7d', '30d', '1y'] as const) {
      const known = await over(days, { range }, days.at(-1) ?? null)
      assert.deepEqual(known.days, (await over(days, { range })).days, `${range} of ${days}`)
      assert.equal(known.asked.length, 1)
    }
  }
})

test('a range before a last day is counted from it', async () => {
  assert.deepEqual((await over([], { range: '7d', to: '2024-01-10' })).asked, ['2024-01-04'])
})

test('all there is has no first day', async () => {
  assert.deepEqual((await over(['2009-01-03'], { range: 'max' })).asked, ['0'])
})
