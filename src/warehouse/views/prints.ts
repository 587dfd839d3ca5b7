import { isLiveSql } from '../batchFamily.ts'
import { BASE_DATABASE } from '../ddl.ts'
import { STACKS } from '../families.ts'
import { sqlString } from '../types.ts'
import { type View, view } from '../view.ts'

/** What a field of a printed tuple is, as a column: amounts and heights whole, bytes as bytes. */
const KINDS = {
  u128: { type: 'Nullable(UInt128)', sql: (path: string) => `anyIf(f.uint_value, f.path = ${path})` },
  u64: {
    type: 'Nullable(UInt64)',
    sql: (path: string) => `accurateCastOrNull(anyIf(f.uint_value, f.path = ${path}), 'UInt64')`,
  },
  bool: {
    type: 'Nullable(Bool)',
    sql: (path: string) => `CAST(anyIf(f.uint_value, f.path = ${path}) AS Nullable(Bool))`,
  },
  text: { type: 'String', sql: (path: string) => `anyIf(f.text_value, f.path = ${path})` },
  bytes: {
    type: 'String',
    sql: (path: string) => `unhex(substring(anyIf(f.text_value, f.path = ${path}), 3))`,
  },
  hash32: {
    type: 'Nullable(FixedString(32))',
    sql: (path: string) =>
      `if(anyIf(length(f.text_value), f.path = ${path}) = 66, toFixedString(unhex(substring(anyIf(f.text_value, f.path = ${path}), 3)), 32), NULL)`,
  },
  repr: { type: 'String', sql: (path: string) => `anyIf(f.repr, f.path = ${path})` },
} as const

export type PrintField = {
  /** Fields that lead to it, dots between them. */
  readonly path: string
  readonly kind: keyof typeof KINDS
  readonly doc: string
}

export type PrintView = {
  readonly doc: string
  /** Contracts whose prints count; others may print the same. */
  readonly contracts: readonly string[]
  /** Events whose rows the view holds. */
  readonly events: readonly string[]
  /** SQL column name → field. */
  readonly fields: Readonly<Record<string, PrintField>>
}

export const PRINT_PLACE = {
  contract: 'contract that printed it',
  event: 'what happened, in the contract’s word',
  height: 'block height',
  block_time: 'time of the block, UTC',
  event_index: 'position of the event in its block',
  txid: 'txid',
} as const

const PLACE_TYPES = {
  contract: 'String',
  event: 'String',
  height: 'UInt32',
  block_time: "DateTime('UTC')",
  event_index: 'UInt32',
  txid: 'FixedString(32)',
}

/**
 * Prints of known contracts as a typed table, one row a print, by one pass over their fields (which are ordered by contract).
 * It is a view: it holds what was ingested before it was declared, and a reorg needs no word.
 */
export function printView(name: string, { doc, contracts, events, fields }: PrintView): View {
  const columns = Object.entries(fields)
  const listOf = (texts: readonly string[]): string => texts.map(sqlString).join(', ')
  return view(name, {
    doc,
    columns: { ...PRINT_PLACE, ...Object.fromEntries(columns.map(([column, field]) => [column, field.doc])) },
    types: {
      ...PLACE_TYPES,
      ...Object.fromEntries(columns.map(([column, { kind }]) => [column, KINDS[kind].type])),
    },
    sql: `SELECT
  f.contract AS contract, f.event AS event, f.height AS height, any(f.block_time) AS block_time,
  f.event_index AS event_index, any(f.txid) AS txid,
  ${columns.map(([column, { path, kind }]) => `${KINDS[kind].sql(sqlString(path))} AS ${column}`).join(',\n  ')}
FROM ${BASE_DATABASE}.stx_print_fields AS f
WHERE ${isLiveSql(STACKS, 'f')}
  AND f.contract IN (${listOf(contracts)})
  AND f.event IN (${listOf(events)})
GROUP BY f.contract, f.event, f.height, f.event_index`,
  })
}
