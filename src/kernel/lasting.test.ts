/** One failed load would fail all later requests. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lasting } from './lasting.ts'

test('what was made is shared, and a failure is forgotten with those who waited for it', async () => {
  let count = 0
  const get = lasting(async () => {
    count += 1
    if (count === 1) throw new Error('away')
    return count
  })
  const first = await Promise.allSettled([get(), get()])
  assert.deepEqual(
    first.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.deepEqual(await Promise.all([get(), get()]), [2, 2])
  assert.equal(await get(), 2)
})
