/** A cell of an uploaded file would be lost or changed, or a broken file would be taken for a whole one. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { UploadError } from '../uploadError.ts'
import { UPLOAD_LIMITS } from '../uploadLimits.ts'
import { createCellWriter } from './cellWriter.ts'
import { columnNames } from './columnNames.ts'
import { readCsv } from './csvCells.ts'
import { xlsxOf, zipOf } from './xlsx.testing.ts'
import { readXlsx } from './xlsxCells.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-cells-'))
after(() => rmSync(folder, { recursive: true, force: true }))

type Cell = string | null

function read(bytes: string | Buffer, limits = UPLOAD_LIMITS, separator?: string) {
  const [from, to] = [join(folder, 'from'), join(folder, 'to')]
  writeFileSync(from, bytes)
  const writer = createCellWriter(to, limits, true)
  readCsv(from, writer, limits.cellCharacters, separator)
  const { headers, rowCount } = writer.end()
  const rows = readFileSync(to, 'utf8').split('\n').slice(0, -1).map(lineOf)
  assert.equal(rows.length, rowCount)
  return { headers, rows: rows.map(([, ...cells]) => cells), numbers: rows.map(([number]) => Number(number)) }
}

const SIGNS: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', '0': '\0', '\\': '\\' }
const lineOf = (line: string): Cell[] =>
  line
    .split('\t')
    .map(cell => (cell === '\\N' ? null : cell.replace(/\\(.)/g, (_, sign: string) => SIGNS[sign] ?? '?')))

const quoted = (cell: Cell): string => (cell === null ? '' : `"${cell.replaceAll('"', '""')}"`)
const csvOf = (rows: readonly (readonly Cell[])[], separator = ',', end = '\r\n') =>
  rows.map(row => row.map(quoted).join(separator) + end).join('')

const refusal = (bytes: string | Buffer, limits = UPLOAD_LIMITS): string => {
  try {
    read(bytes, limits)
  } catch (error) {
    assert.ok(error instanceof UploadError, String(error))
    return `${error.code}: ${error.message}`
  }
  assert.fail('It was read.')
}

describe('cells of a CSV file', () => {
  test('are read back exactly as they were written, with any separator and end of line', () => {
    const cell = fc.option(
      fc.string({
        unit: fc.oneof(
          fc.constantFrom(...'",;\t|\n\r\\\0N='),
          fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
        ),
      }),
    )
    const table = fc
      .integer({ min: 1, max: 6 })
      .chain(width =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }),
      )
    fc.assert(
      fc.property(
        table,
        fc.constantFrom(',', ';', '\t', '|'),
        fc.constantFrom('\n', '\r\n', '\r'),
        (rows, separator, end) => {
          const header = rows[0]?.map((_, at) => `h${at}`) ?? []
          const found = read(csvOf([header, ...rows], separator, end), UPLOAD_LIMITS, separator)
          assert.deepEqual(found.rows, rows)
        },
      ),
    )
  })

  test('keep an empty cell apart from an empty text, and count rows of the file', () => {
    const { rows, numbers } = read('a,b\n,""\n\n"x\ny",2\n')
    assert.deepEqual(rows, [
      [null, ''],
      ['x\ny', '2'],
    ])
    assert.deepEqual(numbers, [2, 3])
  })

  test('come in UTF-8 and UTF-16, with and without a byte order mark', () => {
    const text = 'Straße;価格\nä;1\n'
    for (const bytes of [
      Buffer.from(text),
      Buffer.from(`\ufeff${text}`),
      Buffer.from(`\ufeff${text}`, 'utf16le'),
      Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
    ])
      assert.deepEqual(read(bytes), { headers: ['Straße', '価格'], rows: [['ä', '1']], numbers: [2] })
  })

  test('of a broken file are refused with their row and column', () => {
    assert.match(refusal(Buffer.from('a,b\nx,y\nx,\xff\n', 'latin1')), /^uploads.encoding: Row 3, column 2 /)
    assert.match(
      refusal('a,b\n1,2\n1,2,3\n'),
      /^uploads.row_length: Row 3 has 3 cells, but the header has 2\.$/,
    )
    assert.match(refusal('a,b\n1,"open\n'), /^uploads.quotes: Row 2, column 2 begins with a quote/)
    assert.match(refusal('a,b\n1,"x"y\n'), /^uploads.quotes: Row 2, column 2 has text after/)
    assert.match(refusal(''), /^uploads.empty/)
    assert.match(refusal('a,b\n'), /^uploads.empty/)
    const small = { ...UPLOAD_LIMITS, rows: 2, columns: 3, cellCharacters: 10, unpackedBytes: 40 }
    assert.match(refusal('a\n1\n2\n3\n', small), /^uploads.too_many_rows/)
    assert.match(refusal('a,b,c,d\n1,2,3,4\n', small), /^uploads.too_many_columns/)
    assert.match(refusal(`a\n${'x'.repeat(11)}\n`, small), /^uploads.cell_too_long: Row 2, column 1 /)
    assert.match(
      refusal(Array.from({ length: 10_000 }, (_, at) => `c${at}`).join()),
      /^uploads.too_many_columns/,
    )
    assert.match(
      refusal(
        `a,b,c\n${'y'.repeat(9)},${'y'.repeat(9)},${'y'.repeat(9)}\n${'y'.repeat(9)},${'y'.repeat(9)},${'y'.repeat(9)}\n`,
        small,
      ),
      /^uploads.too_large/,
    )
  })
})

const NAME = /^[\p{L}\p{M}_][\p{L}\p{M}\p{N}_]*$/u

test('names of columns hold nothing that a browser, a spreadsheet or a text direction would act on', () => {
  assert.deepEqual(
    columnNames([
      'Amount (USD)',
      '',
      '=cmd|x',
      '<b>x</b>',
      'a\u202eb',
      'Day',
      'day',
      '2024',
      'a`b\\c',
      'Preis €',
      '日付',
    ]),
    ['Amount_USD', 'column_2', 'cmd_x', 'b_x_b', 'a_b', 'Day', 'day_2', 'c_2024', 'a_b_c', 'Preis', '日付'],
  )
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: fc.constantFrom(...'aÄ日0_ =<>`"\u202e\u200f\u0301\0') }), {
        maxLength: 20,
      }),
      headers => {
        const names = columnNames(headers)
        assert.equal(new Set(names.map(name => name.toLowerCase())).size, headers.length)
        for (const name of names) assert.match(name, NAME)
      },
    ),
  )
})

describe('cells of an XLSX file', () => {
  const readSheet = (bytes: Buffer, limits = UPLOAD_LIMITS) => {
    const [from, to] = [join(folder, 'from.xlsx'), join(folder, 'to')]
    writeFileSync(from, bytes)
    const writer = createCellWriter(to, limits, true)
    readXlsx(from, writer, limits)
    const { headers } = writer.end()
    return { headers, rows: readFileSync(to, 'utf8').split('\n').slice(0, -1).map(lineOf) }
  }
  const refused = (bytes: Buffer, limits = UPLOAD_LIMITS): string => {
    try {
      readSheet(bytes, limits)
    } catch (error) {
      assert.ok(error instanceof UploadError, String(error))
      return `${error.code}: ${error.message}`
    }
    assert.fail('It was read.')
  }
  const HEADER =
    '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>day</t></is></c></row>'

  test('are texts, days and numbers as the sheet shows them', () => {
    const { headers, rows } = readSheet(
      xlsxOf(
        `${HEADER}
<row r="2"><c r="A2"><v>0.10000000000000001</v></c><c r="B2" s="1"><v>46115</v></c></row>
<row r="4"><c r="A4"><v>1.5E3</v></c><c r="B4" s="1"><v>46115.75</v></c></row>
<row r="5"><c r="A5"><v>123456789012345678901</v></c></row>
<row r="6"><c r="A6" t="b"><v>1</v></c><c r="B6" t="str"><f>A1</f><v>=a &amp; &#x62;</v></c></row>
<row r="9"><c r="A9" s="1"/></row>`,
        ['amount &lt;USD&gt;'],
      ),
    )
    assert.deepEqual(headers, ['amount <USD>', 'day'])
    assert.deepEqual(rows, [
      ['2', '0.1', '2026-04-03'],
      ['4', '1500', '2026-04-03 18:00:00'],
      ['5', '123456789012345678901', null],
      ['6', 'true', '=a & b'],
    ])
  })

  test('of a hostile file are refused', () => {
    const bomb = xlsxOf(`${HEADER}<row r="2"><c r="A2" t="str"><v>${'0'.repeat(30_000_000)}</v></c></row>`)
    assert.ok(bomb.length < 200_000)
    assert.match(refused(bomb, { ...UPLOAD_LIMITS, unpackedBytes: 2 ** 20 }), /^uploads.too_large/)
    assert.match(
      refused(xlsxOf(`${HEADER}<row r="2"><c r="A2" t="e"><v>#REF!</v></c></row>`, ['a'])),
      /^uploads.value: Row 2, column A /,
    )
    assert.match(
      refused(xlsxOf(`${HEADER}<row r="2"><c r="ZZZ2"><v>1</v></c></row>`, ['a'])),
      /^uploads.too_many_columns/,
    )
    assert.match(
      refused(xlsxOf(`${HEADER}<row r="2"><c r="A2" t="s"><v>9</v></c></row>`, ['a'])),
      /^uploads.unreadable: Row 2, column A /,
    )
    const entity = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><sst/>'
    assert.match(refused(zipOf({ 'xl/workbook.xml': entity })), /^uploads.unreadable/)
    const whole = xlsxOf(HEADER, ['a'])
    fc.assert(
      fc.property(fc.nat({ max: whole.length - 1 }), cut => {
        assert.match(refused(whole.subarray(0, cut)), /^uploads\./)
      }),
    )
    fc.assert(
      fc.property(fc.nat({ max: whole.length - 1 }), fc.nat({ max: 255 }), (at, byte) => {
        const bytes = Buffer.from(whole)
        bytes[at] = byte
        try {
          readSheet(bytes)
        } catch (error) {
          assert.ok(error instanceof UploadError, String(error))
        }
      }),
    )
  })
})
