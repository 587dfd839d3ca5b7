/** A parameter would lose its default or choices, or a reversed date range would run. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayRangesOf, directivesOf, withType } from './sqlDirectives.ts'

test('comments give parameters defaults and lists', () => {
  const sql = `-- {{coin}} default: STX
-- {{ coin }} choices: SELECT DISTINCT symbol FROM stx_tokens;
  -- {{pool}} choices: saved 0B5E3C1A-1111-4222-8333-944455556666
-- {{none}} choices:
/* a block
-- {{coin}} default: of a block
*/
-- {{coin}} type: String
SELECT '
-- {{coin}} default: of a text
', {{coin}} -- {{coin}} default: inside a line
-- coin default: not one`
  assert.deepEqual(directivesOf(sql), {
    defaults: { coin: 'STX' },
    types: { coin: 'String' },
    choices: {
      coin: { sql: 'SELECT DISTINCT symbol FROM stx_tokens' },
      pool: { saved: '0b5e3c1a-1111-4222-8333-944455556666' },
    },
  })
})

// Quadratic or cubic algorithms would take minutes to days on these.
test('hostile comments are parsed quickly', () => {
  const many = 100_000
  assert.deepEqual(directivesOf(`-- {{a}} default:${' '.repeat(many)}\rx`).defaults, { a: 'x' })
  assert.deepEqual(directivesOf(`-- {{a}} default: b${' '.repeat(many)}`).defaults, { a: 'b' })
  assert.deepEqual(directivesOf(`-- {{a}} default:${' x'.repeat(many)}\u2028`).defaults, {
    a: ' x'.repeat(many).trim(),
  })
  assert.deepEqual(directivesOf('/**/'.repeat(many)).defaults, {})
  assert.deepEqual(directivesOf(`${'-- {{a}} default: b\n'.repeat(many)}`).defaults, { a: 'b' })
})

test('two dates named as the ends of a range form a pair', () => {
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

test('a chosen type becomes a comment next to other comments on the parameter', () => {
  assert.equal(withType('SELECT {{n}}', 'n', 'Int64'), '-- {{n}} type: Int64\nSELECT {{n}}')
  assert.equal(
    withType('-- Fees\n\nSELECT {{n}}', 'n', 'Date'),
    '-- Fees\n\n-- {{n}} type: Date\nSELECT {{n}}',
  )
  const chosen = withType('-- Fees\n-- {{n}} default: 1\nSELECT {{n}}', 'n', 'Int64')
  assert.equal(chosen, '-- Fees\n-- {{n}} type: Int64\n-- {{n}} default: 1\nSELECT {{n}}')
  assert.equal(withType(chosen, 'n', 'Float64'), chosen.replace('Int64', 'Float64'))
})
