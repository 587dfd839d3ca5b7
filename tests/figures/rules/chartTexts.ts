import type { ShownChart } from '../../../src/web/blocks/chart/chartSpec.ts'
import { type Drawing, draw } from '../../../src/web/blocks/chart/drawing.ts'
import { bucketText, type PlotData, type PlotLine } from '../../../src/web/blocks/chart/plotData.ts'
import { coverageText, summaryText } from '../../../src/web/blocks/chart/summary.ts'
import { readChartView } from '../../../src/web/blocks/view.ts'
import type { Found, PageParts } from '../pageParts.ts'
import { type Fault, faultAt, type Rule } from '../rule.ts'

type Shown = { readonly spec: ShownChart; readonly plot: PlotData }

const DRAWN_AS = ['line', 'area', 'bars', 'stacked', 'band'] as const

/** The texts of a chart count what it draws, and name no value of a part of a day as that of the day. */
export const chartTexts: Rule = {
  name: 'says of a chart what is drawn',
  check: (pages): Fault[] => pages.flatMap(page => shownIn(page).flatMap(found => faultsOf(page, found))),
}

/** Charts over time with their declarations, which stand elsewhere in the answer of the same route. */
function shownIn({ address, data }: PageParts): Found<Shown>[] {
  return Object.entries(data).flatMap(([route, answer]) => {
    const specs = new Map<string, ShownChart>()
    const plots: { id: string; path: string; plot: PlotData }[] = []
    const walk = (part: unknown, path: string): void => {
      if (typeof part !== 'object' || part === null) return
      const { id, kind, title, plot } = part as Record<string, unknown>
      if (typeof id === 'string' && typeof kind === 'string' && typeof title === 'string')
        specs.set(id, part as ShownChart)
      if (typeof id === 'string' && typeof plot === 'object' && plot !== null)
        plots.push({ id, path, plot: plot as PlotData })
      for (const [key, value] of Object.entries(part)) walk(value, `${path}/${key}`)
    }
    walk(answer, `/${route}`)
    return plots.flatMap(({ id, path, plot }) => {
      const spec = specs.get(id)
      return spec === undefined ? [] : [{ address, path, part: { spec, plot } }]
    })
  })
}

function faultsOf({ address }: PageParts, found: Found<Shown>): Fault[] {
  const { spec, plot } = found.part
  const { searchParams } = new URL(address, 'http://page')
  const view = readChartView(searchParams, spec.id, spec.defaults)
  const kind = DRAWN_AS.find(one => one === spec.kind) ?? 'line'
  const drawing = draw(plot, { kind, view, height: 264, events: [] })
  const summary = summaryText(spec.title, plot, drawing)
  return [
    ...countFaults(found, drawing),
    ...drawing.shown.flatMap(line => {
      const named = namedLatest(summary, line.label)
      const last = line.values.findLastIndex(value => value !== null)
      return named === bucketText(plot, last) && isPartial(plot, line, last)
        ? [faultAt(found, `names a part of ${named} as the latest of ${line.label}`)]
        : []
    }),
  ]
}

/** `341 days · 1 partial · 23 missing · current day still open`. */
function countFaults(found: Found<Shown>, drawing: Drawing): Fault[] {
  const { plot } = found.part
  const text = coverageText(plot, drawing)
  const said = [/^\d+/, /\d+(?= partial)/].reduce((sum, part) => sum + Number(part.exec(text)?.[0] ?? 0), 0)
  const isDrawn = (index: number) => drawing.shown.some(({ values }) => (values[index] ?? null) !== null)
  const closed = plot.count - (plot.isPartial ? 1 : 0)
  const drawn = Array.from({ length: closed }, (_, index) => index).filter(isDrawn).length
  return said === drawn ? [] : [faultAt(found, `says “${text}”, and draws ${drawn}`)]
}

/** The bucket that a summary names as the latest of a line. */
function namedLatest(summary: string, label: string): string | undefined {
  const [, rest] = summary.split(`${label}: latest `)
  return rest === undefined ? undefined : /^[^(]*\(([^)]*)\)/.exec(rest)?.[1]
}

const isPartial = (plot: PlotData, { incomplete, lacking = [] }: PlotLine, index: number): boolean =>
  incomplete.includes(index) || lacking.includes(index) || (plot.isPartial && index === plot.count - 1)
