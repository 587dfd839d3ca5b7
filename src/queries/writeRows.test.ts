/** Large answers of /api/v1/sql would differ from small ones, or stop the server while they are written. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rowsText } from './rowsText.ts'
import { writeRows } from './writeRows.ts'

const HEAD = '{"meta":[{"name":"n","type":"UInt64"},{"name":"text","type":"String"}]}\n'
const ROW = '{"row":["18446744073709551615","=1 \\"é"]}\n'
const answer = (rows: number, end = '') => Buffer.from(`${HEAD}${ROW.repeat(rows)}${end}`)
const never = new AbortController().signal
const more = { maxRows: 20_000, ended: never, tooLarge: () => new Error('too large') }
const LARGE = 30_000

test('many rows are written as few are, and cut at the limit', async () => {
  for (const form of ['json', 'csv'] as const)
    for (const rows of [3, LARGE]) {
      const bytes = answer(rows)
      const written = await writeRows(bytes, { ...more, form })
      const expected = await rowsText(bytes, more.maxRows, form)
      assert.equal(Buffer.from(written.text).toString(), Buffer.from(expected.text).toString())
      assert.equal(written.rowCount, Math.min(rows, more.maxRows))
      assert.equal(written.isTruncated, rows > more.maxRows)
      assert.deepEqual(written.columns, expected.columns)
    }
})

test('an error at the end of many rows is the error of the engine', async () => {
  const end =
    '{"exception":"Code: 241. DB::Exception: Memory limit exceeded. (MEMORY_LIMIT_EXCEEDED) (version 26.7)"}\n'
  for (const rows of [3, LARGE])
    await assert.rejects(writeRows(answer(rows, end), { ...more, form: 'json' }), { code: '241' })
})

test('a query that is stopped leaves no thread that writes its rows', async () => {
  const stop = new AbortController()
  const written = writeRows(answer(200_000), { ...more, form: 'json', ended: stop.signal })
  stop.abort(new Error('stopped'))
  await assert.rejects(written, /stopped/)
})
