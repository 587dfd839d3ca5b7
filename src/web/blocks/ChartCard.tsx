import type { ShownChart } from './chart/chartSpec.ts'
import type { ChartEvent } from './chart/drawing.ts'
import { ScatterChart } from './chart/ScatterChart.tsx'
import { TimeChart } from './chart/TimeChart.tsx'
import type { DrawnChart } from './load/loadChart.server.ts'

type Props = {
  spec: ShownChart
  chart: DrawnChart
  /** Flags on a time axis. */
  events?: readonly ChartEvent[]
}

/** One chart of any kind with all that can be done to it. It takes figures and never fetches; its state is the address. */
export function ChartCard({ spec, chart, events = [] }: Props) {
  const { csvHref, missing } = chart
  switch (spec.kind) {
    case 'scatter':
      return (
        'scatter' in chart && (
          <ScatterChart spec={spec} scatter={chart.scatter} csvHref={csvHref} missing={missing} />
        )
      )
    case 'multiples':
    case 'heat':
    case 'calendar':
    case 'histogram':
    case 'tree':
    case 'sankey':
      return null
    default:
      return (
        'plot' in chart && (
          <TimeChart spec={spec} plot={chart.plot} events={events} csvHref={csvHref} missing={missing} />
        )
      )
  }
}
