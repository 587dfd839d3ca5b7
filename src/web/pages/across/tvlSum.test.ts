/** A sum of TVL would hide missing chains. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partOf, sumOf } from './tvlSum.ts'

const figure = (valueUsd: number, day = '2026-08-05') => ({ valueUsd, day, source: 'made' })
const row = {
  total: figure(100),
  parts: [
    { part: 'borrowed' as const, figure: figure(30) },
    { part: 'staking' as const, figure: figure(5, '2026-08-01') },
  ],
}

test('a sum says which of the chosen parts it lacks: unknown is not zero', () => {
  assert.deepEqual(sumOf(row, []), { valueUsd: 100, missing: [] })
  assert.deepEqual(sumOf(row, ['borrowed']), { valueUsd: 130, missing: [] })
  assert.deepEqual(sumOf(row, ['borrowed', 'liquid staking']), { valueUsd: 130, missing: ['liquid staking'] })
  assert.equal(sumOf({ ...row, total: null }, ['borrowed']), null)
})

test('a part of another day than the total is not added to it', () => {
  assert.equal(partOf(row, 'staking'), null)
  assert.deepEqual(sumOf(row, ['staking']), { valueUsd: 100, missing: ['staking'] })
})
