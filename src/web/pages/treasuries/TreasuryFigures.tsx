import { type ReactNode, useState } from 'react'
import type { ApplicationTable } from '#http/contract.ts'
import type { ShownChart } from '../../blocks/chart/chartSpec.ts'
import { CrosshairContext, createCrosshair } from '../../blocks/chart/crosshair.ts'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { HowToRead } from '../../blocks/HowToRead.tsx'
import { KpiStrip } from '../../blocks/Kpi.tsx'
import { PageControls } from '../../blocks/PageControls.tsx'
import { FileLink } from '../../ui/Button.tsx'
import { FactTable } from '../apps/FactTable.tsx'
import { ChartGrid } from '../chain/ChartGrid.tsx'
import type { loadFigures } from '../chain/loadFigures.server.ts'
import styles from '../stacks/Stacks.module.css'

type Props = {
  title: string
  loaded: Awaited<ReturnType<typeof loadFigures>> & {
    question: string
    specs: readonly ShownChart[]
    tables: readonly ApplicationTable[]
  }
  /** Beside the buttons of the heading. */
  actions?: ReactNode
  /** What a reader must know before the charts. */
  lead?: ReactNode
}

/** A page of figures about holders of bitcoin, with its tables below. */
export function TreasuryFigures({ title, loaded, actions, lead }: Props) {
  const [crosshair] = useState(createCrosshair)
  return (
    <CrosshairContext value={crosshair}>
      <HeadingBlock title={title} question={loaded.question} mark={loaded.mark}>
        {actions}
        <FileLink icon="code" label="SQL of all figures here" href={loaded.sqlHref} />
        <FileLink icon="download" label="All figures here as CSV" href={loaded.csvHref} />
      </HeadingBlock>
      <PageControls />
      <KpiStrip figures={loaded.kpis} />
      <div className={styles.body}>
        {lead}
        <ChartGrid
          specs={loaded.specs}
          charts={loaded.charts}
          events={[]}
          remedy="What holders said, what they did and what their shares cost comes with the bundled snapshot; a newer one brings newer days. Lenses of the market need a close, a share count and a holding of one day."
        />
        {loaded.tables.map(table => (
          <FactTable key={table.id} table={table} />
        ))}
      </div>
      <HowToRead sources={loaded.sources} chain="holder" />
    </CrosshairContext>
  )
}
