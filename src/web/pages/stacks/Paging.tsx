import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { addressWith } from '../../blocks/view.ts'
import styles from '../bitcoin/TxsTable.module.css'

type Props = {
  next: string | null
  isLater: boolean
  param: 'before' | 'after' | 'earlier'
  words: { first: string; next: string }
}

/** What stands below a list: ways to its next part and back to its first; nothing where it is whole. */
export const pagingFoot = (props: Props): ReactNode =>
  props.next === null && !props.isLater ? null : <Paging {...props} />

/** The same below blocks, of which the newest come first. */
export const olderBlocks = (older: string | null, isLater: boolean): ReactNode =>
  pagingFoot({
    next: older,
    isLater,
    param: 'before',
    words: { first: 'Newest blocks', next: 'Older blocks' },
  })

function Paging({ next, isLater, param, words }: Props) {
  const { search } = useLocation()
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
