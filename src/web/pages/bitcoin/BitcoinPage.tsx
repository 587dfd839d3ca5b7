import { useState } from 'react'
import {
  type LoaderFunctionArgs,
  type MetaArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
  useLocation,
} from 'react-router'
import { changedKeys } from '../../assay/address.ts'
import { CrosshairContext, createCrosshair } from '../../blocks/chart/crosshair.ts'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { HowToRead } from '../../blocks/HowToRead.tsx'
import { KpiStrip } from '../../blocks/Kpi.tsx'
import { PageControls } from '../../blocks/PageControls.tsx'
import { Tabs } from '../../blocks/Tabs.tsx'
import { needsFigures } from '../../blocks/view.ts'
import { PageError } from '../../shell/PageError.tsx'
import { pageMeta } from '../pageMeta.ts'
import styles from './BitcoinPage.module.css'
import { ChartGrid } from './ChartGrid.tsx'
import { loadBitcoin } from './loadBitcoin.server.ts'
import { Panels } from './Panels.tsx'
import { TABS, tabOf } from './tabs.ts'

export const loader = ({ url, context }: LoaderFunctionArgs) => loadBitcoin(url, context)

export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return currentUrl.pathname !== nextUrl.pathname || changedKeys(currentUrl, nextUrl).some(needsFigures)
}

export function meta({ loaderData, location }: MetaArgs<typeof loader>) {
  const tab = tabOf(new URLSearchParams(location.search).get('tab'))
  const title = tab.key === 'overview' ? 'Bitcoin' : `Bitcoin: ${tab.label}`
  const path = tab.key === 'overview' ? '/bitcoin' : `/bitcoin?tab=${tab.key}`
  return pageMeta({
    title,
    description: loaderData?.description ?? tab.question,
    path,
    publicUrl: loaderData?.publicUrl,
  })
}

/** Bitcoin itself: what block space costs, who secures it, what it is used for. */
export default function BitcoinPage() {
  const loaded = useLoaderData<typeof loader>()
  const { search } = useLocation()
  const [crosshair] = useState(createCrosshair)
  const tab = tabOf(loaded.tab)
  return (
    <CrosshairContext value={crosshair}>
      <HeadingBlock title="Bitcoin" question={tab.question} asOf={loaded.asOf} />
      <Tabs label="Bitcoin" tabs={TABS} current={tab.key} />
      <PageControls search={search} />
      <KpiStrip figures={loaded.kpis} />
      <div className={styles.body}>
        <Panels panels={tab.panels} loaded={loaded} place="first" />
        <ChartGrid tab={tab} charts={loaded.charts} />
        <Panels panels={tab.panels} loaded={loaded} place="last" />
      </div>
      <HowToRead sources={loaded.sources} />
    </CrosshairContext>
  )
}

export const ErrorBoundary = PageError
