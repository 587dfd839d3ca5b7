/** Run would send the wrong statement, or half of one, and errors would be marked in the wrong place. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { seedOf } from '#kernel/seed.testing.ts'
import { statementsOf } from '#kernel/sqlStatements.ts'
import { chosenStatements, lineAndColumn, offsetOf, statementAt } from './statements.ts'

const TWO = "SELECT 1;\nSELECT ';' -- no; end\nFROM t;\n"
const textsOf = (sql: string) => statementsOf(sql).map(({ text }) => text)

describe('statements of a text', () => {
  test('semicolons of strings, names, comments and heredocs end none', () => {
    assert.deepEqual(textsOf(TWO), ['SELECT 1', "SELECT ';' -- no; end\nFROM t"])
    assert.deepEqual(textsOf('SELECT `a;b`, "c;d" /* e; */, $$f;$$; SELECT 2'), [
      'SELECT `a;b`, "c;d" /* e; */, $$f;$$',
      'SELECT 2',
    ])
    assert.deepEqual(textsOf("SELECT 'it''s \\'; x'; SELECT 2"), ["SELECT 'it''s \\'; x'", 'SELECT 2'])
  })

  test('empty ones and comments alone are none, and a comment belongs to what follows it', () => {
    assert.deepEqual(textsOf(';; -- nothing\n;'), [])
    assert.deepEqual(textsOf('-- fees\nSELECT 1;'), ['-- fees\nSELECT 1'])
  })

  test('the one under the cursor is that of its line, also behind its semicolon', () => {
    const at = (cursor: number) => statementAt(TWO, cursor)?.text
    assert.equal(at(0), 'SELECT 1')
    assert.equal(at(9), 'SELECT 1')
    assert.equal(at(10), "SELECT ';' -- no; end\nFROM t")
    assert.equal(at(TWO.length), "SELECT ';' -- no; end\nFROM t")
    assert.equal(statementAt('  ', 1), undefined)
  })

  test('a selection runs what it covers, and its places are those of the whole text', () => {
    const from = TWO.indexOf("SELECT ';'")
    const [chosen] = chosenStatements(TWO, { from, to: from + 10 })
    assert.deepEqual(chosen, { text: "SELECT ';'", from, to: from + 10 })
    assert.equal(chosenStatements(TWO, { from: 3, to: 3 })[0]?.text, 'SELECT 1')
  })

  test('every statement stands in the text at its place, whatever is written', t => {
    const seed = seedOf(t)
    const piece = fc.constantFrom(
      'SELECT 1',
      ';',
      "'",
      '"',
      '`',
      '--',
      '\n',
      '/*',
      '*/',
      '$$',
      ' ',
      'x;y',
      '\\',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), pieces => {
        const sql = pieces.join('')
        let end = 0
        for (const { text, from, to } of statementsOf(sql)) {
          assert.equal(sql.slice(from, to), text)
          assert.ok(from >= end && text.trim() === text && text !== '')
          end = to
        }
      }),
      { seed },
    )
  })

  test('lines and columns lead back to the same place', () => {
    for (let offset = 0; offset <= TWO.length; offset += 1) {
      const { line, column } = lineAndColumn(TWO, offset)
      assert.equal(offsetOf(TWO, line, column), offset)
    }
    assert.equal(offsetOf(TWO, 99, 1), TWO.length)
  })
})
