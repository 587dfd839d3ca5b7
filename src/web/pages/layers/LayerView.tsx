import { useState } from 'react'
import { CrosshairContext, createCrosshair } from '../../blocks/chart/crosshair.ts'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { HowToRead } from '../../blocks/HowToRead.tsx'
import { KpiStrip } from '../../blocks/Kpi.tsx'
import { PageControls } from '../../blocks/PageControls.tsx'
import { Tabs } from '../../blocks/Tabs.tsx'
import { TrustGlyph } from '../../blocks/TrustGlyph.tsx'
import { ButtonLink, FileLink } from '../../ui/Button.tsx'
import { DataPages } from '../across/DataPages.tsx'
import { ChartGrid } from '../chain/ChartGrid.tsx'
import { profilePath } from '../l2s/words.ts'
import { pageMeta } from '../pageMeta.ts'
import styles from '../stacks/Stacks.module.css'
import type { LoadedLayer } from './loadLayer.server.ts'
import { Panels } from './Panels.tsx'

export function layerMeta({ layer, tab, tabs, description, publicUrl }: LoadedLayer) {
  const { name } = layer
  const isFirst = tab.key === tabs[0]?.key
  return pageMeta({
    title: isFirst ? name : `${name}: ${tab.label}`,
    path: isFirst ? `/${layer.id}` : `/${layer.id}?tab=${tab.key}`,
    description,
    publicUrl,
  })
}

/** One EVM layer: how it is used, what it costs, what it does on Bitcoin, who builds on it. The catalogue fills it. */
export function LayerView({ loaded }: { loaded: LoadedLayer }) {
  const [crosshair] = useState(createCrosshair)
  const { layer, tab } = loaded
  const { name, coin, variable } = layer
  const hasFigures = tab.charts.length > 0 || loaded.kpis.length > 0
  return (
    <CrosshairContext key={layer.id} value={crosshair}>
      <HeadingBlock title={name} question={tab.question} mark={loaded.mark}>
        {layer.hasProfile && (
          <ButtonLink to={profilePath(layer.id)} small>
            Whom to trust {loaded.trust && <TrustGlyph marks={loaded.trust} />}
          </ButtonLink>
        )}
        {hasFigures && (
          <>
            <FileLink icon="code" label="SQL of all figures here" href={loaded.sqlHref} />
            <FileLink icon="download" label="All figures here as CSV" href={loaded.csvHref} />
          </>
        )}
      </HeadingBlock>
      <Tabs label={name} tabs={loaded.tabs} current={tab.key} />
      {hasFigures && <PageControls coin={coin} />}
      {loaded.kpis.length > 0 && <KpiStrip figures={loaded.kpis} />}
      <div className={styles.body}>
        <Panels loaded={loaded} place="first" />
        <ChartGrid
          specs={tab.charts}
          charts={loaded.charts}
          events={loaded.events}
          remedy={
            <>
              On-chain figures need indexed blocks. Set <code>{variable}=public</code>, or your own endpoint,
              to index it, and load earlier days with{' '}
              <code className={styles.whole}>assay backfill --chain {layer.id}</code>. Its activity on Bitcoin
              needs Bitcoin blocks: set <code>BITCOIN_RPC_URL</code>. Source data loads automatically with
              internet.
            </>
          }
        />
        <Panels loaded={loaded} place="last" />
        <DataPages chain={layer.id} />
      </div>
      <HowToRead sources={loaded.sources} chain="layer" />
    </CrosshairContext>
  )
}
