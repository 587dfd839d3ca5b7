import type { Found, PageParts, Row } from '../pageParts.ts'
import { type Fault, faultAt, type Rule } from '../rule.ts'

/** A list that ends at a round number of rows may be cut there. */
const isCut = (rows: number): boolean => rows > 0 && rows % 50 === 0

/** A count beside a list is that of its rows, unless the list is cut. */
export const counts: Rule = {
  name: 'counts the rows of the list beside it',
  check: (pages): Fault[] =>
    pages.flatMap(page => [
      ...listFaults(page),
      ...columnFaults(page),
      ...mnavFaults(page),
      ...poolFaults(page),
    ]),
}

/** `contractCount` beside `items` that are contracts. */
const COUNTED = ['contractCount', 'functionCount']

const listFaults = ({ lists }: PageParts): Fault[] =>
  lists.flatMap(found => {
    const { items, ...counted } = found.part
    return COUNTED.flatMap(name => {
      const count = counted[name]
      if (count == null || count === items || (isCut(items) && Number(count) > items)) return []
      return [faultAt(found, `${name} is ${count}, and the list has ${items} rows`)]
    })
  })

/** The sum of a column says over how many of the rows it is. */
const columnFaults = ({ comparisons }: PageParts): Fault[] =>
  comparisons.flatMap(found =>
    found.part.columns.flatMap(({ key, sum }) => {
      if (sum == null) return []
      const layers = found.part.rows.filter(({ entity }) => entity !== 'bitcoin')
      const known = layers.filter(({ cells }) => cells[key]?.unit === sum.unit).length
      return sum.covers === known && sum.of === layers.length
        ? []
        : [
            faultAt(
              found,
              `the sum of ${key} covers ${sum.covers} of ${sum.of}, the column ${known} of ${layers.length}`,
            ),
          ]
    }),
  )

const hasColumn = (key: string) => (found: Found<readonly Row[]>) => found.part.some(row => key in row)

/** Companies below mNAV 1 are the rows whose mNAV is, of companies that live on holding bitcoin. */
function mnavFaults({ kpis, tables }: PageParts): Fault[] {
  const count = kpis.find(({ part }) => part.assay === 'mnav.companies@bitcoin')
  const table = tables.find(hasColumn('mnav_is_quiet'))
  if (count === undefined || table === undefined) return []
  const below = table.part.filter(
    row => row.kind === 'company' && !row.mnav_is_quiet && row.mnav != null && Number(row.mnav) < 1,
  )
  return below.length === Number(count.part.value)
    ? []
    : [faultAt(count, `says ${count.part.value} companies below mNAV 1, and the table has ${below.length}`)]
}

/** Pools that are left out by reason are the rows of the list of these. */
function poolFaults({ tables }: PageParts): Fault[] {
  const reasons = tables.find(hasColumn('largest'))
  const listed = tables.find(found => hasColumn('reason')(found) && hasColumn('project')(found))
  if (reasons === undefined || listed === undefined || isCut(listed.part.length)) return []
  const left = reasons.part.filter(({ reason }) => !String(reason).startsWith('Not left out'))
  const sum = left.reduce((total, { pools }) => total + Number(pools), 0)
  return sum === listed.part.length
    ? []
    : [faultAt(reasons, `leaves out ${sum} pools, and the list of them has ${listed.part.length} rows`)]
}
