import type { SqlAnswer } from '#http/contract.ts'
import { draw } from '../blocks/chart/drawing.ts'
import { Plot } from '../blocks/chart/Plot.tsx'
import { plotOfAnswer } from './plotOfAnswer.ts'
import styles from './ResultChart.module.css'

const VIEW = { scale: 'linear', mode: 'absolute', hidden: [] } as const

/** Rows with a day and numbers, drawn small; nothing where rows have another shape. */
export function ResultChart({ answer }: { answer: SqlAnswer }) {
  const plot = plotOfAnswer(answer)
  if (!plot) return null
  const drawing = draw(plot, { kind: 'line', view: VIEW, height: 130, events: [] })
  return (
    <figure className={styles.chart} aria-label="The rows as a line">
      <Plot drawing={drawing} />
    </figure>
  )
}
