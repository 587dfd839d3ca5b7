/** A reader would choose a file that loses rows, or be refused a file that is open to them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EXPORTS, exportLock } from './formats.ts'
import { readBlob } from './saveFile.ts'

const openTo = (extent: { rows: number; mayExport: boolean }) =>
  EXPORTS.filter(({ format }) => exportLock(format, extent) === undefined).map(({ format }) => format)

test('without Premium, CSV and JSON exports of up to 10,000 rows are allowed', () => {
  assert.deepEqual(openTo({ rows: 10_000, mayExport: false }), ['csv', 'json-array', 'jsonl'])
  assert.deepEqual(openTo({ rows: 10_001, mayExport: false }), [])
})

test('with it every format is open, whatever the number of rows', () => {
  assert.equal(openTo({ rows: 1_000_000, mayExport: true }).length, EXPORTS.length)
})

test('a file is read whole, piece by piece, with its progress', async () => {
  const pieces = Array.from({ length: 50 }, (_, at) => new Uint8Array(100_000).fill(at))
  const seen: number[] = []
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      const piece = pieces.shift()
      if (piece) controller.enqueue(piece)
      else controller.close()
    },
  })
  const blob = await readBlob(new Response(stream), bytes => seen.push(bytes))
  assert.equal(blob.size, 5_000_000)
  assert.equal(seen.at(-1), 5_000_000)
  assert.equal(new Uint8Array(await blob.arrayBuffer())[4_950_000], 49)
})
