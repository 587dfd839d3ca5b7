/** A parameter would lose its default or its list, or a range that ends before it begins would run. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayRangesOf, directivesOf } from './directives.ts'

test('comments give parameters defaults and lists', () => {
  const sql = `-- {{coin}} default: STX
-- {{ coin }} choices: SELECT DISTINCT symbol FROM stx_tokens;
  -- {{pool}} choices: saved 0B5E3C1A-1111-4222-8333-944455556666
-- {{none}} choices:
SELECT {{coin}} -- {{coin}} default: inside a line
-- coin default: not one`
  assert.deepEqual(directivesOf(sql), {
    defaults: { coin: 'STX' },
    choices: {
      coin: { sql: 'SELECT DISTINCT symbol FROM stx_tokens' },
      pool: { saved: '0b5e3c1a-1111-4222-8333-944455556666' },
    },
  })
})

test('two days that name the ends of a range belong together', () => {
  const of = (...names: string[]) => dayRangesOf(names.map(name => ({ name, kind: 'date' })))
  assert.deepEqual(of('from', 'to'), [{ from: 'from', to: 'to' }])
  assert.deepEqual(of('day_to', 'day_from'), [{ from: 'day_from', to: 'day_to' }])
  assert.deepEqual(of('start_day', 'end_day', 'other'), [{ from: 'start_day', to: 'end_day' }])
  assert.deepEqual(of('from', 'until'), [])
  assert.deepEqual(
    dayRangesOf([
      { name: 'from', kind: 'text' },
      { name: 'to', kind: 'date' },
    ]),
    [],
  )
})
