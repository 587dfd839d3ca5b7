import type { Found, Row } from '../pageParts.ts'
import { type Fault, faultAt, type Rule } from '../rule.ts'

/** Every bitcoin there can be, as the treasuries count it, satoshis. */
const CAP_SAT = 21_000_000 * 1e8

type Parts = (row: Row) => readonly [above: unknown, below: unknown]

/** Columns that are a ratio of others of their row: with these columns a table of any page is held to it. */
const OF_ROW: readonly { readonly key: string; readonly needs: readonly string[]; readonly parts: Parts }[] =
  [
    { key: 'share', needs: ['people', 'all_people'], parts: row => [row.people, row.all_people] },
    {
      key: 'share',
      needs: ['commits', 'total'],
      parts: ({ commits, total }) => [Number(total) - Number(commits), total],
    },
    {
      key: 'yes_share',
      needs: ['yes_stx', 'no_stx'],
      parts: row => [row.yes_stx, Number(row.yes_stx) + Number(row.no_stx)],
    },
    {
      key: 'winner_share',
      needs: ['winner_bid_sat', 'bid_sat'],
      parts: row => [row.winner_bid_sat, row.bid_sat],
    },
    { key: 'supply', needs: ['held', 'held_day'], parts: ({ held }) => [held, CAP_SAT] },
    { key: 'covered', needs: ['value', 'debt'], parts: row => [row.value, row.debt] },
    {
      key: 'pnl',
      needs: ['value_usd', 'cost', 'held'],
      parts: ({ value_usd: value, held, cost }) => {
        const paid = (Number(held) / 1e8) * Number(cost)
        return [Number(value) - paid, paid]
      },
    },
  ]

/** Columns that are another one of their row over a total that all rows have in common. */
const OF_TOTAL: readonly { readonly key: string; readonly of: string }[] = [
  { key: 'share', of: 'pools' },
  { key: 'share', of: 'bid_sat' },
  { key: 'share', of: 'calls' },
  { key: 'share', of: 'stacked' },
  { key: 'value_usd', of: 'held' },
]

const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b))
const isKnown = (row: Row, ...keys: string[]): boolean => keys.every(key => row[key] != null)

/** A ratio in a table is that of the columns beside it. */
export const rowRatios: Rule = {
  name: 'gives ratios of the columns beside them',
  check: (pages): Fault[] =>
    pages.flatMap(page => page.tables).flatMap(found => [...ofRowFaults(found), ...ofTotalFaults(found)]),
}

const ofRowFaults = (found: Found<readonly Row[]>): Fault[] =>
  OF_ROW.flatMap(({ key, needs, parts }) =>
    found.part.flatMap(row => {
      if (!isKnown(row, key, ...needs)) return []
      const [above, below] = parts(row)
      const expected = Number(above) / Number(below)
      return isNear(Number(row[key]), expected)
        ? []
        : [faultAt(found, `${key} is ${row[key]}, and ${needs.join(', ')} give ${expected}`)]
    }),
  )

const ofTotalFaults = (found: Found<readonly Row[]>): Fault[] =>
  OF_TOTAL.flatMap(({ key, of }) => {
    const known = found.part.filter(row => isKnown(row, key, of) && Number(row[of]) !== 0)
    const totals = known.map(row => Number(row[key]) / Number(row[of]))
    const other = totals.find(total => Math.abs(total / (totals[0] ?? total) - 1) > 1e-6)
    return other === undefined ? [] : [faultAt(found, `${key} is not of one total of ${of} in all rows`)]
  })
