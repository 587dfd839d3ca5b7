import { RATIO_PARTS } from '#kernel/ratioParts.ts'
import type { KpiFigure } from '../Kpi.tsx'

const idOf = ({ assay }: KpiFigure): string => assay.split('@')[0] ?? ''

/**
 * Key figures with each ratio as the two figures beside it give it. Where those are of different days there is no ratio:
 * a reader who divides them would get another one.
 */
export function withKpiRatios(kpis: readonly KpiFigure[]): KpiFigure[] {
  return kpis.map(kpi => {
    const parts = RATIO_PARTS[idOf(kpi)]
    if (parts === undefined || kpi.value === null) return kpi
    const shown = (id: string) => kpis.find(other => idOf(other) === id && other.value !== null)
    const [of, by] = [shown(parts.of), shown(parts.by)]
    if (of === undefined || by === undefined || (of.day === kpi.day && by.day === kpi.day)) return kpi
    const without = { ...kpi, value: null, day: null, change: null, changeOver: null, spark: [] }
    // What was counted on both chains up to another block is no figure of this day.
    if (of.day !== by.day) return { ...without, absent: `${of.label} and ${by.label} are of different days` }
    if (of.unit !== by.unit || Number(by.value) === 0)
      return { ...without, absent: `No data for the day of ${of.label} and ${by.label}` }
    return {
      ...kpi,
      value: Number(of.value) / Number(by.value),
      day: of.day,
      asOf: of.asOf,
      change: null,
      changeOver: null,
      spark: [],
    }
  })
}
