/** An ambiguous date would be silently read one way. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ambiguousDay, dayReadings } from './dayReadings.ts'

test('numeric dates have all readings that are valid dates', () => {
  for (const [text, readings] of [
    ['03/04/2026', ['2026-03-04', '2026-04-03']],
    ['3.4.26', ['2026-03-04', '2026-04-03']],
    [' 03-04-2026 10:00', ['2026-03-04', '2026-04-03']],
    ['25/12/2026', ['2026-12-25']],
    ['02/30/2026', []],
    ['05/05/2026', ['2026-05-05']],
    ['2026-03-04', []],
    ['03/04-2026', []],
    ['1/2/20261', []],
    ['soon', []],
  ] as const)
    assert.deepEqual(dayReadings(text), readings, text)
  assert.equal(ambiguousDay('03/04/2026'), '2026-03-04 or 2026-04-03')
  assert.equal(ambiguousDay('05/05/2026'), undefined)
})
