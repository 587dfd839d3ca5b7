/** Parameters of a user’s SQL would be missed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeholders, valuesFor } from './placeholders.ts'

test('parameters are found once each, in order, and not in strings or comments', () => {
  const sql =
    "SELECT {to:Date}, '{no:String}' -- {nor:UInt8}\nFROM t WHERE d >= { from : Date } AND e <= {to:Date} /* {none:Int8} */"
  assert.deepEqual(placeholders(sql), [
    { name: 'to', type: 'Date' },
    { name: 'from', type: 'Date' },
  ])
})

test('a value without its parameter does not travel', () => {
  assert.deepEqual(valuesFor('SELECT {a:UInt8}', { a: '1', from: '2026-01-01' }), { a: '1' })
})
