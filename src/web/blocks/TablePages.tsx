import { Link, useLocation } from 'react-router'
import { grouped } from '../format/figure.ts'
import card from './Card.module.css'
import styles from './Table.module.css'
import { ROWS_PER_PAGE, rowsOfPage, type TableView, tableKeys } from './tableView.ts'
import { addressWith } from './view.ts'

/** Most rows that one page of everything may hold: a browser draws them in the time of a blink. */
const ALL_AT_MOST = 1000

type Props = { id: string; title: string; count: number; page: TableView['page'] }

/** Below a table that does not fit at once: which rows are shown and the ways to the others. */
export function TablePages({ id, title, count, page }: Props) {
  const { search } = useLocation()
  const { from, to } = rowsOfPage(page, count)
  const { page: key } = tableKeys(id)
  const way = (words: string, value: string | undefined) => (
    <Link className={styles.way} to={addressWith(search, { [key]: value })} preventScrollReset replace>
      {words}
    </Link>
  )
  const at = from / ROWS_PER_PAGE + 1
  return (
    <nav className={card.foot} aria-label={`Rows of ${title}`} data-screen>
      <span>
        {grouped(String(from + 1))} to {grouped(String(to))} of {grouped(String(count))} rows
      </span>
      {page === 'all' ? (
        way('In pages', undefined)
      ) : (
        <>
          {from > 0 && way('Previous', String(at - 1))}
          {to < count && way('Next', String(at + 1))}
          {count <= ALL_AT_MOST && way('All', 'all')}
        </>
      )}
    </nav>
  )
}
