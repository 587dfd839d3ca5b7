import { Link, useLocation } from 'react-router'
import styles from './RetryLink.module.css'

/** Asks for the same address anew, from the server. */
export function RetryLink() {
  const { pathname, search } = useLocation()
  return (
    <Link className={styles.retry} to={pathname + search} reloadDocument>
      Try again
    </Link>
  )
}
