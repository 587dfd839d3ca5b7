import type { Kind } from './kinds.ts'
import styles from './Results.module.css'

const PAGE = 'M3.5 2.5h6l3 3v8h-9zM9.5 2.5v3h3'
const ACCOUNT = 'M8 2.5a2.6 2.6 0 1 0 0 5.2a2.6 2.6 0 0 0 0-5.2zM3 13.5a5 4.6 0 0 1 10 0'
const BOOK =
  'M8 4.5c-1.4-1.2-3.2-1.5-5.5-1.5v9.5c2.3 0 4.1.3 5.5 1.5c1.4-1.2 3.2-1.5 5.5-1.5V3c-2.3 0-4.1.3-5.5 1.5zM8 4.5V14'
const RISING = 'M2.5 12.5l3.6-4.2l2.6 2.1l4.8-6.2M9.8 4h3.7v3.7'

/** Strokes on a 16-unit grid. */
const PATHS: Readonly<Record<Kind, string>> = {
  page: PAGE,
  layer: 'M8 2.5l6 3l-6 3l-6-3zM2 8.3l6 3l6-3M2 11l6 3l6-3',
  application: 'M2.5 2.5H7V7H2.5zM9 2.5h4.5V7H9zM2.5 9H7v4.5H2.5zM9 9h4.5v4.5H9z',
  token: 'M8 2a6 6 0 1 0 0 12a6 6 0 0 0 0-12zM8 5.2L10.8 8L8 10.8L5.2 8z',
  treasury: 'M2 6.2L8 2.5l6 3.7zM3.8 6.2V12M6.6 6.2V12M9.4 6.2V12M12.2 6.2V12M2 13.5h12',
  index: RISING,
  signal: 'M1.5 8h2.8l2-5l3.2 10l2-5h3',
  opportunity: RISING,
  ecosystem: ACCOUNT,
  metric: 'M2.5 2.5v11h11M5.5 11V8M8.3 11V5M11 11V6.5',
  report: BOOK,
  documentation: BOOK,
  table: 'M2.5 3.5h11v9h-11zM2.5 6.5h11M6.5 3.5v9',
  block: 'M8 2l5.5 3v6L8 14l-5.5-3V5zM2.5 5L8 8l5.5-3M8 8v6',
  transaction: 'M2.5 5.3h10M10 2.8l2.5 2.5L10 7.8M13.5 10.7h-10M6 8.2l-2.5 2.5L6 13.2',
  address: ACCOUNT,
  contract: 'M5.5 4.5L2 8l3.5 3.5M10.5 4.5L14 8l-3.5 3.5',
  name: ACCOUNT,
}

/** The picture of a kind, beside a name that says it in words. */
export function KindMark({ kind }: { kind: Kind }) {
  return (
    <svg className={styles.mark} viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[kind]} />
    </svg>
  )
}
