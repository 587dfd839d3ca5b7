import type { ReactNode } from 'react'
import type { Range } from '#http/contract.ts'
import { changeText } from '../format/figure.ts'
import styles from './Change.module.css'

export const RANGE_TEXT: Record<Range, string> = {
  '7d': '7d',
  '30d': '30d',
  '90d': '90d',
  '1y': '1y',
  max: 'all',
}

type Props = { change: number | null; range?: Range }

/** A change over a range: sign, arrow and size in the color of its direction. */
export function Change({ change, range }: Props) {
  if (change === null) return <span>–</span>
  const text = changeText(change)
  const isMoved = /^[+−]/.test(text)
  return (
    <Toned sign={isMoved ? change : 0} className={styles.change}>
      {isMoved && (
        <svg viewBox="0 0 8 8" aria-hidden="true">
          <path d={change > 0 ? 'M4 1l3.5 6h-7z' : 'M4 7L.5 1h7z'} />
        </svg>
      )}
      {text}
      {range && ` (${RANGE_TEXT[range]})`}
    </Toned>
  )
}

type TonedProps = { sign: number; className?: string | undefined; children: ReactNode }

/**
 * The one color rule of all changes: green for a rise, red for a fall, plain for neither. Color says which way a figure
 * moved and never whether that is good, so that two figures that fell alike look alike.
 */
export function Toned({ sign, className, children }: TonedProps) {
  const tone = sign > 0 ? styles.up : sign < 0 ? styles.down : undefined
  return <span className={[className, tone].filter(Boolean).join(' ') || undefined}>{children}</span>
}
