/** Metrics would be answered from outdated cached rows. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKeptRows } from './keptRows.ts'

test('equal questions are read once, and what was asked for longest ago goes first', async () => {
  const kept = createKeptRows(4)
  let count = 0
  const ask = (key: string) => kept.get(key, 'as it is', async () => [key, ++count])
  const [first, second] = await Promise.all([ask('a'), ask('a')])
  assert.equal(first, second)
  await ask('b')
  assert.equal(await ask('a'), first)
  await ask('c')
  assert.deepEqual([await ask('a'), await ask('b')], [first, ['b', 4]])
})

test('a failure is not kept', async () => {
  const kept = createKeptRows(4)
  await assert.rejects(kept.get('a', '', () => Promise.reject(new Error('away'))))
  assert.deepEqual(await kept.get('a', '', async () => [1]), [1])
})

test('rows of another basis are read anew and take the place of the old ones', async () => {
  const kept = createKeptRows(4)
  let count = 0
  const ask = (key: string, basis: string) => kept.get(key, basis, async () => [key, ++count])
  assert.deepEqual(await ask('a', 'one'), ['a', 1])
  assert.deepEqual(await ask('b', 'one'), ['b', 2])
  assert.deepEqual(await ask('a', 'two'), ['a', 3])
  assert.deepEqual(await ask('b', 'one'), ['b', 2])
  assert.deepEqual(await ask('a', 'one'), ['a', 4])
})

test('as many rows are kept as fit, and a result larger than that is not', async () => {
  const kept = createKeptRows(4)
  let reads = 0
  const ask = (key: string, rows: number) =>
    kept.get(key, '', async () => {
      reads++
      return new Array(rows).fill(key)
    })
  const isKept = async (key: string, rows: number) => {
    const before = reads
    await ask(key, rows)
    return reads === before
  }
  await ask('a', 1)
  await ask('b', 3)
  assert.ok((await isKept('a', 1)) && (await isKept('b', 3)), 'four rows fit')
  await ask('large', 5)
  assert.ok(!(await isKept('large', 5)), 'five rows never fit')
  assert.ok((await isKept('a', 1)) && (await isKept('b', 3)), 'and displace nothing')
  await ask('c', 1)
  assert.ok(await isKept('c', 1))
  assert.ok(await isKept('b', 3), 'a was asked for longest ago')
  assert.ok(!(await isKept('a', 1)))
})
