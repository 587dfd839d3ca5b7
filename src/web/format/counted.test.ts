/** Counts would read “1 companies”. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { counted, isCounted } from './counted.ts'

test('a count agrees with its word', () => {
  assert.deepEqual(
    [counted(1, 'input'), counted(0, 'input'), counted('1', 'block'), counted(1204, 'input')],
    ['1 input', '0 inputs', '1 block', '1,204 inputs'],
  )
})

test('a label says its unit in the plural and of one', () => {
  assert.deepEqual(['blocks', 'block', 'address', 'addresses', 'tx', 'BTC', ''].map(isCounted), [
    true,
    true,
    true,
    true,
    true,
    false,
    false,
  ])
})
