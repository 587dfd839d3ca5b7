/** A text of a chain could hide from a reader, steer a language model, or flood its context. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CELL_CHARACTERS,
  chainName,
  chainRows,
  chainText,
  NAME_CHARACTERS,
  plainJson,
  ROWS_CHARACTERS,
} from './chainText.ts'
import hostile from './hostileTexts.fixture.json' with { type: 'json' }

/** Joiners within an emoji are part of a visible sign. */
const INVISIBLE =
  /(?!\n|\t|(?<=\p{Extended_Pictographic})\u200d)(?:[\p{C}\p{Zl}\p{Zp}]|(?!\ufe0f)\p{Variation_Selector})/u

test('no hostile text keeps a character that cannot be seen or that turns the direction of others', () => {
  for (const text of hostile.texts) {
    assert.doesNotMatch(chainText(text), INVISIBLE)
    assert.doesNotMatch(chainName(text), /\n|\t/)
    assert.ok(chainText(text).isWellFormed())
  }
})

test('visible text stays as it is', () => {
  for (const text of ['sBTC', '👨‍👩‍👧 family', 'हिन्दी', 'a\nb\tc', '<b>"x"</b>', 'café'])
    assert.equal(chainText(text), text)
})

test('a long text is cut between signs, and its length is stated', () => {
  const long = '👍🏽'.repeat(10_000)
  const shown = chainText(long)
  assert.match(shown, /^(?:👍🏽)+… \(40,000 characters\)$/u)
  assert.ok(shown.length < NAME_CHARACTERS * 2 + 50)
  const marks = `Z${'\u0301'.repeat(1_000_000)}`
  assert.ok(chainText(marks).length < NAME_CHARACTERS * 2 + 50)
})

test('rows end where the answer is full, cut cells are counted, and one row is always there', () => {
  const row = ['x'.repeat(CELL_CHARACTERS * 3), 1, null, true]
  const { rows, cutCells } = chainRows(Array.from({ length: 500 }, () => row))
  assert.ok(rows.length > 10 && rows.length < 100)
  assert.ok(JSON.stringify(rows).length < ROWS_CHARACTERS + 100)
  assert.equal(cutCells, rows.length)
  assert.deepEqual(rows[0]?.slice(1), [1, null, true])
  const wide = Array.from({ length: 200 }, () => 'y'.repeat(CELL_CHARACTERS))
  assert.equal(chainRows([wide, wide]).rows.length, 1)
})

test('JSON for a client opens no tag and parses to the same value', () => {
  for (const text of hostile.texts) {
    const written = plainJson({ text: chainText(text) })
    assert.doesNotMatch(written, /</)
    assert.deepEqual(JSON.parse(written), { text: chainText(text) })
  }
})
