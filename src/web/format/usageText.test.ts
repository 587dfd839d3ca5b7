/** Users would hit a quota that they were never told about. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { laterUsage, usageParts, usageText } from './usageText.ts'

const usage = {
  runs: { used: 12, limit: 2000 },
  seconds: { used: 1799, limit: 3600 },
  rows: { used: 40e9, limit: 50e9 },
  bytes: { used: 0, limit: 1e12 },
  resetsAt: '2026-08-06T00:00:00.000Z',
}

test('queries are always told, everything else once half of it is used', () => {
  assert.match(usageText(usage), /^Today: 12 of 2,000 queries, 80% of rows read\. Resets .*00:00/)
  const long = usageText({ ...usage, seconds: { used: 5000, limit: 3600 } })
  assert.match(long, /100% of execution time, 80% of rows read/)
})

test('a list has every part with its unit', () => {
  assert.deepEqual(
    usageParts(usage).map(({ name, text }) => `${name}: ${text}`),
    [
      'Queries: 12 of 2,000',
      'Execution time: 30 of 60 minutes',
      'Rows read: 40B of 50B',
      'Data read: 0 B of 1 TB',
    ],
  )
})

test('of two answers the later one counts, also across midnight', () => {
  const after = { ...usage, runs: { ...usage.runs, used: 13 } }
  const tomorrow = { ...usage, runs: { ...usage.runs, used: 1 }, resetsAt: '2026-08-07T00:00:00.000Z' }
  assert.equal(laterUsage(usage, after), after)
  assert.equal(laterUsage(after, usage), after)
  assert.equal(laterUsage(tomorrow, after), tomorrow)
  assert.equal(laterUsage(undefined, usage), usage)
  assert.equal(laterUsage(undefined, undefined), undefined)
})
