import { isRouteErrorResponse, useRouteError } from 'react-router'
import { PageTitle } from '../ui/PageTitle.tsx'
import { RetryLink } from '../ui/RetryLink.tsx'
import styles from './FatalError.module.css'

export function FatalError() {
  const error = useRouteError()
  const isMissing = isRouteErrorResponse(error) && error.status === 404
  return (
    <main className={styles.page}>
      <PageTitle>{isMissing ? 'Page not found' : 'This page could not be drawn'}</PageTitle>
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
