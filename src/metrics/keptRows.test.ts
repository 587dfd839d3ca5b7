import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKeptRows } from './keptRows.ts'

test('equal questions are read once, and what was asked for longest ago goes first', async () => {
  const kept = createKeptRows(4)
  let count = 0
  const ask = (key: string) => kept.get(key, async () => [key, ++count])
  const [first, second] = await Promise.all([ask('a'), ask('a')])
  assert.equal(first, second)
  await ask('b')
  assert.equal(await ask('a'), first)
  await ask('c')
  assert.deepEqual([await ask('a'), await ask('b')], [first, ['b', 4]])
})

test('a failure is not kept', async () => {
  const kept = createKeptRows(4)
  await assert.rejects(kept.get('a', () => Promise.reject(new Error('away'))))
  assert.deepEqual(await kept.get('a', async () => [1]), [1])
})
