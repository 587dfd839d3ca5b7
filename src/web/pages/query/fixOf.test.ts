/** A suggested name would replace the wrong word. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fixOf } from './fixOf.ts'

const fixed = (sql: string, offset: number | undefined, detail: string, name: string) => {
  const place = offset === undefined ? undefined : { offset, line: 1, column: offset + 1 }
  const fix = fixOf(sql, { place, detail }, name)
  return fix && sql.slice(0, fix.from) + name + sql.slice(fix.to)
}

test('the word at the place of the problem is replaced', () => {
  const sql = 'SELECT heigth FROM btc_blocks'
  assert.equal(fixed(sql, 7, 'Unknown `heigth`.', 'height'), 'SELECT height FROM btc_blocks')
  assert.equal(
    fixed('SELECT b.heigth FROM btc_blocks b', 7, 'Unknown `b.heigth`.', 'height'),
    'SELECT b.height FROM btc_blocks b',
  )
})

test('without a place the name that the message quotes is', () => {
  assert.equal(
    fixed(
      'SELECT 1 FROM btc_block',
      undefined,
      "Unknown table expression identifier 'btc_block'.",
      'btc_blocks',
    ),
    'SELECT 1 FROM btc_blocks',
  )
  assert.equal(fixed('SELECT 1', undefined, 'Something else.', 'x'), undefined)
})
