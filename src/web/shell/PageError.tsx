import { isRouteErrorResponse, Link, useRouteError } from 'react-router'
import { isFailure } from '../pages/failure.ts'
import { ButtonLink } from '../ui/Button.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'
import styles from './PageError.module.css'
import { SearchBox } from './SearchBox.tsx'

/** What a page shows in its place when it cannot be drawn: what happened, and what to do. Never a stack. */
export function PageError() {
  const error = useRouteError()
  const failure = isRouteErrorResponse(error) && isFailure(error.data) ? error.data : undefined
  const status = isRouteErrorResponse(error) ? error.status : 500
  return (
    <div className={styles.page}>
      <title>{`${failure?.title ?? 'This page could not be drawn'} · Assay`}</title>
      <meta name="robots" content="noindex" />
      <p className={styles.status}>{status}</p>
      <PageTitle>{failure?.title ?? 'This page could not be drawn'}</PageTitle>
      <p className={styles.detail}>
        {failure?.detail ?? 'Something on our side failed while the page was made. It is safe to try again.'}
      </p>
      {failure?.hint && <p className={styles.detail}>{failure.hint}</p>}
      {failure?.code && (
        <p className={styles.detail}>
          <Link className={styles.more} to={`/errors/${failure.code}`}>
            What this means, and what to do
          </Link>
        </p>
      )}
      {status === 404 && <SearchBox isOnPage />}
      {failure && failure.nearest.length > 0 && (
        <nav aria-label="Nearest pages">
          <p className={styles.detail}>Did you mean</p>
          <ul className={styles.nearest}>
            {failure.nearest.map(page => (
              <li key={page.path}>
                <Link to={page.path}>
                  <span>{page.label}</span> <code>{page.path}</code>
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <p className={styles.ways}>
        <ButtonLink to="/" look="primary">
          Compare the layers
        </ButtonLink>
        {status !== 404 && <ButtonLink to="/search">Search</ButtonLink>}
      </p>
    </div>
  )
}
