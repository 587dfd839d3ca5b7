import { lazy, Suspense, useRef, useSyncExternalStore } from 'react'
import type { SqlAnswer } from '#http/contract.ts'
import { grouped } from '../format/figure.ts'
import { ScrollRegion } from '../ui/ScrollRegion.tsx'
import { ResultHead, ResultRow } from './ResultRow.tsx'
import styles from './ResultTable.module.css'

const LongResult = lazy(async () => ({ default: (await import('./LongResult.tsx')).LongResult }))

/** Rows that a browser draws at once without being felt; of more than these only the ones in sight are drawn. */
const PLAIN = 200

type Props = { answer: SqlAnswer }

/** All rows of an answer; a server draws the first of a long one, which is all that is read without a script. */
export function ResultTable({ answer }: Props) {
  const scroller = useRef<HTMLElement>(null)
  const isInBrowser = useSyncExternalStore(
    () => () => undefined,
    () => true,
    () => false,
  )
  const first = <FirstRows answer={answer} />
  return (
    <ScrollRegion ref={scroller} label="Rows" className={styles.scroll}>
      {isInBrowser && answer.rows.length > PLAIN ? (
        <Suspense fallback={first}>
          <LongResult answer={answer} scroller={scroller} />
        </Suspense>
      ) : (
        first
      )}
    </ScrollRegion>
  )
}

function FirstRows({ answer }: Props) {
  const { rows, columns } = answer
  return (
    <>
      <table className={styles.table}>
        <ResultHead columns={columns} />
        <tbody>
          {rows.slice(0, PLAIN).map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a query have no identity beyond their place
            <ResultRow key={index} row={row} columns={columns} />
          ))}
        </tbody>
      </table>
      {rows.length > PLAIN && (
        <p className={styles.more}>
          The first {PLAIN} of {grouped(String(rows.length))} rows; all are in the CSV.
        </p>
      )}
    </>
  )
}
