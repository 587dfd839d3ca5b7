import styles from './Icon.module.css'

/** Strokes on a 16-unit grid. */
const PATHS = {
  menu: 'M2 4h12M2 8h12M2 12h12',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  moon: 'M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7z',
  sun: 'M8 1.5v1.5M8 13v1.5M1.5 8H3M13 8h1.5M3.4 3.4l1.1 1.1M11.5 11.5l1.1 1.1M3.4 12.6l1.1-1.1M11.5 4.5l1.1-1.1M8 5.2a2.8 2.8 0 1 0 0 5.6a2.8 2.8 0 0 0 0-5.6z',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 0 0 0-9zM10.4 10.4l3.1 3.1',
  person: 'M8 2.2a2.9 2.9 0 1 0 0 5.8a2.9 2.9 0 0 0 0-5.8zM2.8 13.8a5.2 5.2 0 0 1 10.4 0',
  share: 'M8 10V2M5 4.8L8 2l3 2.8M3.5 8v5.5h9V8',
  upload: 'M8 10V2M5 4.8L8 2l3 2.8M3 13.5h10',
  download: 'M8 2v8M5 7.2L8 10l3-2.8M3 13.5h10',
  table: 'M2.5 3.5h11v9h-11zM2.5 6.5h11M6.5 3.5v9',
  chart: 'M2.5 2.5v11h11M5 10l2.8-3.2l2 1.6L13 4.5',
  image: 'M2.5 3h11v10h-11zM2.5 11l3.4-3.6l3 3l1.8-1.7l2.8 2.7M10.2 6h.01',
  full: 'M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10',
  options:
    'M2 5h7M12 5h2M2 11h2M7 11h7M10.5 3.4a1.6 1.6 0 1 0 0 3.2a1.6 1.6 0 0 0 0-3.2zM5.5 9.4a1.6 1.6 0 1 0 0 3.2a1.6 1.6 0 0 0 0-3.2z',
  down: 'M4 6.2L8 10l4-3.8',
  next: 'M6.2 4L10 8l-3.8 4',
  previous: 'M9.8 4L6 8l3.8 4',
  arrow: 'M2.5 8h11M9.8 4.3L13.5 8l-3.7 3.7',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  check: 'M3 8.5l3.2 3.2L13 4.8',
  play: 'M5 3.2l7.5 4.8L5 12.8z',
  stop: 'M4 4h8v8H4z',
  reset: 'M3 8a5 5 0 1 0 1.6-3.7M3 2.5v2.6h2.6',
  past: 'M2.6 7.4a5.5 5.5 0 1 0 1.8-3.5M2.6 2v2.6h2.6M8 5v3.2l2.2 1.4',
  external: 'M6.5 3H3v10h10V9.5M9 3h4v4M13 3L7.5 8.5',
  code: 'M5.5 4.5L2 8l3.5 3.5M10.5 4.5L14 8l-3.5 3.5',
  flag: 'M4 14V2.5h8L10 5.5l2 3H4',
  warning: 'M8 2.2l6.2 11.3H1.8zM8 6.5v3.2M8 11.6v.2',
} as const

export type IconName = keyof typeof PATHS

/** A picture beside words or in a labelled button; never the only name of anything. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className={styles.icon} viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}
