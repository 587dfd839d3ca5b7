import { COLUMN_SETS } from '../../../src/web/pages/compare/lists.ts'
import type { Cell } from '../../../src/web/pages/compare/tableOf.ts'
import type { Found } from '../pageParts.ts'
import { type Fault, faultAt, type Rule } from '../rule.ts'

const RATIOS = COLUMN_SETS.flatMap(({ columns }) =>
  columns.flatMap(({ key, ratio }) => (ratio === undefined ? [] : [{ key, ...ratio }])),
)

/** A ratio is the one figure beside it over the other, all of one day. */
export const ratios: Rule = {
  name: 'gives ratios of the figures beside them',
  check: (pages): Fault[] =>
    pages
      .flatMap(({ cells }) => cells)
      .flatMap(found =>
        RATIOS.flatMap(({ key, of, by }) => {
          const { [key]: ratio, [of]: above, [by]: below } = found.part
          const problem = ratio && above && below && problemOf(ratio, above, below)
          return problem ? [faultAt(found as Found<unknown>, `${key} ${problem}`)] : []
        }),
      ),
}

function problemOf(ratio: Cell, above: Cell, below: Cell): string | undefined {
  if (ratio.day !== above.day || ratio.day !== below.day)
    return `is of ${ratio.day}, its parts of ${above.day} and ${below.day}`
  if (above.unit !== below.unit) return undefined
  const expected = Number(above.value) / Number(below.value)
  return Math.abs(Number(ratio.value) / expected - 1) < 1e-9
    ? undefined
    : `is ${ratio.value}, its parts give ${expected}`
}
