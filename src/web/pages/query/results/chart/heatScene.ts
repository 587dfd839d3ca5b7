import { DEPTHS, type DepthScale, depthScale } from '../../../../blocks/chart/depth.ts'
import { boxPath, type Scene } from '../../../../blocks/chart/scene.ts'
import { WIDTH } from '../../../../blocks/chart/shape.ts'
import type { ChartSettings } from './chartSettings.ts'
import type { ChartTable } from './chartTable.ts'
import { tickLabel } from './timeGrid.ts'

const LEAST_ROW = 18
const MOST_FEET = 7

export const HEAT_COLOUR = 'series-2'

/** A row for each line, a column for each place, depth of color for how much. What is unknown is gray, never pale. */
export function heatOf(
  { axis, lines }: ChartTable,
  scale: ChartSettings['scale'],
  room: number,
): { scene: Scene; depth: DepthScale; hasGaps: boolean } {
  const count = Math.max(1, axis.labels.length)
  const rowHeight = Math.max(LEAST_ROW, Math.min(48, Math.floor(room / Math.max(1, lines.length))))
  const depth = depthScale(
    lines.flatMap(({ values }) => values.filter(value => value !== null)),
    scale,
  )
  const slot = 1 / count
  const gap = count > 140 ? 0 : slot * 0.04
  const paths = DEPTHS.map(() => '')
  let unknown = ''
  let hollow = ''
  lines.forEach(({ values, lacking }, row) => {
    values.forEach((value, at) => {
      const box = boxPath(
        (at * slot + gap) * WIDTH,
        row * rowHeight + 1,
        (slot - gap * 2) * WIDTH,
        rowHeight - 2,
      )
      if (value === null) unknown += box
      else paths[depth.step(value)] += box
      if (lacking.includes(at)) hollow += box
    })
  })
  const every = Math.max(1, Math.ceil(count / MOST_FEET))
  const span = (axis.numbers?.at(-1) ?? 0) - (axis.numbers?.[0] ?? 0)
  const scene: Scene = {
    height: rowHeight * Math.max(1, lines.length),
    gutter: 120,
    grounds: [
      ...(unknown === ''
        ? []
        : [{ key: 'unknown', path: unknown, colour: 'line', depth: 1, look: 'fill' as const }]),
      ...paths.flatMap((path, step) =>
        path === ''
          ? []
          : [
              {
                key: `step-${step}`,
                path,
                colour: HEAT_COLOUR,
                depth: DEPTHS[step] ?? 1,
                look: 'fill' as const,
              },
            ],
      ),
      ...(hollow === ''
        ? []
        : [{ key: 'hollow', path: hollow, colour: 'ink-2', depth: 1, look: 'dash' as const }]),
    ],
    dots: [],
    texts: [],
    sides: lines.map(({ label }, row) => ({ y: (row + 0.5) * rowHeight, text: label })),
    feet: axis.labels.flatMap((label, at) => {
      if (at % every !== 0) return []
      const text = axis.grid ? tickLabel(axis.numbers?.[at] ?? 0, span) : label
      const x = (at + 0.5) * slot
      return [
        {
          x,
          text: text.length > 14 ? `${text.slice(0, 13)}…` : text,
          isLast: x > 0.95,
          isMinor: (at / every) % 2 === 1,
        },
      ]
    }),
    rules: { ys: [], xs: [] },
    marks: [],
  }
  return { scene, depth, hasGaps: unknown !== '' }
}
