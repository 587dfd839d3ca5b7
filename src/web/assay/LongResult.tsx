import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useMemo } from 'react'
import type { SqlAnswer } from '#http/contract.ts'
import { cellText, ResultHead, ResultRow } from './ResultRow.tsx'
import styles from './ResultTable.module.css'

/** Height of a row, px, as the style sheet gives it. */
const ROW = 30
/** Rows drawn beyond either edge, so that a fast wheel does not outrun them. */
const BEYOND = 12
const WIDEST = 44

type Props = { answer: SqlAnswer; scroller: RefObject<HTMLElement | null> }

/** A table of any length, of which only the rows in sight are drawn; its columns are as wide as their longest cell asks. */
export function LongResult({ answer: { rows, columns }, scroller }: Props) {
  const widths = useMemo(() => widthsOf(rows, columns), [rows, columns])
  const window = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: BEYOND,
  })
  const drawn = window.getVirtualItems()
  const above = drawn[0]?.start ?? 0
  const below = window.getTotalSize() - (drawn.at(-1)?.end ?? 0)
  return (
    <table className={styles.table} data-long aria-rowcount={rows.length + 1}>
      <colgroup>
        {columns.map(({ name }, at) => (
          <col key={name} style={{ inlineSize: `calc(${widths[at]}ch + 2 * var(--s4))` }} />
        ))}
      </colgroup>
      <ResultHead columns={columns} />
      <tbody>
        <Gap height={above} />
        {drawn.map(({ index }) => (
          <ResultRow key={index} row={rows[index] ?? []} columns={columns} place={index + 2} />
        ))}
        <Gap height={below} />
      </tbody>
    </table>
  )
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
