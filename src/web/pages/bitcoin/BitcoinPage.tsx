import { lazy, Suspense, useState } from 'react'
import {
  type LoaderFunctionArgs,
  type MetaArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
} from 'react-router'
import { asksAnew } from '../../assay/address.ts'
import { CrosshairContext, createCrosshair } from '../../blocks/chart/crosshair.ts'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { HowToRead } from '../../blocks/HowToRead.tsx'
import { KpiStrip } from '../../blocks/Kpi.tsx'
import { PageControls } from '../../blocks/PageControls.tsx'
import { Tabs } from '../../blocks/Tabs.tsx'
import { needsFigures } from '../../blocks/view.ts'
import { PageError } from '../../shell/PageError.tsx'
import { FileLink } from '../../ui/Button.tsx'
import { DataPages } from '../across/DataPages.tsx'
import { ChartGrid } from '../chain/ChartGrid.tsx'
import { pageMeta } from '../pageMeta.ts'
import styles from './BitcoinPage.module.css'
import { loadBitcoin } from './loadBitcoin.server.ts'
import { Panels } from './Panels.tsx'

/** One tab has calculators: the others need not carry them. */
const CalculatorCard = lazy(async () => ({
  default: (await import('../../blocks/calculator/CalculatorCard.tsx')).CalculatorCard,
}))

export const loader = ({ url, context }: LoaderFunctionArgs) => loadBitcoin(url, context)

export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return asksAnew(currentUrl, nextUrl, needsFigures)
}

export function meta({ loaderData }: MetaArgs<typeof loader>) {
  if (!loaderData) return []
  const { tab, tabs, description, publicUrl } = loaderData
  const isFirst = tab.key === tabs[0]?.key
  return pageMeta({
    title: isFirst ? 'Bitcoin' : `Bitcoin: ${tab.label}`,
    path: isFirst ? '/bitcoin' : `/bitcoin?tab=${tab.key}`,
    description,
    publicUrl,
  })
}

/** Bitcoin itself: what block space costs, who secures it, what it is used for. */
export default function BitcoinPage() {
  const loaded = useLoaderData<typeof loader>()
  const [crosshair] = useState(createCrosshair)
  const { tab } = loaded
  return (
    <CrosshairContext value={crosshair}>
      <HeadingBlock title="Bitcoin" question={tab.question} mark={loaded.mark}>
        <FileLink icon="code" label="SQL of all figures here" href={loaded.sqlHref} />
        <FileLink icon="download" label="All figures here as CSV" href={loaded.csvHref} />
      </HeadingBlock>
      <Tabs label="Bitcoin" tabs={loaded.tabs} current={tab.key} />
      <PageControls />
      <KpiStrip figures={loaded.kpis} />
      <div className={styles.body}>
        <Panels panels={tab.panels} loaded={loaded} place="first" />
        <ChartGrid
          specs={tab.charts}
          charts={loaded.charts}
          events={loaded.events}
          remedy={
            <>
              Unless said otherwise these follow from whole blocks: set <code>BITCOIN_RPC_URL</code> to a
              node, or load its files with <code>assay backfill</code>, and they appear here.
            </>
          }
        />
        {loaded.calculators.map(calculator => (
          <Suspense key={calculator.id}>
            <CalculatorCard calculator={calculator} />
          </Suspense>
        ))}
        <Panels panels={tab.panels} loaded={loaded} place="last" />
        <DataPages chain="bitcoin" />
      </div>
      <HowToRead sources={loaded.sources} />
    </CrosshairContext>
  )
}

export const ErrorBoundary = PageError
