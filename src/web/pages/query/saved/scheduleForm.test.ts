/** Opening the form of a schedule and saving it again would change when a query runs. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cronOf, rhythmOf } from './scheduleForm.ts'

test('an expression is the same after it went through the form', () => {
  for (const [cron, every] of [
    ['0 * * * *', 'hour'],
    ['5 6 * * *', 'day'],
    ['59 23 * * SUN', 'week'],
    ['0 6 * * 1', 'cron'],
    ['0 * * * MON', 'cron'],
    ['0 6 1 * *', 'cron'],
    ['05 6 * * *', 'day'],
  ] as const) {
    const rhythm = rhythmOf(cron)
    assert.equal(rhythm.every, every, cron)
    assert.equal(cronOf(rhythm).replace(/^0(\d)/, '$1'), cron.replace(/^0(\d)/, '$1'))
  }
})
