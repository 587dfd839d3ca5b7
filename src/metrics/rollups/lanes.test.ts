/** Parallel computation would lose or repeat daily figures. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInLanes } from './lanes.ts'

test('every work is committed once, though lanes commit while others compute', async () => {
  const works = Array.from({ length: 12 }, (_, n) => n)
  const committed: number[] = []
  await runInLanes({
    works,
    lanes: 3,
    // Lanes are of different pace, so that each commits while another is at work.
    compute: async work => {
      for (let turn = 0; turn < 1 + (work % 3) * 4; turn++) await Promise.resolve()
      return work
    },
    commit: async group => {
      await Promise.resolve()
      committed.push(...group)
    },
    isDue: () => true,
  })
  assert.deepEqual(
    committed.toSorted((a, b) => a - b),
    works,
  )
})

test('what one lane fails at is told, and nothing unfinished is committed', async () => {
  const committed: number[] = []
  const running = runInLanes({
    works: [1, 2, 3],
    lanes: 1,
    compute: async work => {
      if (work === 2) throw new Error('no')
      return work
    },
    commit: async group => {
      committed.push(...group)
    },
    isDue: () => true,
  })
  await assert.rejects(running, /no/)
  assert.deepEqual(committed, [1])
})
