/** A downloaded file would lack bytes, or have some twice, depending on its size. */
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import fc from 'fast-check'
import { until } from '#kernel/until.testing.ts'
import { headOf } from './headOf.ts'

test('gives the bytes of the stream, whatever its chunks and the limit are', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uint8Array({ minLength: 1, maxLength: 20 }), { maxLength: 8 }),
      fc.nat({ max: 100 }),
      async (chunks, most) => {
        const expected = Buffer.concat(chunks)
        const head = await headOf(Readable.from(chunks.map(chunk => Buffer.from(chunk))), most)
        assert.equal('all' in head, expected.length <= most)
        assert.deepEqual('all' in head ? head.all : await buffer(head.stream), expected)
      },
    ),
  )
})

test('a reader who leaves early ends the source', async () => {
  const source = Readable.from([Buffer.alloc(10), Buffer.alloc(10), Buffer.alloc(10)])
  const head = await headOf(source, 5)
  assert.ok('stream' in head)
  head.stream.destroy()
  await until('the source ends', () => source.destroyed)
})

test('an error of the source is thrown, before and after the limit', async () => {
  const broken = () =>
    Readable.from(
      (function* () {
        yield Buffer.alloc(10)
        throw new Error('broke off')
      })(),
    )
  await assert.rejects(headOf(broken(), 20), /broke off/)
  const head = await headOf(broken(), 5)
  assert.ok('stream' in head)
  await assert.rejects(buffer(head.stream), /broke off/)
})
