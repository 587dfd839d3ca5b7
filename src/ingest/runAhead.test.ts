/** Reading ahead would lose or reorder blocks, or use up memory. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { until } from '#kernel/until.testing.ts'
import { runAhead } from './runAhead.ts'

async function* upTo(end: number, seen: number[], failAt = Infinity): AsyncGenerator<number> {
  try {
    for (let i = 0; i < end; i++) {
      if (i === failAt) throw new Error('no more')
      seen.push(i)
      yield i
      await turn()
    }
  } finally {
    seen.push(-1)
  }
}

test('items come in order, and no more are read ahead than was allowed', async () => {
  const seen: number[] = []
  const items: number[] = []
  for await (const item of runAhead(upTo(30, seen), 3)) {
    items.push(item)
    // The three that wait, and the one that is with its reader.
    const most = Math.min(30, item + 4)
    await until(`${most} items are read`, () => seen.filter(i => i >= 0).length === most, { betweenMs: 0 })
    await turn()
    assert.ok(seen.filter(i => i >= 0).length <= most, `${seen.length} were read at item ${item}`)
  }
  assert.deepEqual(
    items,
    Array.from({ length: 30 }, (_, i) => i),
  )
})

test('a failure comes behind the items before it', async () => {
  const items: number[] = []
  await assert.rejects(async () => {
    for await (const item of runAhead(upTo(9, [], 4), 3)) items.push(item)
  }, /no more/)
  assert.deepEqual(items, [0, 1, 2, 3])
})

test('whoever stops early ends the source', async () => {
  const seen: number[] = []
  for await (const item of runAhead(upTo(30, seen), 3)) if (item === 5) break
  assert.equal(seen.at(-1), -1)
  assert.ok(seen.length < 12)
})
