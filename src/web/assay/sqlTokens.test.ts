/** The SQL editor would show text that differs from what runs. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sqlTokens } from './sqlTokens.ts'

test('colouring loses and adds no character of any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), sql => {
      assert.equal(
        sqlTokens(sql)
          .map(token => token.text)
          .join(''),
        sql,
      )
    }),
  )
})

test('keywords, functions, parameters, strings and comments are told apart', () => {
  const kinds = new Map(
    sqlTokens("SELECT sum(fee_sat) FROM t WHERE d = {from:Date} AND p != 'a''b' -- end").map(
      ({ text, kind }) => [text, kind],
    ),
  )
  assert.equal(kinds.get('SELECT'), 'keyword')
  assert.equal(kinds.get('sum'), 'function')
  assert.equal(kinds.get('{from:Date}'), 'parameter')
  assert.equal(kinds.get("'a''b'"), 'string')
  assert.equal(kinds.get('-- end'), 'comment')
})
