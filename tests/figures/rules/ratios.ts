import { RATIO_PARTS } from '#kernel/ratioParts.ts'
import { COLUMN_SETS } from '../../../src/web/pages/compare/lists.ts'
import type { Cell } from '../../../src/web/pages/compare/tableOf.ts'
import type { Found, KnownKpi, PageParts } from '../pageParts.ts'
import { type Fault, faultAt, type Rule } from '../rule.ts'

const RATIOS = COLUMN_SETS.flatMap(({ columns }) =>
  columns.flatMap(({ key, ratio }) => (ratio === undefined ? [] : [{ key, ...ratio }])),
)

/** A ratio is the one figure beside it over the other, all of one day. */
export const ratios: Rule = {
  name: 'gives ratios of the figures beside them',
  check: (pages): Fault[] => [...pages.flatMap(inStrips), ...inCells(pages)],
}

const inCells = (pages: readonly PageParts[]): Fault[] =>
  pages
    .flatMap(({ cells }) => cells)
    .flatMap(found =>
      RATIOS.flatMap(({ key, of, by }) => {
        const { [key]: ratio, [of]: above, [by]: below } = found.part
        const problem = ratio && above && below && problemOf(ratio, above, below)
        return problem ? [faultAt(found as Found<unknown>, `${key} ${problem}`)] : []
      }),
    )

/** Key figures that stand in one strip. */
const inStrips = ({ kpis }: PageParts): Fault[] =>
  [...Map.groupBy(kpis, ({ path }) => path.replace(/\/[^/]+$/, '')).values()].flatMap(strip =>
    strip.flatMap(found => {
      const idOf = ({ assay }: KnownKpi) => assay.split('@')[0] ?? ''
      const parts = RATIO_PARTS[idOf(found.part)]
      const shown = (id: string) => strip.find(({ part }) => idOf(part) === id)?.part
      const [above, below] = parts ? [shown(parts.of), shown(parts.by)] : []
      const problem = above && below && problemOf(found.part, above, below)
      return problem ? [faultAt(found, `${found.part.assay} ${problem}`)] : []
    }),
  )

type Part = Pick<Cell, 'value' | 'unit' | 'day'>

function problemOf(ratio: Part, above: Part, below: Part): string | undefined {
  if (ratio.day !== above.day || ratio.day !== below.day)
    return `is of ${ratio.day}, its parts of ${above.day} and ${below.day}`
  if (above.unit !== below.unit) return undefined
  const expected = Number(above.value) / Number(below.value)
  return Math.abs(Number(ratio.value) / expected - 1) < 1e-9
    ? undefined
    : `is ${ratio.value}, its parts give ${expected}`
}
