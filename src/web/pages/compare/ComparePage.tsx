import { lazy, useState } from 'react'
import {
  type LoaderFunctionArgs,
  type MetaArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
  useLocation,
} from 'react-router'
import { asksAnew } from '../../assay/address.ts'
import { CrosshairContext, createCrosshair } from '../../blocks/chart/crosshair.ts'
import { entityColours } from '../../blocks/chart/entityColour.ts'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { HowToRead } from '../../blocks/HowToRead.tsx'
import { Later } from '../../blocks/Later.tsx'
import { PageControls } from '../../blocks/PageControls.tsx'
import { readChartView } from '../../blocks/view.ts'
import { dayText } from '../../format/day.ts'
import { figureText } from '../../format/figure.ts'
import { PageError } from '../../shell/PageError.tsx'
import { FileLink } from '../../ui/Button.tsx'
import { pageMeta } from '../pageMeta.ts'
import { CompareChart } from './CompareChart.tsx'
import styles from './ComparePage.module.css'
import { CompareTable } from './CompareTable.tsx'
import { CHART, needsComparison, STRIP } from './compareView.ts'
import { NETWORKS } from './lists.ts'
import { type LoadedCompare, loadCompare } from './loadCompare.server.ts'
import { Method } from './Method.tsx'
import { Moves } from './Moves.tsx'
import { Newest } from './Newest.tsx'

const ChartControls = lazy(async () => ({ default: (await import('./ChartControls.tsx')).ChartControls }))
const LayerStrip = lazy(async () => ({ default: (await import('./LayerStrip.tsx')).LayerStrip }))

const QUESTION =
  'Which Bitcoin layer is really used, what does it hold, what does it pay Bitcoin, and what do you trust?'

export const loader = ({ url, context }: LoaderFunctionArgs) => loadCompare(url, context)

export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return asksAnew(currentUrl, nextUrl, needsComparison)
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) =>
  pageMeta({
    title: 'Bitcoin L2 Compare',
    path: '/',
    description: loaderData ? descriptionOf(loaderData) : QUESTION,
    publicUrl: loaderData?.publicUrl,
  })

/** What a search result or a shared link says: the question, and the first figures with their days. */
function descriptionOf({ kpis }: LoadedCompare): string {
  const said = kpis.flatMap(({ label, sum }) =>
    sum ? `${label} ${figureText(sum.value, sum.unit).text} (${dayText(sum.to)})` : [],
  )
  return said.length === 0 ? QUESTION : `${QUESTION} ${said.slice(0, 3).join(', ')}.`
}

/** Layers beside each other: what they hold, who uses them, what they pay Bitcoin, whom one trusts. */
export default function ComparePage() {
  const loaded = useLoaderData<typeof loader>()
  const { search } = useLocation()
  const [crosshair] = useState(createCrosshair)
  const { chart, view, table } = loaded
  const own = readChartView(new URLSearchParams(search), CHART, chart.shown.defaults)
  const colours = entityColours([...loaded.slugs])
  const picked = entityColours(chart.picks)
  const colourOf = (entity: string) => picked.get(entity) ?? colours.get(entity) ?? 'series-2'
  return (
    <CrosshairContext value={crosshair}>
      <HeadingBlock title="Bitcoin L2 Compare" question={QUESTION} mark={loaded.mark}>
        <FileLink icon="code" label="SQL of the chart’s figures" href={loaded.sqlHref} />
        <FileLink icon="download" label="The chart’s figures as CSV" href={loaded.csvHref} />
      </HeadingBlock>
      <Later section={STRIP}>
        <LayerStrip figures={loaded.kpis} />
      </Later>
      <PageControls />
      <div className={styles.body}>
        <CompareChart
          chart={chart.chart}
          spec={chart.shown}
          events={loaded.events}
          controls={
            <ChartControls
              metric={chart.metric}
              groups={loaded.groups}
              picks={chart.picks}
              layers={loaded.layers.map(layer => ({ ...layer, colour: colourOf(layer.entity) }))}
              mode={own.mode}
              firstMode={chart.shown.defaults?.mode ?? 'absolute'}
              by={view.by}
              look={view.look}
              against={chart.against}
            />
          }
        />
        <CompareTable
          table={table}
          colourOf={colourOf}
          beyond={loaded.layers.length - NETWORKS.length}
          showsAll={view.showsAll}
        />
        <Moves {...loaded.week} colourOf={colourOf} now={loaded.now} />
        <Newest report={loaded.report} />
        <Method />
      </div>
      <HowToRead sources={loaded.sources} chain="layer" />
    </CrosshairContext>
  )
}

export const ErrorBoundary = PageError
