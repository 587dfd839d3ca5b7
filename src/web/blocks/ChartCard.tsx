import { lazy, type ReactNode } from 'react'
import type { ShownChart } from './chart/chartSpec.ts'
import type { ChartEvent, ChartGround } from './chart/drawing.ts'
import { Later } from './Later.tsx'
import type { DrawnChart } from './load/loadChart.server.ts'

/** The server draws them all; their scripts come with the first step of a reader. */
const HeatChart = lazy(async () => ({ default: (await import('./chart/HeatChart.tsx')).HeatChart }))
const HistogramChart = lazy(async () => ({
  default: (await import('./chart/HistogramChart.tsx')).HistogramChart,
}))
const MultiplesChart = lazy(async () => ({
  default: (await import('./chart/MultiplesChart.tsx')).MultiplesChart,
}))
const ScatterChart = lazy(async () => ({ default: (await import('./chart/ScatterChart.tsx')).ScatterChart }))
const TimeChart = lazy(async () => ({ default: (await import('./chart/TimeChart.tsx')).TimeChart }))
const WholeChart = lazy(async () => ({ default: (await import('./chart/WholeChart.tsx')).WholeChart }))

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
export const ChartCard = (props: Props) => (
  <Later section={props.spec.id}>
    <AnyChart {...props} />
  </Later>
)

function AnyChart({ spec, chart, events = [], controls, ground }: Props) {
  const { csvHref, missing } = chart
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
