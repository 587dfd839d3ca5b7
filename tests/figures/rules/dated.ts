import type { Found, PageParts, Row } from '../pageParts.ts'
import { type Fault, faultAt, type Rule } from '../rule.ts'

/** Numbers that are of no day. */
const TIMELESS = /^(decimals|key|id)$/

/** `priceUsd` is of `priceDay`; what has no day of its own is of the row, or of the blocks that the row counts. */
const daysOf = (name: string): readonly string[] => [`${name.replace(/Usd$/, '')}Day`, 'countDay', 'day']

const isAmount = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value))

const hasDays = (row: Row): boolean =>
  'chain' in row && Object.keys(row).some(name => /^day$|Day$/.test(name))

/** Where a row of a chain has figures of several days, each has one. */
export const dated: Rule = {
  name: 'dates each figure of a list whose rows have days',
  check: (pages): Fault[] => pages.flatMap(rowsIn).flatMap(undatedIn),
}

const undatedIn = (found: Found<Row>): Fault[] =>
  hasDays(found.part)
    ? Object.entries(found.part).flatMap(([name, value]) =>
        !isAmount(value) ||
        TIMELESS.test(name) ||
        daysOf(name).some(day => typeof found.part[day] === 'string')
          ? []
          : [faultAt(found, `${name} is ${value} and has no day`)],
      )
    : []

/** Rows of lists, by the objects in `items`. */
function rowsIn({ address, data }: PageParts): Found<Row>[] {
  const rows: Found<Row>[] = []
  const walk = (part: unknown, path: string): void => {
    if (typeof part !== 'object' || part === null) return
    const { items } = part as { items?: unknown }
    if (Array.isArray(items))
      for (const [index, item] of items.entries())
        if (typeof item === 'object' && item !== null)
          rows.push({ address, path: `${path}/items/${index}`, part: item as Row })
    for (const [key, value] of Object.entries(part)) walk(value, `${path}/${key}`)
  }
  walk(data, '')
  return rows
}
