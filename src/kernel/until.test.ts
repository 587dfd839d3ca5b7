/** An endless or unnamed wait would hang the test run without saying what was missing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from './until.testing.ts'

test('a wait returns what the condition gave, zero and the empty text included', async () => {
  let looks = 0
  assert.equal(await until('three looks', () => (++looks === 3 ? 'there' : undefined)), 'there')
  assert.equal(looks, 3)
  assert.equal(await until('a number', async () => 0), 0)
})

test('a condition that never comes fails with its name', async () => {
  await assert.rejects(
    until('the tip at height 7', () => false, { patienceMs: 5, betweenMs: 1 }),
    { message: 'Not within 0.005 s: the tip at height 7' },
  )
})

test('a failure while looking ends the wait', async () => {
  await assert.rejects(
    until('an answer', () => Promise.reject(new Error('the process ended'))),
    /the process ended/,
  )
})
