import { data, Link, type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { apiContext } from '#http/context.ts'
import { readParameters, readRef, writeRef } from '../assay/address.ts'
import { valuesFor } from '../assay/placeholders.ts'
import { ResultTable } from '../assay/ResultTable.tsx'
import { PageError } from '../shell/PageError.tsx'
import styles from './AssayRunPage.module.css'
import { runSql } from './runSql.server.ts'

/** Runs the SQL of an assay view for readers without a script: the form of the sheet leads here. */
export async function loader({ url, context }: LoaderFunctionArgs) {
  const query = url.searchParams
  const ref = readRef(query.get('assay'))
  const sql = query.get('sql') ?? ''
  const asked = query.get('page') ?? ''
  const page = /^\/(?!\/)[\w\-/.]*$/.test(asked) ? asked : '/bitcoin'
  const outcome = await runSql(context.get(apiContext), {
    sql,
    parameters: valuesFor(sql, readParameters(query)),
  })
  const back = new URLSearchParams([...query].filter(([key]) => key === 'sql' || key.startsWith('p.')))
  if (ref) back.set('assay', writeRef(ref))
  return data(
    { sql, outcome, back: `${page}?${back}` },
    { status: outcome.state === 'done' ? 200 : 400, headers: { 'cache-control': 'private, no-store' } },
  )
}

export const headers = () => ({ 'cache-control': 'private, no-store' })

export const meta = () => [
  { title: 'Rows of your SQL · Assay' },
  { name: 'robots', content: 'noindex, nofollow' },
]

export default function AssayRunPage() {
  const { sql, outcome, back } = useLoaderData<typeof loader>()
  return (
    <div className={styles.page}>
      <h1 className={styles.title}>Rows of your SQL</h1>
      <pre className={styles.sql}>{sql}</pre>
      {outcome.state === 'done' ? (
        <ResultTable answer={outcome.answer} />
      ) : (
        <p className={styles.error} role="alert">
          {outcome.place}
          {outcome.detail} {outcome.hint}
        </p>
      )}
      <p>
        <Link className={styles.back} to={back}>
          Back to the assay view with this SQL
        </Link>
      </p>
    </div>
  )
}

export const ErrorBoundary = PageError
