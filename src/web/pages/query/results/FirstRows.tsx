import { counted } from '../../../format/counted.ts'
import { grouped } from '../../../format/figure.ts'
import { Icon } from '../../../ui/Icon.tsx'
import type { Job, FirstRows as Rows } from '../runs.ts'
import styles from './FirstRows.module.css'
import { isNumberType, shownText, typeWords } from './grid/cells.ts'

type Props = Rows & {
  /** State of the run that sent the rows. The run has no result. */
  state: Job['state']
}

/** The preview shows this many columns. The grid shows all of them once the result is ready. */
const MOST_COLUMNS = 100

/** A preview has no way to widen a cell, and long texts would delay it. */
const CELL_CHARACTERS = 300
const cut = (text: string): string =>
  text.length > CELL_CHARACTERS ? `${text.slice(0, CELL_CHARACTERS)}…` : text

/** Read-only preview of a query that is still running or ended without a result. */
export function FirstRows({ columns, rows, state }: Props) {
  const shown = columns.slice(0, MOST_COLUMNS)
  return (
    <section className={styles.pane} aria-label="First rows">
      <p className={styles.note} role="status" data-incomplete={isOver(state) || undefined}>
        {isOver(state) && <Icon name="warning" />}
        {noteOf(state, rows.length)}
        {columns.length > MOST_COLUMNS &&
          ` First ${MOST_COLUMNS} of ${grouped(String(columns.length))} columns.`}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be focusable (WCAG 2.1.1) */}
      <div className={styles.scroll} tabIndex={0}>
        <table className={styles.table} aria-label="First rows of the query">
          <thead>
            <tr>
              {shown.map(({ name, type }) => (
                <th key={name} scope="col" data-number={isNumberType(type) || undefined}>
                  <b>{name}</b>
                  <small>{typeWords(type)}</small>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows are only appended
              <tr key={at}>
                {shown.map(({ name, type, shownAs }, column) => {
                  const cell = row[column] ?? null
                  return (
                    <td
                      key={name}
                      data-number={isNumberType(type) || undefined}
                      data-mono={shownAs === 'hex' || undefined}
                      data-void={cell === null || cell === '' || undefined}
                    >
                      {cell === '' ? 'empty' : cut(shownText(cell, type, false))}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

const isOver = (state: Job['state']): boolean => state === 'failed' || state === 'cancelled'

function noteOf(state: Job['state'], count: number): string {
  const rows = counted(count, 'row')
  const why = state === 'failed' ? 'The query failed' : 'The query was canceled'
  return isOver(state)
    ? `Incomplete. ${why}, so these are only its first ${rows}.`
    : `First ${rows}, still running. Sort, filter and export when the query is done.`
}
