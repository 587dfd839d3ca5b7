import type { AppTable } from '../apps/table.ts'

/** A table of the page about indices: one statement on public tables, which readers may open and run. */
export type IndexTable = Omit<AppTable, 'sql'> & {
  /** The statement about one index, or about all where it takes none. */
  readonly sql: (index: string) => string
}

export const NOT_BEGUN =
  'The index has not started. Fewer than two of its tokens have had a price, a volume and a weighting input at a month end. With internet, CoinGecko and DefiLlama are polled automatically.'
