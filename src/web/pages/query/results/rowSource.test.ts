/** The grid would show rows of a view that the reader has left, or never recover from a failed request. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ResultPage } from '#http/contract.ts'
import { until } from '#kernel/until.testing.ts'
import { createRowSource, type ReadPage, resultPath, viewQuery } from './rowSource.ts'

const COUNT = 1_000_000

/** A server of a million rows; what is refused is in `refused`. */
function rowsServer(refused = new Set<number>()) {
  const asked: number[] = []
  const readPage: ReadPage = async (offset, limit, signal) => {
    asked.push(offset)
    await Promise.resolve()
    signal.throwIfAborted()
    if (refused.has(offset)) throw new TypeError('Failed to fetch')
    const rows = Array.from({ length: limit }, (_, at) => [offset + at])
    // The client reads no more of an answer than these fields.
    return { rows, offset, matchingRows: COUNT } as unknown as ResultPage
  }
  return { readPage, asked }
}

test('rows around the view are loaded, and memory stays at a few thousand rows', async () => {
  const { readPage } = rowsServer()
  const source = createRowSource(readPage)
  source.open()
  await until('first page', () => source.matchingRows() === COUNT)
  for (let from = 0; from < 40_000; from += 400) {
    source.want({ from, to: from + 40, isUpward: false })
    await until(
      `rows from ${from}`,
      () => source.row(from)?.[0] === from && source.row(from + 39)?.[0] === from + 39,
    )
  }
  const loaded = Array.from({ length: 50_000 }, (_, at) => source.row(at)).filter(Boolean).length
  assert.ok(loaded <= 4000, `${loaded} rows`)
  source.close()
})

test('a jump loads what it stops at, not what it passes', async () => {
  const { readPage, asked } = rowsServer()
  const source = createRowSource(readPage)
  source.open()
  await until('first page', () => source.matchingRows() === COUNT)
  for (let from = 100_000; from <= 900_000; from += 10_000)
    source.want({ from, to: from + 40, isUpward: false })
  await until('rows of the jump', () => source.row(900_000)?.[0] === 900_000)
  assert.ok(asked.length < 12, `${asked.length} requests`)
  source.close()
})

test('a failed request is reported, and a retry loads the rows', async () => {
  const refused = new Set([0])
  const source = createRowSource(rowsServer(refused).readPage)
  source.open()
  await until('a problem', () => source.problem() !== undefined)
  refused.clear()
  source.retry()
  await until('rows after the retry', () => source.row(0)?.[0] === 0)
  assert.equal(source.problem(), undefined)
  source.close()
})

test('order and filters are named as the API knows them', () => {
  const view = {
    sort: { column: 2, isDescending: true },
    filters: [{ column: 0, operator: 'contains' as const, value: 'a&b' }],
  }
  const query = viewQuery(view)
  assert.equal(query.get('sort'), '-3')
  assert.deepEqual(JSON.parse(query.get('filter') ?? ''), view.filters)
  assert.equal(resultPath('ab', new URLSearchParams()), '/api/v1/queries/results/ab')
})
