import { lazy, type ReactNode, Suspense, use } from 'react'
import type { ShownChart } from './chart/chartSpec.ts'
import type { ChartEvent, ChartGround } from './chart/drawing.ts'
import { needed } from './chart/needed.ts'
import { TimeChart } from './chart/TimeChart.tsx'
import type { DrawnChart } from './load/loadChart.server.ts'

/** Kinds that few pages have come once one of them is needed; the server draws them all the same. */
const HeatChart = lazy(async () => ({ default: (await import('./chart/HeatChart.tsx')).HeatChart }))
const HistogramChart = lazy(async () => ({
  default: (await import('./chart/HistogramChart.tsx')).HistogramChart,
}))
const MultiplesChart = lazy(async () => ({
  default: (await import('./chart/MultiplesChart.tsx')).MultiplesChart,
}))
const ScatterChart = lazy(async () => ({ default: (await import('./chart/ScatterChart.tsx')).ScatterChart }))
const WholeChart = lazy(async () => ({ default: (await import('./chart/WholeChart.tsx')).WholeChart }))

const OF_FEW_PAGES: readonly ShownChart['kind'][] = [
  'calendar',
  'heat',
  'histogram',
  'multiples',
  'sankey',
  'scatter',
  'tree',
]

type Props = {
  spec: ShownChart
  chart: DrawnChart
  /** Flags on a time axis. */
  events?: readonly ChartEvent[]
  /** What the reader may choose to see, besides how: under the title. */
  controls?: ReactNode
  /** What lies beneath the lines of a chart over time. */
  ground?: ChartGround | undefined
}

/** One chart of any kind with all that can be done to it. It takes figures and never fetches; its state is the address. */
export function ChartCard(props: Props) {
  return (
    <Suspense>
      <AnyChart {...props} />
    </Suspense>
  )
}

function AnyChart({ spec, chart, events = [], controls, ground }: Props) {
  const { csvHref, missing } = chart
  const mayWait = typeof document !== 'undefined' && OF_FEW_PAGES.includes(spec.kind)
  const opened = mayWait ? needed(spec.id) : undefined
  if (opened !== undefined) use(opened)
  const rest = { csvHref, missing, controls }
  switch (spec.kind) {
    case 'scatter':
      return 'scatter' in chart && <ScatterChart spec={spec} scatter={chart.scatter} {...rest} />
    case 'histogram':
      return 'histogram' in chart && <HistogramChart spec={spec} histogram={chart.histogram} {...rest} />
    case 'tree':
    case 'waterfall':
    case 'sankey':
      return 'whole' in chart && <WholeChart spec={spec} whole={chart.whole} {...rest} />
    case 'heat':
    case 'calendar':
      return 'plot' in chart && <HeatChart spec={spec} plot={chart.plot} {...rest} />
    case 'multiples':
      return 'plot' in chart && <MultiplesChart spec={spec} plot={chart.plot} events={events} {...rest} />
    default:
      return (
        'plot' in chart && (
          <TimeChart spec={spec} plot={chart.plot} events={events} ground={ground} {...rest} />
        )
      )
  }
}
