/** A search in a list of choices could inject SQL. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searchOf } from './choiceList.ts'

const column = (name: string, more: object = {}) =>
  ({ name, type: 'String', shownAs: 'text', ...more }) as never

test('words are bound, names are quoted, and the list keeps its own values', () => {
  const word = `') OR 1 = 1 -- \``
  const list = { sql: 'SELECT a FROM t -- all', parameters: { day: '2026-01-01' } }
  const { sql, parameters } = searchOf(list, [column('a`) --\\'), column('x')], [word, 'b'])
  assert.deepEqual(parameters, { day: '2026-01-01', searched_word_0: word, searched_word_1: 'b' })
  assert.ok(!sql.includes(word))
  assert.ok(sql.includes('toString(`a\\`) --\\\\`)'))
  assert.ok(sql.includes('\nSELECT a FROM t -- all\n'))
})

test('bytes can be searched by their displayed hex', () => {
  const { sql } = searchOf({ sql: 'SELECT 1', parameters: {} }, [column('hash', { shownAs: 'hex' })], ['ab'])
  assert.ok(sql.includes('lower(hex(`hash`))'))
})
