import type { ReactNode } from 'react'
import type { ShownChart } from './chart/chartSpec.ts'
import type { ChartEvent } from './chart/drawing.ts'
import { HeatChart } from './chart/HeatChart.tsx'
import { HistogramChart } from './chart/HistogramChart.tsx'
import { MultiplesChart } from './chart/MultiplesChart.tsx'
import { ScatterChart } from './chart/ScatterChart.tsx'
import { TimeChart } from './chart/TimeChart.tsx'
import { WholeChart } from './chart/WholeChart.tsx'
import type { DrawnChart } from './load/loadChart.server.ts'

type Props = {
  spec: ShownChart
  chart: DrawnChart
  /** Flags on a time axis. */
  events?: readonly ChartEvent[]
  /** What the reader may choose to see, besides how: under the title. */
  controls?: ReactNode
}

/** One chart of any kind with all that can be done to it. It takes figures and never fetches; its state is the address. */
export function ChartCard({ spec, chart, events = [], controls }: Props) {
  const { csvHref, missing } = chart
  const rest = { csvHref, missing, controls }
  switch (spec.kind) {
    case 'scatter':
      return 'scatter' in chart && <ScatterChart spec={spec} scatter={chart.scatter} {...rest} />
    case 'histogram':
      return 'histogram' in chart && <HistogramChart spec={spec} histogram={chart.histogram} {...rest} />
    case 'tree':
    case 'sankey':
      return 'whole' in chart && <WholeChart spec={spec} whole={chart.whole} {...rest} />
    case 'heat':
    case 'calendar':
      return 'plot' in chart && <HeatChart spec={spec} plot={chart.plot} {...rest} />
    case 'multiples':
      return 'plot' in chart && <MultiplesChart spec={spec} plot={chart.plot} events={events} {...rest} />
    default:
      return 'plot' in chart && <TimeChart spec={spec} plot={chart.plot} events={events} {...rest} />
  }
}
