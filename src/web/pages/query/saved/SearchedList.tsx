import type { ReactNode } from 'react'
import rail from '../DataRail.module.css'
import styles from './Saved.module.css'
import type { SearchedPages } from './useSearchedPages.ts'

type Props = {
  pages: SearchedPages<unknown>
  /** Label of the search field. */
  label: string
  /** Label of the button that reads the next page. */
  more: string
  /** Text for a list without items. */
  empty: string
  children: ReactNode
}

/** A list with a search field above it and a button to load more below it. */
export function SearchedList({ pages, label, more, empty, children }: Props) {
  const { text, onText, items = [], isWhole, failure, onMore } = pages
  return (
    <>
      <input
        type="search"
        className={styles.find}
        value={text}
        placeholder={label}
        aria-label={label}
        onChange={event => onText(event.target.value)}
      />
      {failure !== undefined && (
        <p className={rail.count} role="alert">
          {failure}
        </p>
      )}
      {failure === undefined && items.length === 0 && <p className={rail.count}>{empty}</p>}
      {children}
      {!isWhole && items.length > 0 && (
        <button type="button" className={styles.more} onClick={onMore}>
          {more}
        </button>
      )}
    </>
  )
}
