import type { Report } from '#http/contract.ts'
import type { ChartSpec } from '../../blocks/chart/chartSpec.ts'

/** A chart as a report declares it, in the words of pages. */
export const chartSpecOf = ({
  id,
  kind,
  title,
  note,
  grain,
  lines,
}: Report['charts'][number]): ChartSpec => ({
  id,
  kind,
  title,
  wide: true,
  isFixed: true,
  ...(note !== null && { note }),
  ...(grain !== null && { defaults: { grain } }),
  lines: lines.map(({ metric, entity, label, keys, isSum }) => ({
    metric,
    entity,
    ...(label !== null && { label }),
    ...(keys !== null && { keys }),
    ...(isSum && { isSum }),
  })),
})
