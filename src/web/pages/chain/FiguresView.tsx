import { type ReactNode, useState } from 'react'
import type { ShownChart } from '../../blocks/chart/chartSpec.ts'
import { CrosshairContext, createCrosshair } from '../../blocks/chart/crosshair.ts'
import type { ChartEvent } from '../../blocks/chart/drawing.ts'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { type Days, HowToRead } from '../../blocks/HowToRead.tsx'
import { KpiStrip } from '../../blocks/Kpi.tsx'
import { PageControls } from '../../blocks/PageControls.tsx'
import { FileLink } from '../../ui/Button.tsx'
import styles from '../stacks/Stacks.module.css'
import { ChartGrid } from './ChartGrid.tsx'
import type { loadFigures } from './loadFigures.server.ts'

type Props = {
  title: string
  loaded: Awaited<ReturnType<typeof loadFigures>> & {
    question: string
    specs: readonly ShownChart[]
    events?: readonly ChartEvent[]
  }
  /** What a day is on this page. */
  days: Days
  /** What amounts are told in unless in dollars. */
  coin?: string
  /** What brings the figures that are not there yet. */
  remedy: ReactNode
  /** Beside the buttons of the heading. */
  actions?: ReactNode
  /** Which of several things the page shows, above all figures. */
  choice?: ReactNode
  /** Whether amounts can be told in dollars. */
  hasPrice?: boolean
  /** What a reader must know before the charts. */
  lead?: ReactNode
  children: ReactNode
}

/** A page of figures, with its tables below. */
export function FiguresView({
  title,
  loaded,
  days,
  coin,
  remedy,
  actions,
  choice,
  hasPrice = true,
  lead,
  children,
}: Props) {
  const [crosshair] = useState(createCrosshair)
  return (
    <CrosshairContext value={crosshair}>
      <HeadingBlock title={title} question={loaded.question} mark={loaded.mark}>
        {actions}
        <FileLink icon="code" label="SQL of all figures here" href={loaded.sqlHref} />
        <FileLink icon="download" label="All figures here as CSV" href={loaded.csvHref} />
      </HeadingBlock>
      {choice}
      <PageControls hasPrice={hasPrice} {...(coin !== undefined && { coin })} />
      <KpiStrip figures={loaded.kpis} />
      <div className={styles.body}>
        {lead}
        <ChartGrid specs={loaded.specs} charts={loaded.charts} events={loaded.events ?? []} remedy={remedy} />
        {children}
      </div>
      <HowToRead sources={loaded.sources} chain={days} />
    </CrosshairContext>
  )
}
