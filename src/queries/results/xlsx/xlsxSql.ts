import type { AnswerColumn } from '../../decodeRows.ts'
import {
  bareType,
  columnsOf,
  isNothing,
  isTime,
  quotedName,
  type ResultSource,
  type ResultView,
  secondsOf,
  viewSql,
} from '../resultSql.ts'

/** A cell of a sheet holds no more characters. */
const MOST_CHARACTERS = 32_767
const CUT = ' … (cut: too long for a cell)'
/** Digits that a sheet keeps of a number: those beyond 2^53 would be rounded. */
const DIGITS = 15
/** Days from the first of a sheet, which counts a 29 February 1900 that never was, to 1970. */
const EPOCH_DAYS = 25_569
const FIRST_SOUND_DAY = 61

/** Styles of cells, as `STYLES` in `workbook.ts` lists them. */
export const STYLE = { head: 1, day: 2, time: 3 } as const

/** The rows of a view, each as the XML of a row of a sheet: the engine writes it, so no row is read in this process. */
export function xlsxSql(source: ResultSource, view: ResultView): string {
  const cells = columnsOf(source, view).map(cellOf)
  return `SELECT concat('<row>', ${cells.join(', ')}, '</row>') FROM (\n${viewSql(source, view)}\n)`
}

function cellOf({ name, type, shownAs }: AnswerColumn): string {
  const column = quotedName(name)
  const bare = bareType(type)
  if (isNothing(type)) return "'<c/>'"
  const orNone = (cell: string) => `ifNull(${cell}, '<c/>')`
  if (shownAs === 'hex') return orNone(textCell(`concat('\\\\x', lower(hex(${column})))`))
  if (bare === 'Bool') return orNone(`concat('<c t="b"><v>', toString(toUInt8(${column})), '</v></c>')`)
  if (/^(?:Float|BFloat)/.test(bare))
    return orNone(
      `if(isFinite(${column}), ${numberCell(`toString(${column})`)}, ${textCell(`toString(${column})`)})`,
    )
  if (/^U?Int(?:8|16|32)$/.test(bare)) return orNone(numberCell(`toString(${column})`))
  if (/^(?:U?Int|Decimal)/.test(bare)) {
    const digits = `length(replaceRegexpAll(toString(${column}), '\\\\D', ''))`
    return orNone(
      `if(${digits} <= ${DIGITS}, ${numberCell(`toString(${column})`)}, ${textCell(`toString(${column})`)})`,
    )
  }
  if (isTime(type)) {
    const isDay = /^Date(?:32)?$/.test(bare)
    const days = `${secondsOf(type, column)} / 86400 + ${EPOCH_DAYS}`
    return orNone(
      `if(${days} >= ${FIRST_SOUND_DAY}, ${numberCell(`toString(${days})`, isDay ? STYLE.day : STYLE.time)}, ${textCell(`toString(${column})`)})`,
    )
  }
  return orNone(textCell(`toString(${column})`))
}

const numberCell = (text: string, style?: number): string =>
  `concat('<c${style === undefined ? '' : ` s="${style}"`}><v>', ${text}, '</v></c>')`

/**
 * A text in line is never read as a formula. What XML cannot hold is replaced, and bytes that are no text are hex. Lambdas name the text
 * once: wide results would exceed the length of a statement.
 */
const textCell = (text: string): string =>
  `arrayMap(t -> if(isNull(t), NULL, concat('<c t="inlineStr"><is><t xml:space="preserve">', encodeXMLComponent(if(lengthUTF8(assumeNotNull(t)) > ${MOST_CHARACTERS}, concat(substringUTF8(assumeNotNull(t), 1, ${MOST_CHARACTERS - CUT.length}), '${CUT}'), assumeNotNull(t))), '</t></is></c>')), arrayMap(t -> if(isNull(t), NULL, if(isValidUTF8(assumeNotNull(t)), replaceRegexpAll(assumeNotNull(t), '[\\\\x00-\\\\x08\\\\x0B\\\\x0C\\\\x0E-\\\\x1F\\\\x{FFFE}\\\\x{FFFF}]', '\u{FFFD}'), concat('\\\\x', lower(hex(assumeNotNull(t)))))), [toNullable(${text})]))[1]`
