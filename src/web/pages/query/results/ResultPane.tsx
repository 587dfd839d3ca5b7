import {
  type KeyboardEvent,
  lazy,
  useCallback,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { QueryResult } from '#http/contract.ts'
import { PartBoundary } from '../PartBoundary.tsx'
import { CopyLink } from './CopyLink.tsx'
import type { ChartSettings } from './chart/chartSettings.ts'
import { ExportMenu } from './exports/ExportMenu.tsx'
import { GridView } from './GridView.tsx'
import styles from './ResultPane.module.css'
import type { Headers, RowView } from './rowSource.ts'

const ChartPanel = lazy(async () => ({ default: (await import('./chart/ChartPanel.tsx')).ChartPanel }))

export type { ChartSettings } from './chart/chartSettings.ts'

type Props = {
  result: QueryResult
  /** Name of its tab. */
  name: string
  /** Headers of a request that say who asks. */
  headers: Headers
  /** Whether the reader may export more than CSV and JSON lines of 10,000 rows. */
  mayExport: boolean
  /** Chart of the query: it is shown first. Undefined: the default chart of the result. */
  chart: ChartSettings | undefined
  onChartChange: (settings: ChartSettings) => void
  onRunAgain: () => void
}

const TABS = [
  { key: 'rows', label: 'Rows' },
  { key: 'chart', label: 'Chart' },
] as const
type Tab = (typeof TABS)[number]['key']

/** A result as a grid that scrolls, sorts, filters, copies and exports, and as a chart. */
export function ResultPane({
  result,
  name,
  headers: latest,
  mayExport,
  chart,
  onChartChange,
  onRunAgain,
}: Props) {
  const id = useId()
  // Another function of the same person must not load the rows again.
  const proof = useRef(latest)
  useLayoutEffect(() => {
    proof.current = latest
  }, [latest])
  const headers = useCallback<Headers>(() => proof.current(), [])
  const [tab, setTab] = useState<Tab>(chart === undefined ? 'rows' : 'chart')
  const [hasChart, setHasChart] = useState(tab === 'chart')
  const [view, setView] = useState<RowView & { hash: string }>({ hash: result.hash, filters: [] })
  // Order and filters name columns by position: those of another result mean nothing here.
  const own = useMemo<RowView>(
    () => (view.hash === result.hash ? view : { filters: [] }),
    [view, result.hash],
  )
  const handleView = useCallback((next: RowView) => setView({ ...next, hash: result.hash }), [result.hash])
  const [matching, setMatching] = useState({ hash: result.hash, rows: result.rowCount })
  const handleCount = useCallback((rows: number) => setMatching({ hash: result.hash, rows }), [result.hash])
  const show = (next: Tab) => {
    setTab(next)
    if (next === 'chart') setHasChart(true)
  }
  const handleKey = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    event.preventDefault()
    const next = tab === 'rows' ? 'chart' : 'rows'
    show(next)
    document.getElementById(`${id}-tab-${next}`)?.focus()
  }
  return (
    <section className={styles.pane} aria-label="Result">
      <div className={styles.head}>
        <div role="tablist" aria-label="Result views" className={styles.tabs}>
          {TABS.map(({ key, label }) => (
            <button
              key={key}
              id={`${id}-tab-${key}`}
              type="button"
              role="tab"
              aria-selected={tab === key}
              aria-controls={`${id}-${key}`}
              tabIndex={tab === key ? 0 : -1}
              onClick={() => show(key)}
              onKeyDown={handleKey}
            >
              {label}
            </button>
          ))}
        </div>
        <div className={styles.tools}>
          <CopyLink key={result.hash} result={result} name={name} headers={headers} />
          <ExportMenu
            key={`export ${result.hash}`}
            result={result}
            headers={headers}
            view={own}
            rowCount={matching.hash === result.hash ? matching.rows : result.rowCount}
            mayExport={mayExport}
          />
        </div>
      </div>
      <div id={`${id}-rows`} role="tabpanel" aria-labelledby={`${id}-tab-rows`} hidden={tab !== 'rows'}>
        <GridView
          key={result.hash}
          result={result}
          headers={headers}
          view={own}
          onView={handleView}
          onCount={handleCount}
          onRunAgain={onRunAgain}
        />
      </div>
      <div id={`${id}-chart`} role="tabpanel" aria-labelledby={`${id}-tab-chart`} hidden={tab !== 'chart'}>
        {hasChart && (
          <PartBoundary part="the chart" fallback={<p className={styles.empty}>Loading…</p>}>
            <ChartPanel
              result={result}
              headers={headers}
              view={own}
              settings={chart}
              onSettings={onChartChange}
            />
          </PartBoundary>
        )}
      </div>
    </section>
  )
}
