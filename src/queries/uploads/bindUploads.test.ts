/** A query would read another table than its writer named, or an error would point at the wrong place. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeAt } from '../errors.ts'
import { tokensOf } from '../tokens.ts'
import { bindUploads } from './bindUploads.ts'

const DATABASE = `uploads_${'0f'.repeat(16)}`
const bind = (text: string) =>
  bindUploads({ text, tokens: tokensOf(text) }, [{ name: 'mine', database: DATABASE }])

test('names of own uploads become their tables, and qualified columns those of the table', () => {
  for (const [sql, bound] of [
    ['SELECT a FROM uploads.mine', `SELECT a FROM ${DATABASE}.mine`],
    ['SELECT uploads.mine.a, mine.b FROM uploads . mine', `SELECT mine.a, mine.b FROM ${DATABASE} . mine`],
    ['SELECT 1 IN `uploads`."mine"', `SELECT 1 IN ${DATABASE}."mine"`],
    ["SELECT 'uploads.mine' -- uploads.mine", "SELECT 'uploads.mine' -- uploads.mine"],
    ['SELECT uploads.a FROM t AS uploads', 'SELECT uploads.a FROM t AS uploads'],
    ['SELECT x.uploads.mine FROM uploads.other', 'SELECT x.uploads.mine FROM uploads.other'],
  ] as const) {
    assert.equal(bind(sql).text, bound)
    assert.deepEqual(bind(sql).databases, bound.includes(DATABASE) ? [DATABASE] : [])
  }
})

test('places and words of the engine are those of the text that was sent', () => {
  const sql = 'SELECT uploads.mine.a,\n  wrong FROM uploads.mine JOIN uploads.mine AS m USING also_wrong'
  const { text, placeOf, restored } = bind(sql)
  for (const word of ['wrong', 'FROM', 'JOIN', 'also_wrong'])
    assert.deepEqual(placeOf(placeAt(text, text.indexOf(word))), placeAt(sql, sql.indexOf(word)), word)
  assert.deepEqual(
    placeOf(placeAt(text, text.indexOf(DATABASE) + 5)),
    placeAt(sql, sql.lastIndexOf('uploads.mine JOIN')),
  )
  assert.equal(restored(`Table ${DATABASE}.mine`), 'Table uploads.mine')
})
