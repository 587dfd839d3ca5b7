import { useState } from 'react'
import { CrosshairContext, createCrosshair } from '../../blocks/chart/crosshair.ts'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { HowToRead } from '../../blocks/HowToRead.tsx'
import { KpiStrip } from '../../blocks/Kpi.tsx'
import { PageControls } from '../../blocks/PageControls.tsx'
import { Tabs } from '../../blocks/Tabs.tsx'
import { FileLink } from '../../ui/Button.tsx'
import { ChartGrid } from '../chain/ChartGrid.tsx'
import styles from '../stacks/Stacks.module.css'
import type { LoadedApp } from './loadApp.server.ts'
import { Panels } from './Panels.tsx'

/** One application: what it holds, who uses it, what it earns, whom to trust. Its declaration in `specs/` fills it. */
export function AppView({ loaded }: { loaded: LoadedApp }) {
  const [crosshair] = useState(createCrosshair)
  const { name } = loaded.app
  const { tab, profile } = loaded
  const hasFigures = tab.charts.length > 0 || loaded.kpis.length > 0
  return (
    <CrosshairContext value={crosshair}>
      <HeadingBlock title={name} question={tab.question} mark={loaded.mark}>
        {hasFigures && (
          <>
            <FileLink icon="code" label="SQL of all figures here" href={loaded.sqlHref} />
            <FileLink icon="download" label="All figures here as CSV" href={loaded.csvHref} />
          </>
        )}
      </HeadingBlock>
      <Tabs label={name} tabs={loaded.tabs} current={tab.key} />
      {hasFigures && <PageControls coin="STX" />}
      {loaded.kpis.length > 0 && <KpiStrip figures={loaded.kpis} />}
      <div className={styles.body}>
        <Panels loaded={loaded} place="first" />
        <ChartGrid
          specs={tab.charts}
          charts={loaded.charts}
          events={profile.events}
          remedy={
            <>
              On-chain figures need indexed blocks. With internet they come from the public API, latest first.
              Load older ones with{' '}
              <code className={styles.whole}>assay backfill --chain stacks --from … --to …</code>, or load an
              archive of events. Source data loads automatically with internet. {loaded.remedy}
            </>
          }
        />
        <Panels loaded={loaded} place="last" />
      </div>
      <HowToRead sources={loaded.sources} chain="stacks" />
    </CrosshairContext>
  )
}
