/** A date that no calendar has would pass in forms, addresses, SQL parameters and sign-in messages. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDay } from './days.ts'

test('only days of the calendar are days', () => {
  for (const day of ['2024-02-29', '2026-02-28', '0001-01-01', '2000-02-29'])
    assert.equal(isDay(day), true, day)
  for (const wrong of [
    '2026-02-30',
    '2026-02-29',
    '1900-02-29',
    '2026-04-31',
    '2026-13-01',
    '2026-1-1',
    '',
    null,
  ])
    assert.equal(isDay(wrong), false, String(wrong))
})
