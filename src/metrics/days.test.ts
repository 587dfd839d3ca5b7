/** Charts by week and month would count days in the wrong bucket. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, bucketStart, dayOf, nextBucket, parseDay } from './days.ts'
import { MetricsError } from './errors.ts'

test('days are counted in UTC, across months, years and leap days', () => {
  assert.equal(dayOf(0), '1970-01-01')
  assert.equal(dayOf(86_399_999), '1970-01-01')
  assert.equal(dayOf(86_400_000), '1970-01-02')
  assert.equal(addDays('2024-02-28', 1), '2024-02-29')
  assert.equal(addDays('2024-12-31', 2), '2025-01-02')
  assert.equal(addDays('2024-03-01', -1), '2024-02-29')
  assert.equal(addDays('2024-03-01', 0), '2024-03-01')
})

test('a day is read where it exists and lies within the days that the warehouse can store', () => {
  for (const day of ['1970-01-01', '2024-02-29', '2149-06-06']) assert.equal(parseDay(day, 'from'), day)
  for (const text of [
    '1969-12-31',
    '2149-06-07',
    '2023-02-29',
    '2024-13-01',
    '2024-1-01',
    '2024-01-01T00',
    'x2024-01-01',
    '',
  ])
    for (const parameter of ['from', 'to'] as const)
      assert.throws(
        () => parseDay(text, parameter),
        (error: unknown) => {
          assert.ok(error instanceof MetricsError)
          assert.equal(error.code, `metrics.${parameter}`)
          assert.deepEqual(error.facts, { parameter, value: text })
          return true
        },
        text,
      )
})

test('weeks begin on Monday, months on their first day', () => {
  // 4 November 2024 is a Monday.
  const week = ['04', '05', '06', '07', '08', '09', '10'].map(day => `2024-11-${day}`)
  assert.deepEqual([...new Set(week.map(day => bucketStart(day, 'week')))], ['2024-11-04'])
  assert.equal(bucketStart('2024-11-03', 'week'), '2024-10-28')
  assert.equal(bucketStart('2024-11-11', 'week'), '2024-11-11')
  assert.equal(bucketStart('2024-02-29', 'month'), '2024-02-01')
  assert.equal(bucketStart('2024-02-29', 'day'), '2024-02-29')
})

test('the next bucket begins a day, a week or a month later', () => {
  assert.equal(nextBucket('2024-02-29', 'day'), '2024-03-01')
  assert.equal(nextBucket('2024-12-30', 'week'), '2025-01-06')
  assert.equal(nextBucket('2024-02-01', 'month'), '2024-03-01')
  assert.equal(nextBucket('2024-12-01', 'month'), '2025-01-01')
})
