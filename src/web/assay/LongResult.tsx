import { type RefObject, useCallback, useMemo, useSyncExternalStore } from 'react'
import type { SqlAnswer } from '#http/contract.ts'
import { cellText, ResultHead, ResultRow, WIDEST } from './ResultRow.tsx'
import styles from './ResultTable.module.css'

/** Height of a row, px, as the style sheet gives it. */
const ROW = 30
/** Rows drawn beyond either edge, so that a fast wheel does not outrun them. */
const STEP = 16

type Props = { answer: SqlAnswer; scroller: RefObject<HTMLElement | null> }

/** A table of any length, of which only the rows in sight are drawn; its columns are as wide as their longest cell asks. */
export function LongResult({ answer: { rows, columns }, scroller }: Props) {
  const widths = useMemo(() => widthsOf(rows, columns), [rows, columns])
  const { from, to } = useRowsInSight(scroller, rows.length)
  return (
    <table className={styles.table} data-long aria-rowcount={rows.length + 1}>
      <colgroup>
        {columns.map(({ name }, at) => (
          <col key={name} style={{ inlineSize: `calc(${widths[at]}ch + 2 * var(--s4))` }} />
        ))}
      </colgroup>
      <ResultHead columns={columns} />
      <tbody>
        <Gap height={from * ROW} />
        {rows.slice(from, to).map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows of a query have no identity beyond their place
          <ResultRow key={from + at} row={row} columns={columns} place={from + at + 2} />
        ))}
        <Gap height={(rows.length - to) * ROW} />
      </tbody>
    </table>
  )
}

/** Places of the first row to draw and behind the last one; they move by steps, so that most frames of a scroll draw nothing anew. */
function useRowsInSight(
  scroller: RefObject<HTMLElement | null>,
  count: number,
): { from: number; to: number } {
  const subscribe = useCallback(
    (tell: () => void) => {
      const region = scroller.current
      const sized = new ResizeObserver(tell)
      if (region !== null) sized.observe(region)
      region?.addEventListener('scroll', tell, { passive: true })
      return () => {
        sized.disconnect()
        region?.removeEventListener('scroll', tell)
      }
    },
    [scroller],
  )
  const step = useSyncExternalStore(subscribe, () =>
    Math.floor((scroller.current?.scrollTop ?? 0) / (ROW * STEP)),
  )
  const inSight = useSyncExternalStore(subscribe, () =>
    Math.ceil((scroller.current?.clientHeight ?? 0) / ROW),
  )
  return {
    from: Math.max(0, (step - 1) * STEP),
    to: Math.min(count, (step + 2) * STEP + inSight),
  }
}

function Gap({ height }: { height: number }) {
  return height > 0 ? <tr style={{ blockSize: height }} /> : null
}

/** Letters of the longest cell of each column. */
function widthsOf(rows: SqlAnswer['rows'], columns: SqlAnswer['columns']): number[] {
  return columns.map(({ name, type }, at) => {
    // The head is of a wider type.
    let most = Math.ceil(name.length * 1.15)
    for (const row of rows) {
      if (most >= WIDEST) return WIDEST
      const length = cellText(row[at] ?? null, type).length
      if (length > most) most = length
    }
    return most
  })
}
