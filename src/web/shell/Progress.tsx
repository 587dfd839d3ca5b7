import { useLocation, useNavigation } from 'react-router'
import { Spinner } from '../ui/Spinner.tsx'
import styles from './Progress.module.css'

/** That something is on its way: a thin line for new figures, the spinner for a page that keeps one waiting. */
export function Progress() {
  const { state, location } = useNavigation()
  const { pathname } = useLocation()
  if (state === 'idle') return null
  return (
    <>
      <div className={styles.line} />
      {location.pathname !== pathname && (
        <div className={styles.later}>
          <Spinner />
        </div>
      )}
    </>
  )
}
