/** A copy would fall apart in a spreadsheet, or NULL would pass for a text. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { shownText, tsvHead, tsvRows, typeWords } from './cells.ts'
import { columnsInView, fittingWidth, offsetsOf } from './widths.ts'

/** Reads tab-separated text as spreadsheets do. */
function parseTsv(text: string): string[][] {
  const rows: string[][] = [[]]
  let cell = ''
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] ?? ''
    if (isQuoted && letter === '"' && text[at + 1] === '"') {
      cell += '"'
      at++
    } else if (letter === '"') isQuoted = !isQuoted
    else if (!isQuoted && letter === '\t') {
      rows.at(-1)?.push(cell)
      cell = ''
    } else if (!isQuoted && letter === '\n') {
      rows.at(-1)?.push(cell)
      cell = ''
      rows.push([])
    } else cell += letter
  }
  rows.pop()
  return rows
}

test('any text survives a copy into a spreadsheet', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '"', '\t', '\n', '\r', '=', ' ', 'ü') })
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text, text), { minLength: 1, maxLength: 5 }), rows => {
      const parsed = parseTsv(tsvRows(rows, { fromColumn: 1, toColumn: 2 }))
      assert.deepEqual(
        parsed,
        rows.map(row => row.slice(1)),
      )
    }),
  )
})

test('copies hold raw values: long integers whole, NULL empty, formulas as they are', () => {
  const range = { fromColumn: 0, toColumn: 3 }
  assert.equal(tsvRows([['9007199254740993', null, '=1+1', true]], range), '9007199254740993\t\t=1+1\ttrue\n')
  const column = (name: string) => ({ name, type: 'String', shownAs: 'value' as const })
  assert.equal(
    tsvHead([column('a'), column('b\tc'), column('d')], { fromColumn: 1, toColumn: 2 }),
    '"b\tc"\td\n',
  )
})

test('numbers are grouped unless raw values are asked for', () => {
  assert.equal(shownText('9007199254740993', 'UInt64', false), '9,007,199,254,740,993')
  assert.equal(shownText(-1234.5, 'Nullable(Float64)', false), '−1,234.5')
  assert.equal(shownText(-1234.5, 'Float64', true), '-1234.5')
  assert.equal(shownText('1234', 'String', false), '1234')
  assert.equal(shownText(null, 'UInt8', false), 'NULL')
  assert.equal(shownText('a\nb', 'String', false), 'a b')
  assert.equal(typeWords('DateTime'), 'DateTime, UTC')
  assert.equal(typeWords("DateTime('Asia/Tokyo')"), "DateTime('Asia/Tokyo')")
})

test('every column of a wide table is drawn when it is in view', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 64, max: 400 }), { minLength: 1, maxLength: 300 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (widths, share) => {
        const offsets = offsetsOf(widths)
        const left = share * (offsets.at(-1) ?? 0)
        const { from, to } = columnsInView(offsets, left, 500, 0)
        widths.forEach((width, at) => {
          const begin = offsets[at] ?? 0
          if (begin < left + 500 && begin + width > left) assert.ok(at >= from && at < to)
        })
      },
    ),
  )
})

test('a column is as wide as its header and its longest cell ask, up to a limit', () => {
  const column = { name: 'id', type: 'String', shownAs: 'value' as const }
  // "String" fits into the header, and so do 20 letters of a longer type.
  assert.equal(fittingWidth(column, 0, [['a']], false), 86)
  const wordy = { ...column, type: `Tuple(${'UInt64, '.repeat(20)}UInt64)` }
  assert.equal(fittingWidth(wordy, 0, [['a']], false), 178)
  assert.ok(fittingWidth(column, 0, [['a'.repeat(30)]], false) > 200)
  assert.equal(fittingWidth(column, 0, [['a'.repeat(300)]], false), 360)
})
