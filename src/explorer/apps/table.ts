import type { Catalog, CatalogProtocol, StacksApp } from '#catalog/index.ts'
import { type Reader, readRows } from '../readRows.ts'

/**
 * How a cell reads. `amount`: whole base units, with `<key>_decimals` and `<key>_symbol` beside it in the row. `page` and
 * `reference` lead to `<key>_href`, a page of ours or of others. A row with a true `is_corrected` is struck through, a
 * figure with a true `<key>_is_quiet` is grey.
 */
export const CELL_FORMS = [
  'text',
  'principal',
  'key',
  'application',
  'asset',
  'txid',
  'time',
  'day',
  'count',
  'amount',
  'figure',
  'page',
  'reference',
] as const

export type AppColumn = {
  /** Name of the column in the rows. */
  readonly key: string
  readonly label: string
  readonly form: (typeof CELL_FORMS)[number]
  /** Of a `figure`: as metrics name units. */
  readonly unit?: string
  readonly title?: string
  readonly isOptional?: boolean
}

/** An application, with what its file says that its contracts on Stacks print and answer. */
export type App = CatalogProtocol & {
  readonly declared: StacksApp | undefined
  /** Feeds of Pyth, with the symbol of what each prices and the asset of its closes. */
  readonly feeds: readonly { readonly feed: string; readonly symbol: string; readonly asset: string }[]
}

/** The facts of an application that its tables are made from. */
export const appOf = (
  protocol: CatalogProtocol,
  { stacksApps, tokens }: Pick<Catalog, 'stacksApps' | 'tokens'>,
): App => ({
  ...protocol,
  declared: stacksApps.find(app => app.protocol === protocol.slug),
  feeds: tokens.flatMap(({ ids, symbol, priceAsset = '' }) =>
    ids.pyth === undefined ? [] : [{ feed: ids.pyth, symbol, asset: priceAsset }],
  ),
})

/** A table on the page of an application, as one statement on public tables: what readers may open and run. */
export type AppTable = {
  readonly title: string
  /** What a row is, and of which time. */
  readonly sub: string
  /** Why there may be none, and what would bring some. */
  readonly empty: string
  readonly columns: readonly AppColumn[]
  /** The statement for an application. Rows come in its order. */
  readonly sql: (app: App) => string
}

/** A cell: whole numbers as decimal text, floats as numbers. */
export type AppCell = string | number | boolean | null
export type AppRow = Readonly<Record<string, AppCell>>

export const readAppTable = (reader: Reader, sql: string): Promise<AppRow[]> => readRows<AppRow>(reader, sql)

/** An SQL text. */
export const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** The application’s contracts on Stacks, as an SQL list; of none a text that is no contract. */
export function contractsSql({ contracts }: CatalogProtocol): string {
  const own = contracts.filter(({ layer }) => layer === 'stacks').map(({ address }) => quoted(address))
  return own.length === 0 ? "''" : own.join(', ')
}
