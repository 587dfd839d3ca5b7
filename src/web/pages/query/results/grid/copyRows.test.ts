/** Copying many wide rows would fail, or the clipboard would not match the selection. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ResultPage } from '#http/contract.ts'
import { ApiRefusal } from '../../../../api.ts'
import type { ReadPage } from '../rowSource.ts'
import { textOfRange } from './copyRows.ts'

const columns = ['a', 'b', 'c'].map(name => ({ name, type: 'UInt64', shownAs: 'value' as const }))
const cellOf = (row: number, column: number): number => row * 10 + column

/** A server that refuses pages of more than `most` rows as too large. */
function server(most: number) {
  const asked: { offset: number; limit: number; columns: readonly number[] | undefined }[] = []
  const readPage: ReadPage = async (offset, limit, _signal, chosen) => {
    asked.push({ offset, limit, columns: chosen })
    if (limit > most)
      throw new ApiRefusal({
        type: '/errors/sql.result_page',
        title: 'Page too large',
        status: 422,
        detail: 'This page of the result is larger than 8 MiB.',
        code: 'sql.result_page',
      })
    const rows = Array.from({ length: limit }, (_, at) =>
      (chosen ?? [0, 1, 2]).map(column => cellOf(offset + at, column)),
    )
    // The client reads only this field of the response.
    return { rows } as unknown as ResultPage
  }
  return { asked, readPage }
}
const copy = (
  readPage: ReadPage,
  [fromRow, toRow]: [number, number],
  [fromColumn, toColumn]: [number, number],
) =>
  textOfRange({
    range: { fromRow, toRow, fromColumn, toColumn },
    columns,
    hasHead: true,
    row: () => undefined,
    readPage,
    signal: new AbortController().signal,
    onProgress: () => {},
  })

test('only the copied columns are read', async () => {
  const { asked, readPage } = server(10_000)
  const text = (await copy(readPage, [5, 1_000_004], [1, 1])).join('')
  const lines = text.split('\n')
  assert.deepEqual(
    [lines.length, lines[0], lines[1], lines.at(-1)],
    [1_000_001, 'b', '51', String(cellOf(1_000_004, 1))],
  )
  assert.equal(asked.length, 100)
  assert.ok(asked.every(({ columns: chosen }) => chosen?.join() === '1'))
})

test('rows too wide for one page are read in smaller pages, without duplicates or gaps', async () => {
  const { asked, readPage } = server(700)
  const lines = (await copy(readPage, [0, 19_999], [0, 2])).join('').split('\n')
  assert.deepEqual(
    lines.slice(1),
    Array.from({ length: 20_000 }, (_, row) => [0, 1, 2].map(column => cellOf(row, column)).join('\t')),
  )
  assert.ok(asked.length < 50, `${asked.length} requests`)
  assert.equal(asked[0]?.columns, undefined)
})

test('a single row too large for a page stops the copy with the reason', async () => {
  await assert.rejects(copy(server(0).readPage, [0, 10], [0, 2]), /larger than 8 MiB/)
})
