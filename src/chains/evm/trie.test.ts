/** A block with one very large transaction would fail its root and be refused. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hexOf } from './hex.ts'
import { keccakHex } from './keccak.ts'
import { RlpWriter } from './rlp/writer.ts'
import { orderedRoot } from './trie.ts'

test('the root over one value is the hash of its leaf, whatever the length', () => {
  for (const length of [1, 20, 55, 56, 255, 256, 300, 65_535, 65_536, 70_000, 0x1_20_34]) {
    const value = Buffer.alloc(length, 0x5a)
    const writer = new RlpWriter(1 << 18)
    writer.raw(value)
    // The key of index 0 is 0x80, behind the prefix of a leaf with an even number of nibbles.
    writer.raw(Buffer.of(0x20, 0x80))
    writer.list(0)
    assert.equal(hexOf(orderedRoot([value])), keccakHex(writer.since(0)), String(length))
  }
})
