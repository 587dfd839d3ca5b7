/** A reader would see another block behind a result, or its time in another form than all other times. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chainBlocks, chainBlocksList } from './chainBlocks.ts'

const asOf = ['bitcoin', 'stacks', 'rootstock', 'merlin'].map((chain, index) => ({
  chain,
  height: index === 1 ? null : 958_921 + index,
  time: '2026-08-05T14:05:09Z',
  state: 'live' as const,
}))

test('blocks behind an answer are named, many are counted, and times read like all others', () => {
  assert.equal(chainBlocks(asOf.slice(0, 2)), 'Bitcoin block 958,921, Stacks block unknown')
  assert.equal(chainBlocks(asOf), 'Bitcoin block 958,921, Stacks block unknown, 2 more chains')
  assert.equal(
    chainBlocksList(asOf.slice(0, 2)),
    'Bitcoin block 958,921 (5 Aug 2026, 14:05 UTC)\nStacks block unknown (5 Aug 2026, 14:05 UTC)',
  )
})
