/** Pages would claim complete data where blocks are missing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coverageFacts, indexedText, partialHistoryText, partialText, sentText } from './indexed.ts'

test('a window says how much of it is indexed, and never more', () => {
  assert.deepEqual(
    [
      indexedText(5, 24),
      indexedText(0, 1),
      indexedText(47, 168),
      indexedText(167, 168),
      indexedText(60, 720),
    ],
    ['5 of 24 hours', '0 of 1 hour', '1.9 of 7 days', '6.9 of 7 days', '2.5 of 30 days'],
  )
})

test('only a window of which blocks are missing is said to be partial', () => {
  assert.deepEqual(
    [partialText(24, 168), partialText(168, 168), partialText(null, 168)],
    ['. Partial data (1 of 7 days)', '', ''],
  )
})

test('counts over all blocks say which are indexed, unless all are', () => {
  assert.deepEqual(
    [
      partialHistoryText(0),
      partialHistoryText(1),
      partialHistoryText(5),
      partialHistoryText(60),
      partialHistoryText(null),
    ],
    [
      '. Partial data (blocks are missing)',
      '. Partial data (no gaps only in the last 1 hour)',
      '. Partial data (no gaps only in the last 5 hours)',
      '. Partial data (no gaps only in the last 2.5 days)',
      '',
    ],
  )
  assert.deepEqual(coverageFacts(60), [
    { label: 'Coverage', value: 'Partial data (no gaps only in the last 2.5 days)' },
  ])
  assert.deepEqual(coverageFacts(null), [])
})

test('transactions of an account are unknown or counted, and so are those that failed', () => {
  assert.deepEqual(
    [sentText(null, null), sentText(1200, null), sentText(12, 0)],
    ['–', '1,200', '12, of them 0 failed'],
  )
})
