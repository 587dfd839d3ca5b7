import { isRouteErrorResponse, useRouteError } from 'react-router'
import { RetryLink } from '../ui/RetryLink.tsx'
import styles from './FatalError.module.css'

export function FatalError() {
  const error = useRouteError()
  const isMissing = isRouteErrorResponse(error) && error.status === 404
  return (
    <main className={styles.page}>
      <h1>{isMissing ? 'There is no such page' : 'This page could not be drawn'}</h1>
      <p>
        {isMissing
          ? 'The address leads nowhere.'
          : 'The server failed while drawing it. The figures themselves are safe.'}
      </p>
      <p>
        <a href="/">Compare the layers</a> · <RetryLink />
      </p>
    </main>
  )
}
