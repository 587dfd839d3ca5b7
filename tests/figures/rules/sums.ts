import { plus } from '../../../src/web/pages/compare/sums.ts'
import type { Found, PageParts } from '../pageParts.ts'
import { type Fault, faultAt, type Rule } from '../rule.ts'

/** A sum is that of the parts it lists, and as old as the oldest of them. */
export const sums: Rule = {
  name: 'sums what it lists and states the oldest part',
  check: (pages): Fault[] =>
    pages
      .flatMap(page => page.sums)
      .flatMap(found => {
        const { addends, value, from, to } = found.part
        const days = addends.map(({ day }) => day).sort()
        return [
          ...(String(plus(addends.map(addend => addend.value))) === String(value)
            ? []
            : [faultAt(found, `${value} is not the sum of its parts`)]),
          ...(days[0] === from && days.at(-1) === to
            ? []
            : [faultAt(found, `says ${from} to ${to}, its parts ${days[0]} to ${days.at(-1)}`)]),
        ]
      }),
}

type Totals = { btcSat: string | null; covers: number; from: string | null }

/** Home and the directory of layers add up the same bitcoin. */
export const oneBridgedSum: Rule = {
  name: 'gives one sum of BTC bridged',
  check(pages): Fault[] {
    const home = pages
      .flatMap(page => page.sums)
      .find(({ part }) => part.addends.some(({ assay }) => assay.startsWith('btc.bridged@')))
    const directory = totalsIn(pages)
    if (home === undefined || directory === undefined) return []
    const { value, addends, from } = home.part
    const { btcSat, covers, from: oldest } = directory.part
    return String(value) === btcSat && addends.length === covers && from === oldest
      ? []
      : [
          faultAt(
            home,
            `${value} over ${addends.length} layers from ${from}; ${directory.address} says ${btcSat} over ${covers} from ${oldest}`,
          ),
        ]
  },
}

function totalsIn(pages: readonly PageParts[]): Found<Totals> | undefined {
  for (const { address, data } of pages)
    for (const [route, answer] of Object.entries(data))
      if (typeof answer === 'object' && answer !== null && 'totals' in answer) {
        const { totals } = answer
        if (typeof totals === 'object' && totals !== null && 'btcSat' in totals)
          return { address, path: `/${route}/totals`, part: totals as Totals }
      }
  return undefined
}
