/** New blocks would wait for a full batch, or a gap would pass for indexed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planBatches } from './planBatches.ts'

const blocks = (heights: readonly number[]) =>
  heights.map((height, index) => ({
    index,
    height,
    hash: `h${height}`,
    prevHash: `h${height - 1}`,
    timeS: 0,
  }))
const plan = (heights: readonly number[], singleFromHeight: number) =>
  planBatches(blocks(heights), { origin: 'rpc', singleFromHeight, areIslands: false }).plans.map(
    ({ fromHeight, toHeight }) => [fromHeight, toHeight],
  )

test('blocks near the tip are batches of their own, those below share one', () => {
  assert.deepEqual(plan([5, 6, 7, 8, 9], 8), [
    [5, 7],
    [8, 8],
    [9, 9],
  ])
})

test('a batch ends at a gap and at a partition of the tables', () => {
  assert.deepEqual(plan([5, 6, 8, 9], 100), [
    [5, 6],
    [8, 9],
  ])
  assert.deepEqual(plan([49_998, 49_999, 50_000, 50_001], 100_000), [
    [49_998, 49_999],
    [50_000, 50_001],
  ])
})

test('islands never share a batch', () => {
  const { plans, planOf } = planBatches(blocks([5, 6]), {
    origin: 'block_file',
    singleFromHeight: 100,
    areIslands: true,
  })
  assert.deepEqual(
    plans.map(({ isIsland, blockCount }) => [isIsland, blockCount]),
    [
      [true, 1],
      [true, 1],
    ],
  )
  assert.deepEqual([...planOf], [0, 1])
})
