import {
  fiatCloses,
  treasuryEvents,
  treasuryGovernments,
  treasuryList,
  treasuryShares,
  treasuryStatements,
} from '#sources/recorded/treasuries.ts'

type Company = { readonly id: string; readonly ticker?: string }
type Government = {
  readonly id: string
  readonly btc: number
  readonly as_of: string
  readonly source: string
  readonly history?: readonly { readonly btc: number; readonly as_of: string; readonly source: string }[]
}
type Facts = { readonly companies: readonly Company[]; readonly governments: readonly Government[] }
type From = { readonly read: (name: string, folder?: string) => string; readonly facts: Facts }
type Derived = { readonly from: string; readonly text: string }

const TRACKER = 'Sashamine/dat-tracker-next c0c17e00'
/** The same company under the ticker of another exchange, and an id of ours that is its name. */
const TWICE = 'altbg'
const OWN_IDS: Readonly<Record<string, string>> = { clsk: 'cleanspark' }
/** Four purchases that the tracker lists of it before its merger are in no filing, and other lists of the time have 21 BTC. */
const NAKAMOTO_MERGED = '2025-08-15'
const idOf = (entity: string): string => OWN_IDS[entity] ?? entity

/** Whose word it is: B a filing, C a page or release of the company or a list, D the press, E a difference of two totals. */
const GRADES: Readonly<Record<string, string>> = {
  'sec-filing': 'B',
  'regulatory-filing': 'B',
  filing: 'B',
  'company-dashboard': 'C',
  'company-reported': 'C',
  'company-website': 'C',
  'press-release': 'C',
  announcement: 'C',
  inferred: 'E',
}
const gradeOf = (kind: string): string => {
  const grade = GRADES[kind]
  if (grade === undefined) throw new Error(`no grade is known of evidence "${kind}"`)
  return grade
}

/** Rows of a CSV text in which cells may stand in quotes. */
function rowsOf(text: string): Record<string, string>[] {
  const [head = '', ...lines] = text.replaceAll('\r', '').trimEnd().split('\n')
  const names = cellsOf(head)
  return lines.map(line => {
    const cells = cellsOf(line)
    if (cells.length !== names.length)
      throw new Error(`a row has ${cells.length} cells, not ${names.length}: ${line}`)
    return Object.fromEntries(names.map((name, i) => [name, cells[i] ?? '']))
  })
}
const cellsOf = (line: string): string[] =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? '',
  )

/** Our files have no quotes: a comma inside a cell becomes a semicolon. */
const csvOf = (columns: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [
    columns.join(','),
    ...rows.map(row => row.map(cell => String(cell).replaceAll(',', ';').replaceAll('"', '')).join(',')),
  ].join('\n')

/** Satoshis of an amount of bitcoin in decimals. */
function satOf(btc: string): string {
  if (btc === '') return ''
  const [whole = '0', part = ''] = btc.replace('-', '').split('.')
  if (part.length > 8) throw new Error(`${btc} is finer than a satoshi`)
  const sat = BigInt(whole) * 100_000_000n + BigInt(part.padEnd(8, '0'))
  return String(btc.startsWith('-') ? -sat : sat)
}
const dollars = (text: string): string => (text === '' ? '' : String(Math.round(Number(text))))

/** The first day that a stated time may mean: a month, or two of which one is meant, begins with its first. */
function dayOf(text: string): string {
  const [, year = '', month = '', day = '01'] = /^(\d{4})-(\d{2})(?:-(\d{2}))?/.exec(text) ?? []
  if (year === '') throw new Error(`no day is known of "${text}"`)
  return `${year}-${month}-${day}`
}

const byTicker = ({ companies }: Facts): Map<string, string> =>
  new Map(
    companies
      .filter(({ id }) => id !== TWICE)
      .flatMap(({ id, ticker }) => (ticker ? [[ticker, idOf(id)]] : [])),
  )

/** By source: what the snapshot takes of what was recorded of treasuries. */
export const TREASURIES_DERIVED: Readonly<Record<string, (from: From) => Derived>> = {
  [treasuryStatements.id]: ({ read, facts }) => {
    const ids = byTicker(facts)
    return {
      from: `${TRACKER} src/lib/data/{holdings-history,mstr-verified-financials}.ts`,
      text: csvOf(
        [
          'entity',
          'day',
          'held_sat',
          'shares',
          'debt_usd',
          'preferred_usd',
          'cash_usd',
          'grade',
          'ref',
          'said',
        ],
        rowsOf(read('treasury-holdings.csv')).flatMap(row => {
          const entity = ids.get(row.ticker ?? '')
          if (entity === undefined) return []
          const held = satOf(row.btc_holdings ?? '')
          return [
            [
              entity,
              row.date ?? '',
              held,
              row.shares_outstanding ?? '',
              dollars(row.total_debt_usd ?? ''),
              dollars(row.preferred_usd ?? ''),
              dollars(row.cash_usd ?? ''),
              gradeOf(row.source_type ?? ''),
              row.source_ref ?? '',
              row.source ?? '',
            ],
          ]
        }),
      ),
    }
  },
  [treasuryEvents.id]: ({ read }) => ({
    from: `${TRACKER} src/lib/data/{purchases-history,mstr-btc-purchases,holdings-history}.ts; kittycapital/strategy strategy_btc_seed.json 3b63899`,
    text: csvOf(
      ['entity', 'day', 'kind', 'delta_sat', 'cost_usd', 'price_usd', 'after_sat', 'grade', 'ref', 'list'],
      rowsOf(read('treasury-events.csv'))
        .filter(
          ({ entity, date = '' }) => entity !== TWICE && !(entity === 'nakamoto' && date < NAKAMOTO_MERGED),
        )
        .map(row => [
          idOf(row.entity ?? ''),
          row.date ?? '',
          row.kind ?? '',
          satOf(row.btc_delta ?? ''),
          dollars(row.cost_usd ?? ''),
          // A sale that is listed at 0 has no price.
          Number(row.price_usd) > 0 ? (row.price_usd ?? '') : '',
          satOf(row.btc_after ?? ''),
          gradeOf(row.evidence ?? ''),
          row.source_ref ?? '',
          row.source ?? '',
        ]),
    ),
  }),
  [treasuryGovernments.id]: ({ facts }) => ({
    from: 'Pages of news sites, as each row names them',
    text: csvOf(
      ['entity', 'day', 'held_sat', 'grade', 'ref'],
      facts.governments.flatMap(({ id, btc, as_of, source, history = [] }) =>
        [{ btc, as_of, source }, ...history].map(said => [
          id,
          dayOf(said.as_of),
          satOf(String(said.btc)),
          'D',
          said.source,
        ]),
      ),
    ),
  }),
  [treasuryShares.id]: ({ read, facts }) => {
    const ids = byTicker(facts)
    return {
      from: `${TRACKER} data/stock-prices/*.json; kittycapital/strategy MSTR_USD.csv 3b63899`,
      text: csvOf(
        ['entity', 'day', 'close', 'currency'],
        rowsOf(read('stock-prices.csv.gz')).flatMap(
          ({ ticker = '', date = '', close = '', currency = '' }) => {
            const entity = ids.get(ticker)
            return entity === undefined ? [] : [[entity, date, close, currency]]
          },
        ),
      ),
    }
  },
  [fiatCloses.id]: ({ read }) => ({
    from: 'typedcypher/historical-bitcoin-prices 9f156d8',
    text: csvOf(
      ['date', 'price_eur', 'price_gbp', 'price_jpy', 'price_brl'],
      rowsOf(read('series/btc-fiat-daily.csv', 'bitcoin'))
        .filter(({ date = '' }) => date >= '2020-08-01')
        .map(row => [
          row.date ?? '',
          row.price_eur ?? '',
          row.price_gbp ?? '',
          row.price_jpy ?? '',
          row.price_brl ?? '',
        ]),
    ),
  }),
  [treasuryList.id]: ({ read }) => ({
    from: 'aljazceru/bitcoin-treasury-premiums treasuries.csv a715615',
    text: csvOf(
      ['rank', 'country', 'name', 'held_sat', 'value_usd', 'cap_usd', 'enterprise_usd', 'cost_usd'],
      rowsOf(read('treasury-companies-2025-07-08.csv')).map(row => [
        row.rank ?? '',
        row.country ?? '',
        row.name_and_ticker ?? '',
        satOf(row.btc ?? ''),
        dollars(row.btc_value_usd ?? ''),
        dollars(row.market_cap_usd ?? ''),
        dollars(row.enterprise_value_usd ?? ''),
        dollars(row.cost_basis_usd ?? ''),
      ]),
    ),
  }),
}
