/** A block larger than the first buffer would be hashed to something else and refused. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RlpWriter } from './writer.ts'

test('a writer that has to grow writes what a large one writes', () => {
  const write = (writer: RlpWriter): string => {
    writer.raw(Buffer.alloc(5000, 7))
    writer.hex(`0x${'ab'.repeat(300)}`)
    writer.quantity(2n ** 70n)
    writer.quantity(0x80)
    writer.encoded(Buffer.of(0xc0))
    writer.list(0)
    writer.byte(2)
    return writer.since(0).toString('hex')
  }
  const whole = write(new RlpWriter())
  for (const byteCount of [0, 1, 7, 64, 4096, 5300]) assert.equal(write(new RlpWriter(byteCount)), whole)
  assert.ok(whole.startsWith('02f914'))
})
