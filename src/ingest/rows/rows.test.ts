/** Rows of Bitcoin blocks would carry bytes of earlier blocks. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { openBitcoinCodec } from '#chains/bitcoin/index.ts'
import { Arena } from '#kernel/arena.ts'
import { createRandom, genesisChain, growChain } from '../testing.ts'
import type { ChunkJob } from './chunk.ts'
import { decodeChunk } from './decodeChunk.ts'
import { BlobColumn } from './toStore.ts'

function shared(bytes: Uint8Array): Uint8Array<SharedArrayBuffer> {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length))
  copy.set(bytes)
  return copy
}

test('columns do not depend on what their memory held before', () => {
  const { blocks } = growChain(genesisChain, 130, createRandom(7))
  const offsets = new Uint32Array(blocks.length + 1)
  blocks.forEach((block, i) => {
    offsets[i + 1] = offsets[i]! + block.length
  })
  const job: Omit<ChunkJob, 'memory'> = {
    bytes: shared(Buffer.concat(blocks)),
    offsets,
    heights: Int32Array.from(blocks, (_, height) => height),
    network: 'regtest',
    checksWork: false,
    without: [],
  }
  const codec = openBitcoinCodec({ network: 'regtest' })
  const columnsIn = (memory: SharedArrayBuffer) => {
    const { memory: _, room, ...columns } = decodeChunk(codec, [], { ...job, memory })
    assert.deepEqual(columns.refused, [])
    // The scripts of prevouts are no column: they are read only where a length says so.
    return { ...columns, room: [room.start, room.length, room.offsets] }
  }
  const expected = columnsIn(new SharedArrayBuffer(0))
  const used = new SharedArrayBuffer(expected.neededBytes)
  new Uint8Array(used).fill(0xa5)
  assert.deepEqual(columnsIn(used), expected)
})

test('byte strings of every length are laid one behind the other, from wherever they start', () => {
  const strings = fc.array(fc.uint8Array({ maxLength: 300, size: 'max' }), { maxLength: 12 })
  fc.assert(
    fc.property(strings, fc.nat({ max: 7 }), (values, gap) => {
      const padded = values.flatMap(value => [Buffer.alloc(gap, 0xee), value])
      const from = Uint8Array.from(Buffer.concat(padded))
      let end = 0
      const starts = values.map(value => {
        end += gap + value.length
        return end - value.length
      })
      const whole = Buffer.concat(values)
      const column = new BlobColumn(new Arena(new SharedArrayBuffer(8192)), values.length, whole.length)
      column.addAll(
        from,
        Uint32Array.from(starts),
        Uint32Array.from(values, value => value.length),
      )
      const { bytes, offsets } = column.done()
      assert.deepEqual(Buffer.from(bytes), whole)
      assert.deepEqual(
        values.map((_, i) => Buffer.from(bytes.subarray(offsets[i], offsets[i + 1]))),
        values.map(value => Buffer.from(value)),
      )
    }),
  )
})
