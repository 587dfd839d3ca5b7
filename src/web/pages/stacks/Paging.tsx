import { Link, useLocation } from 'react-router'
import { addressWith } from '../../blocks/view.ts'
import styles from '../bitcoin/TxsTable.module.css'

type Props = {
  next: string | null
  isLater: boolean
  param: 'before' | 'after'
  words: { first: string; next: string }
}

/** Ways to the next part of a list and back to its first. */
export function Paging({ next, isLater, param, words }: Props) {
  const { search } = useLocation()
  if (next === null && !isLater) return null
  return (
    <>
      {isLater && (
        <Link className={styles.more} to={addressWith(search, { [param]: undefined })}>
          {words.first}
        </Link>
      )}
      {next !== null && (
        <Link className={styles.more} to={addressWith(search, { [param]: next })}>
          {words.next}
        </Link>
      )}
    </>
  )
}
