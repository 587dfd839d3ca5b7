import type { Found, KnownKpi } from '../pageParts.ts'
import { type Fault, faultAt, type Rule } from '../rule.ts'

/** A metric of an entity in one unit has one newest value, whichever page shows it. */
export const sameFigure: Rule = {
  name: 'shows the same value of the same metric',
  check(pages): Fault[] {
    const first = new Map<string, Found<KnownKpi>>()
    const faults: Fault[] = []
    for (const found of pages.flatMap(({ kpis }) => kpis)) {
      const { assay, unit, value, day } = found.part
      const key = `${assay} ${unit}`
      const other = first.get(key)
      if (other === undefined) first.set(key, found)
      else if (String(other.part.value) !== String(value) || other.part.day !== day)
        faults.push(
          faultAt(
            found,
            `${assay} is ${value} on ${day}, and on ${other.address} ${other.part.value} on ${other.part.day}`,
          ),
        )
    }
    return faults
  },
}
