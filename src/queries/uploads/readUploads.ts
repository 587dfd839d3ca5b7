import type { Readable } from 'node:stream'
import { ClickHouseError, type ClickHouseSettings } from '@clickhouse/client'
import { type FileReader, sqlString } from '#warehouse/index.ts'
import { quotedName } from '../results/resultSql.ts'
import {
  type ColumnChoice,
  choiceOf,
  engineTypeOf,
  factsSql,
  fitsSql,
  type Inferred,
  valueSql,
} from './columnTypes.ts'
import { UploadError } from './uploadError.ts'

/** What the confined engine says of the cells of a file. Columns count from 0. */
export type CellReader = {
  infer(source: CellSource, signal: AbortSignal): Promise<Inferred[]>
  /** How many values of each column do not fit their type, and the first of them. */
  misfits(source: CellSource, choices: readonly Looked[], signal: AbortSignal): Promise<Misfits[]>
  sample(source: CellSource, rows: number, signal: AbortSignal): Promise<(string | null)[][]>
  nulls(source: CellSource, signal: AbortSignal): Promise<number[]>
  /** The rows in the engine's Native format, in their order. Values that do not fit are null. */
  rows(source: CellSource, columns: readonly NamedColumn[], signal: AbortSignal): Promise<Readable>
}

export type CellSource = { readonly path: string; readonly width: number }
/** `isAll`: every value counts as one that does not fit. */
export type Looked = ColumnChoice & { readonly isAll?: boolean }
export type Misfits = { readonly count: number; readonly rows: readonly { row: number; value: string }[] }
export type NamedColumn = ColumnChoice & { readonly name: string; readonly isNullable: boolean }

const SECONDS = 120
/** Columns inspected per query. */
const PIECE = 40
const SHOWN = 5
const SHOWN_CHARACTERS = 100

const SETTINGS = {
  max_execution_time: SECONDS,
  max_query_size: String(64 * 2 ** 20),
  max_ast_elements: '1000000',
  max_expanded_ast_elements: '1000000',
  // In the order of the file.
  max_threads: 1,
  input_format_parallel_parsing: 0,
} as ClickHouseSettings

export function createCellReader(reader: FileReader): CellReader {
  const ask = async (query: string, signal: AbortSignal): Promise<Record<string, never>[]> => {
    try {
      const client = await reader.client()
      const result = await client.query({
        query,
        format: 'JSONEachRow',
        clickhouse_settings: { ...SETTINGS, output_format_json_quote_64bit_integers: 0 },
        abort_signal: signal,
      })
      return await result.json<Record<string, never>>()
    } catch (cause) {
      throw toUploadError(cause)
    }
  }
  /**
   * Returns one row with a value for each column (`f0`, `f1` and so on). Columns are read in batches, because hundreds at once take
   * more memory than the engine has.
   */
  const row = async (
    source: CellSource,
    sql: (at: number) => string,
    signal: AbortSignal,
  ): Promise<Record<string, never>> => {
    const all: Record<string, never> = {}
    for (let from = 0; from < source.width; from += PIECE) {
      const columns = Array.from({ length: Math.min(PIECE, source.width - from) }, (_, at) => from + at)
      const [found] = await ask(
        `SELECT ${columns.map(at => `${sql(at)} AS f${at}`).join(', ')} FROM ${cellsOf(source)}`,
        signal,
      )
      Object.assign(all, found)
    }
    return all
  }
  const value = (at: number) => `assumeNotNull(${cell(at)})`
  return {
    async infer(source, signal) {
      const facts = await row(
        source,
        at =>
          `[${factsSql(cell(at))
            .map(fact => `toInt64(${fact})`)
            .join(', ')}]`,
        signal,
      )
      return Array.from({ length: source.width }, (_, at) => choiceOf(facts[`f${at}`] ?? []))
    },
    async misfits(source, choices, signal) {
      const isMisfit = (at: number) => {
        const choice = choices[at]
        if (choice === undefined) return '0'
        return choice.isAll
          ? `isNotNull(${cell(at)})`
          : `(isNotNull(${cell(at)}) AND NOT ${fitsSql(value(at), choice)})`
      }
      const looked = await row(
        source,
        at =>
          `tuple(countIf(${isMisfit(at)}), groupArrayIf(${SHOWN})(tuple(${ROW}, substringUTF8(${value(at)}, 1, ${SHOWN_CHARACTERS})), ${isMisfit(at)}))`,
        signal,
      )
      return Array.from({ length: source.width }, (_, at) => {
        const [count = 0, rows = []] = (looked[`f${at}`] ?? []) as [number?, [number, string][]?]
        return {
          count: Number(count),
          rows: rows.map(([number, text]) => ({ row: Number(number), value: text })),
        }
      })
    },
    async sample(source, rows, signal) {
      const found = await ask(
        `SELECT ${columnsOf(source, at => `substringUTF8(${cell(at)}, 1, ${SHOWN_CHARACTERS}) AS f${at}`)} FROM ${cellsOf(source)} LIMIT ${rows}`,
        signal,
      )
      return found.map(row => Array.from({ length: source.width }, (_, at) => row[`f${at}`] ?? null))
    },
    async nulls(source, signal) {
      const counts = await row(source, at => `countIf(isNull(${cell(at)}))`, signal)
      return Array.from({ length: source.width }, (_, at) => Number(counts[`f${at}`] ?? 0))
    },
    async rows(source, columns, signal) {
      const select = columns.map((column, at) => {
        const fits = `isNotNull(${cell(at)}) AND ${fitsSql(value(at), column)}`
        const type = engineTypeOf(column.type, true)
        // A cast fails on texts that do not fit, also where its value is not used.
        const safe = `if(${fits}, ${value(at)}, '')`
        const converted =
          column.type === 'String'
            ? cell(at)
            : `if(${fits}, CAST(${valueOr(safe, column)}, ${sqlString(type)}), NULL)`
        return `${column.isNullable ? `CAST(${converted}, ${sqlString(type)})` : `assumeNotNull(CAST(${converted}, ${sqlString(type)}))`} AS ${quotedName(column.name)}`
      })
      try {
        const client = await reader.client()
        const { stream } = await client.exec({
          query: `SELECT ${select.join(', ')} FROM ${cellsOf(source)} FORMAT Native`,
          clickhouse_settings: SETTINGS,
          abort_signal: signal,
        })
        return stream as Readable
      } catch (cause) {
        throw toUploadError(cause)
      }
    },
  }
}

/** The value of a text. The empty text, which misfits are replaced by, becomes any value of the type. */
const valueOr = (text: string, choice: ColumnChoice): string =>
  valueSql(`if(${text} = '', '${spareOf(choice)}', ${text})`, choice)

const SPARE: Readonly<Record<string, string>> = {
  Date: '1970-01-01',
  DateTime: '1970-01-01 00:00',
  Bool: 'false',
}
const spareOf = ({ type, format }: ColumnChoice): string =>
  type === 'Date' && format.endsWith('First') ? '1/1/1970' : (SPARE[type] ?? '0')

const columnsOf = ({ width }: CellSource, sql: (at: number) => string): string =>
  Array.from({ length: width }, (_, at) => sql(at)).join(', ')

/** Names that no column of a file can have. Rows are counted from 1, the header included; cells from 0. */
const ROW = '`row number`'
const cell = (at: number): string => `\`cell ${at}\``

/** The rows of the file. */
const cellsOf = ({ path, width }: CellSource): string =>
  `file(${sqlString(path)}, 'TabSeparated', ${sqlString(
    [`${ROW} UInt32`, ...Array.from({ length: width }, (_, at) => `${cell(at)} Nullable(String)`)].join(', '),
  )})`

function toUploadError(cause: unknown): unknown {
  if (!(cause instanceof ClickHouseError)) return cause
  return new UploadError('uploads.unreadable', 'The file takes too much time or memory to read.', {
    hint: 'Upload fewer rows or columns.',
    cause,
  })
}
