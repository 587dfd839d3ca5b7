import type { ApplicationTable } from '#http/contract.ts'
import { MOST_CHOSEN } from './specs.ts'

export type Row = ApplicationTable['rows'][number]

export const CUSTODIES = ['own key', 'several parties', 'one party', 'unknown'] as const
/** Least that lies in it, US dollars, by the word of the address; the first is taken without one. */
export const FLOORS = { '100k': 100_000, '1m': 1_000_000, '10m': 10_000_000, any: 0 } as const
/** Least days that it is known. */
export const AGES = { '90d': 90, '1y': 365 } as const

/** What a reader has narrowed the ways to, as the address has it; absent is all. */
export type YieldView = {
  readonly asset: string | undefined
  readonly layer: string | undefined
  readonly custody: string | undefined
  /** Without a coin that moves against bitcoin. */
  readonly noIl: boolean
  readonly floor: keyof typeof FLOORS
  readonly age: keyof typeof AGES | undefined
}
export const FILTERS = ['asset', 'layer', 'custody', 'noIl', 'floor', 'age'] as const
export type Filter = (typeof FILTERS)[number]

const textOf = (cell: Row[string] | undefined): string =>
  cell === null || cell === undefined ? '' : String(cell)
export const coinsOf = (row: Row): string[] => textOf(row.coins).split(', ')
const isTrue = (cell: Row[string] | undefined): boolean => cell === true || cell === 1

const keyIn = <Names extends object>(names: Names, text: string | null): keyof Names | undefined =>
  text !== null && Object.hasOwn(names, text) ? (text as keyof Names) : undefined

/** Words that are none of the known read as all. */
export function readYieldView(query: URLSearchParams, rows: readonly Row[]): YieldView {
  const known = (key: string, words: readonly string[]) => words.find(word => word === query.get(key))
  return {
    asset: known('asset', rows.flatMap(coinsOf)),
    layer: known(
      'layer',
      rows.map(({ layer }) => textOf(layer)),
    ),
    custody: known('custody', CUSTODIES),
    noIl: query.get('il') === 'no',
    floor: keyIn(FLOORS, query.get('floor')) ?? '100k',
    age: keyIn(AGES, query.get('age')),
  }
}

const PASSES: Readonly<Record<Filter, (row: Row, view: YieldView) => boolean>> = {
  asset: (row, { asset }) => asset === undefined || coinsOf(row).includes(asset),
  layer: (row, { layer }) => layer === undefined || row.layer === layer,
  custody: (row, { custody }) => custody === undefined || row.custody_kind === custody,
  noIl: (row, { noIl }) => !noIl || isTrue(row.is_bitcoin_only),
  // Of what nobody tells the size, it is not said to be small.
  floor: (row, { floor }) => row.tvl === null || Number(row.tvl) >= FLOORS[floor],
  age: (row, { age }) => age === undefined || Number(row.known_days ?? 0) >= AGES[age],
}

/** Rows that pass the filters; `except` leaves one out, to count what choosing in it would show. */
export const shownRows = (rows: readonly Row[], view: YieldView, except?: Filter): Row[] =>
  rows.filter(row => FILTERS.every(filter => filter === except || PASSES[filter](row, view)))

/** How many rows each filter hides, each row under the first that hides it. */
export function hiddenBy(rows: readonly Row[], view: YieldView): { filter: Filter; rows: number }[] {
  const counts = new Map<Filter, number>()
  for (const row of rows) {
    const filter = FILTERS.find(each => !PASSES[each](row, view))
    if (filter !== undefined) counts.set(filter, (counts.get(filter) ?? 0) + 1)
  }
  return FILTERS.flatMap(filter => {
    const hidden = counts.get(filter)
    return hidden === undefined ? [] : [{ filter, rows: hidden }]
  })
}

/** Ids that the address chooses (`w1` to `w4`), known ones once each. */
export const idsAsked = (query: URLSearchParams, known: ReadonlySet<string>): string[] => [
  ...new Set(
    Array.from({ length: MOST_CHOSEN }, (_, place) => query.get(`w${place + 1}`) ?? '').filter(id =>
      known.has(id),
    ),
  ),
]

/** Those that earned are drawn first, the largest before others: what a reader meets who chose nothing. */
export function firstChosen(rows: readonly Row[]): string[] {
  const told = rows.filter(row => row.earned_90 !== null)
  return told
    .toSorted((a, b) => Number(b.tvl ?? 0) - Number(a.tvl ?? 0))
    .slice(0, 3)
    .map(({ entity }) => textOf(entity))
}
