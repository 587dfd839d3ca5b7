import { cellWords, UploadError } from '../uploadError.ts'
import type { UploadLimits } from '../uploadLimits.ts'
import type { CellWriter } from './cellWriter.ts'
import { attributeOf, xmlEvents } from './xmlEvents.ts'
import { openZip, type ZipReader } from './zipEntries.ts'

/** Of a sheet. */
const MOST_ROWS = 1_048_576
const MOST_XML_BYTES = 400 * 2 ** 20
/** Lists that grow without end in this thread end the whole process, whatever the thread may hold. */
const MOST_TEXTS = 5_000_000
const MOST_STYLES = 100_000
/** Digits that a spreadsheet keeps of a number. What follows in a file is how its binary form is written. */
const DIGITS = 15
const DAY_MS = 86_400_000
/** Day 0 of both calendars of spreadsheets. In the first, 1900 is a leap year by mistake, so its days count from here after February. */
const DAY_0 = { 1900: Date.UTC(1899, 11, 30), 1904: Date.UTC(1904, 0, 1) }
/** Formats of numbers that are days or times without being listed in the file (ECMA-376, 18.8.30). */
const BUILT_IN_DAYS = new Set([
  14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 28, 29, 30, 31, 34, 35, 36, 45, 46, 47, 50, 51, 52, 53, 54, 55, 56,
  57, 58,
])

/**
 * Reads the first sheet of an XLSX file, its values and not its formulas. Integers are taken as the file has them. Throws UploadError with
 * row and column.
 */
export function readXlsx(path: string, writer: CellWriter, limits: UploadLimits): void {
  using zip = openZip(path, Math.min(limits.unpackedBytes, MOST_XML_BYTES))
  const { sheet, is1904 } = firstSheet(zip)
  const texts = sharedTexts(zip)
  const isDay = dayStyles(zip)
  readSheet(partOf(zip, sheet), { texts, isDay, dayZero: DAY_0[is1904 ? 1904 : 1900] }, writer, limits)
}

const unreadable = (message: string): UploadError =>
  new UploadError('uploads.unreadable', message, { hint: 'Save the sheet as CSV and upload that.' })

function partOf(zip: ZipReader, name: string): string {
  const bytes = zip.read(name)
  if (bytes === undefined) throw unreadable('The file is not a spreadsheet in the XLSX format.')
  return bytes.toString('utf8')
}

function firstSheet(zip: ZipReader): { sheet: string; is1904: boolean } {
  let id: string | undefined
  let is1904 = false
  for (const event of xmlEvents(partOf(zip, 'xl/workbook.xml'))) {
    if (event.kind !== 'open') continue
    if (event.name === 'workbookPr')
      is1904 = /^(?:1|true)$/.test(attributeOf(event.attributes, 'date1904') ?? '')
    if (event.name === 'sheet')
      id ??= /r:id\s*=\s*["']([^"']+)/.exec(event.attributes)?.[1] ?? attributeOf(event.attributes, 'id')
  }
  for (const event of xmlEvents(partOf(zip, 'xl/_rels/workbook.xml.rels'))) {
    if (event.kind !== 'open' || event.name !== 'Relationship' || attributeOf(event.attributes, 'Id') !== id)
      continue
    const target = attributeOf(event.attributes, 'Target') ?? ''
    return { sheet: target.startsWith('/') ? target.slice(1) : `xl/${target}`, is1904 }
  }
  throw unreadable('The file has no sheet.')
}

/** Texts that cells refer to by number. Readings of Asian scripts (`rPh`) are no part of them. */
function sharedTexts(zip: ZipReader): string[] {
  const xml = zip.read('xl/sharedStrings.xml')?.toString('utf8')
  const texts: string[] = []
  if (xml === undefined) return texts
  let text = ''
  let isText = false
  let isReading = false
  for (const event of xmlEvents(xml)) {
    if (event.kind === 'text') {
      if (isText && !isReading) text += event.text
      continue
    }
    const isOpen = event.kind === 'open' && !event.isEmpty
    if (event.name === 't') isText = isOpen
    if (event.name === 'rPh') isReading = isOpen
    if (event.name !== 'si') continue
    if (event.kind === 'close' || event.isEmpty) texts.push(text)
    if (texts.length > MOST_TEXTS) throw unreadable('The spreadsheet has too many texts.')
    text = ''
  }
  return texts
}

/** For each style of a cell, whether its numbers are days or times. */
function dayStyles(zip: ZipReader): boolean[] {
  const xml = zip.read('xl/styles.xml')?.toString('utf8')
  const styles: boolean[] = []
  if (xml === undefined) return styles
  const own = new Map<number, boolean>()
  let isOfCells = false
  for (const event of xmlEvents(xml)) {
    if (event.kind === 'text') continue
    if (event.name === 'cellXfs') isOfCells = event.kind === 'open'
    if (event.kind !== 'open') continue
    if (event.name === 'numFmt') {
      const code = attributeOf(event.attributes, 'formatCode') ?? ''
      own.set(Number(attributeOf(event.attributes, 'numFmtId')), isDayFormat(code))
    }
    if (event.name === 'xf' && isOfCells) {
      const format = Number(attributeOf(event.attributes, 'numFmtId') ?? 0)
      styles.push(own.get(format) ?? BUILT_IN_DAYS.has(format))
    }
    if (styles.length > MOST_STYLES || own.size > MOST_STYLES)
      throw unreadable('The spreadsheet has too many styles.')
  }
  return styles
}

/** Quoted text, colors and currencies in a format do not make it a date, nor does `[h]`, which counts hours. */
const isDayFormat = (code: string): boolean =>
  /[dmyhs]/i.test(code.replace(/"[^"]*"|\\.|_.|\*.|\[[^\]]*\]/g, '')) && !/^General/i.test(code)

type Values = {
  readonly texts: readonly string[]
  readonly isDay: readonly boolean[]
  readonly dayZero: number
}

function readSheet(xml: string, values: Values, writer: CellWriter, limits: UploadLimits): void {
  let cells: (string | null)[] = []
  let width: number | undefined
  let rowAt = 0
  let cell: { at: number; type: string; style: number } | undefined
  let isValue = false
  let text = ''
  const place = () => cellWords(rowAt, cell && letterOf(cell.at))
  const endRow = () => {
    while (cells.length > 0 && cells.at(-1) === null) cells.pop()
    // Rows without a value are no rows: sheets are formatted far beyond their end.
    if (cells.length === 0) return
    width ??= cells.length
    while (cells.length < width) cells.push(null)
    writer.row(cells, rowAt)
  }
  for (const event of xmlEvents(xml)) {
    if (event.kind === 'text') {
      if (isValue) text += event.text
      continue
    }
    const isOpen = event.kind === 'open' && !event.isEmpty
    switch (event.name) {
      case 'row':
        if (event.kind === 'open') {
          const number = attributeOf(event.attributes, 'r')
          rowAt = number === undefined ? rowAt + 1 : Number(number)
          if (!(rowAt >= 1 && rowAt <= MOST_ROWS))
            throw unreadable('The file has rows that a sheet cannot have.')
          cells = []
        }
        if (event.kind === 'close') endRow()
        break
      case 'c':
        if (event.kind === 'open') {
          const reference = attributeOf(event.attributes, 'r')
          const at = reference === undefined ? cells.length : columnOf(reference)
          if (at < 0) throw unreadable('The file has cells in columns that a sheet cannot have.')
          if (at >= limits.columns)
            throw new UploadError(
              'uploads.too_many_columns',
              `The file has more than ${limits.columns} columns.`,
            )
          cell = {
            at,
            type: attributeOf(event.attributes, 't') ?? 'n',
            style: Number(attributeOf(event.attributes, 's') ?? -1),
          }
          text = ''
        }
        if ((event.kind === 'close' || event.isEmpty) && cell !== undefined) {
          while (cells.length < cell.at) cells.push(null)
          cells[cell.at] =
            text === '' && cell.type !== 'str' && cell.type !== 'inlineStr'
              ? null
              : cellText(text, cell, values, place)
          if (cells[cell.at] === '') cells[cell.at] = null
          cell = undefined
        }
        break
      case 'v':
      case 't':
        isValue = isOpen && cell !== undefined
        break
    }
  }
}

function cellText(
  text: string,
  { type, style }: { type: string; style: number },
  { texts, isDay, dayZero }: Values,
  place: () => string,
): string {
  switch (type) {
    case 's': {
      const shared = texts[Number(text)]
      if (shared === undefined) throw unreadable(`${place()} refers to a text that the file does not have.`)
      return shared
    }
    case 'b':
      return text === '1' ? 'true' : 'false'
    case 'e':
      throw new UploadError('uploads.value', `${place()} holds the error ${text.slice(0, 20)}.`, {
        hint: 'Correct the formula in the spreadsheet, or clear the cell.',
      })
    case 'n':
      return isDay[style] === true ? dayText(Number(text), dayZero) : plainNumber(shownNumber(text))
    default:
      return text
  }
}

/** A day, and its time if it has one. */
function dayText(days: number, dayZero: number): string {
  const at = new Date(Math.round(dayZero / 1000 + days * (DAY_MS / 1000)) * 1000)
  if (Number.isNaN(at.getTime())) return String(days)
  const iso = at.toISOString()
  return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso.slice(0, 19).replace('T', ' ')
}

/** 0.1 is often written as 0.10000000000000001. */
function shownNumber(text: string): string {
  const digits = text
    .replace(/[eE].*$/, '')
    .replace(/[^0-9]/g, '')
    .replace(/^0+/, '')
  if (!text.includes('.') || digits.length <= DIGITS || !/^-?[\d.]+(?:[eE][+-]?\d+)?$/.test(text)) return text
  return Number(text)
    .toPrecision(DIGITS)
    .replace(/(\.\d*?)0+(?=e|$)/, '$1')
    .replace(/\.(?=e|$)/, '')
}

/** `1E3` and `1.5E-4` without their exponent: digits are moved, nothing is calculated. */
function plainNumber(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent] =
    /^(-?)(\d+)(?:\.(\d+))?[eE]([+-]?\d{1,3})$/.exec(text) ?? []
  if (exponent === undefined) return text
  const digits = whole + fraction
  const point = whole.length + Number(exponent)
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  const padded = digits.padEnd(point, '0')
  const after = padded.slice(point)
  return `${sign}${padded.slice(0, point).replace(/^0+(?=\d)/, '')}${after === '' ? '' : `.${after}`}`
}

/** `AB12` → 27. */
function columnOf(reference: string): number {
  let at = 0
  for (const letter of /^[A-Z]{1,3}/.exec(reference)?.[0] ?? '') at = at * 26 + letter.charCodeAt(0) - 64
  return at - 1
}

function letterOf(at: number): string {
  let letters = ''
  for (let rest = at + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters
  return letters
}
