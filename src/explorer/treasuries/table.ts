import { type AppTable, quoted } from '../apps/table.ts'

/** A table of the pages about treasuries: one statement on public tables, which readers may open and run. */
export type TreasuryTable = Omit<AppTable, 'sql'> & {
  /** The statement about one holder, or about all where it takes none. */
  readonly sql: (entity: string) => string
}

export { quoted }

/** SQL: satoshis as cells read them, with decimals and name beside them. */
export const btc = (expression: string, name: string): string =>
  `${expression} AS ${name}, 8 AS ${name}_decimals, 'BTC' AS ${name}_symbol`

/** SQL: the page of a holder, for a cell that leads there. */
export const pageOf = (entity: string, name: string): string =>
  `concat('/analyze/bitcoin-treasuries/', ${entity}) AS ${name}_href`

/** SQL: where evidence stands, as a reader can open it: an accession number leads to the filing’s index at the SEC. */
export const referenceOf = (ref: string, cik: string, name: string): string =>
  `multiIf(
    startsWith(${ref}, 'sec:') AND ${cik} != '', concat('https://www.sec.gov/Archives/edgar/data/', toString(toUInt64OrZero(${cik})), '/', replaceAll(substring(${ref}, 5), '-', ''), '/', substring(${ref}, 5), '-index.htm'),
    startsWith(${ref}, 'https://'), ${ref}, ''
  ) AS ${name}_href`

export const NOT_LOADED = 'Reports from holders come with the bundled snapshot, which is not loaded.'
