import { type ReactNode, useState } from 'react'
import { CrosshairContext, createCrosshair } from '../../blocks/chart/crosshair.ts'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { HowToRead } from '../../blocks/HowToRead.tsx'
import { KpiStrip } from '../../blocks/Kpi.tsx'
import { PageControls } from '../../blocks/PageControls.tsx'
import { FileLink } from '../../ui/Button.tsx'
import { ChartGrid } from '../chain/ChartGrid.tsx'
import type { LoadedFigures } from './loadStacks.server.ts'
import styles from './Stacks.module.css'

type Props = {
  title: string
  loaded: LoadedFigures
  /** What a reader must know before the charts. */
  lead?: ReactNode
  children: ReactNode
}

/** A page of figures about Stacks, with its tables below. */
export function StacksFigures({ title, loaded, lead, children }: Props) {
  const [crosshair] = useState(createCrosshair)
  return (
    <CrosshairContext value={crosshair}>
      <HeadingBlock title={title} question={loaded.question} mark={loaded.mark}>
        <FileLink icon="code" label="SQL of all figures here" href={loaded.sqlHref} />
        <FileLink icon="download" label="All figures here as CSV" href={loaded.csvHref} />
      </HeadingBlock>
      <PageControls coin="STX" />
      <KpiStrip figures={loaded.kpis} />
      <div className={styles.body}>
        {lead}
        <ChartGrid
          specs={loaded.specs}
          charts={loaded.charts}
          events={loaded.events}
          remedy={
            <>
              Figures of the chain need its blocks. With internet they come from the public API, from the
              newest on; <code className={styles.whole}>assay backfill --chain stacks --from … --to …</code>{' '}
              brings in those below, or load an archive of events. A node of yours tells most: set{' '}
              <code>STACKS_OBSERVER_PORT</code> and name that port in its <code>events_observer</code>. The
              bundled blocks are few, and of 2021 and 2022.
            </>
          }
        />
        {children}
      </div>
      <HowToRead sources={loaded.sources} chain="stacks" />
    </CrosshairContext>
  )
}
