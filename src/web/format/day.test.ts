/** Dates would shift by a day. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, dayText, durationText, timeText } from './day.ts'

test('days are counted in UTC over every change of clocks', () => {
  assert.equal(addDays('2026-03-28', 2), '2026-03-30')
  assert.equal(addDays('2024-03-01', -1), '2024-02-29')
})

test('times are written for people and say UTC', () => {
  assert.equal(dayText('2026-01-31'), '31 Jan 2026')
  assert.equal(timeText('2009-01-03T18:15:05Z'), '3 Jan 2009, 18:15 UTC')
  assert.equal(durationText(600), '10 min')
  assert.equal(durationText(86_400), '1 day')
})
