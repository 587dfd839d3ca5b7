import {
  type ActionFunctionArgs,
  data,
  Link,
  type LoaderFunctionArgs,
  redirect,
  useActionData,
  useLoaderData,
} from 'react-router'
import { apiContext } from '#http/context.ts'
import { readParameters, readRef, writeRef } from '../assay/address.ts'
import { ResultTable } from '../assay/ResultTable.tsx'
import { PageError } from '../shell/PageError.tsx'
import styles from './AssayRunPage.module.css'
import { runSql } from './runSql.server.ts'

/** Runs the SQL of an assay view for readers without a script: the form of the sheet posts here. */
export async function action({ request, context }: ActionFunctionArgs) {
  const form = await request.formData()
  const query = new URLSearchParams(
    [...form].flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
  )
  const ref = readRef(query.get('assay'))
  const sql = query.get('sql') ?? ''
  const page = /^\/(?!\/)[\w\-/.]*$/.test(query.get('page') ?? '')
    ? (query.get('page') ?? '/bitcoin')
    : '/bitcoin'
  const parameters = readParameters(query)
  const outcome = await runSql(context.get(apiContext), { sql, parameters })
  const back = new URLSearchParams({
    ...(ref && { assay: writeRef(ref) }),
    sql,
    ...Object.fromEntries([...query].filter(([key]) => key.startsWith('p.'))),
  })
  return data({ sql, outcome, back: `${page}?${back}` }, { status: outcome.state === 'done' ? 200 : 400 })
}

/** The page exists by its form only. */
export const loader = ({ request }: LoaderFunctionArgs) => {
  if (request.method === 'GET') throw redirect('/bitcoin')
  return null
}

export function meta() {
  return [{ title: 'Rows of your SQL · Assay' }, { name: 'robots', content: 'noindex' }]
}

export default function AssayRunPage() {
  useLoaderData<typeof loader>()
  const ran = useActionData<typeof action>()
  if (!ran) return null
  return (
    <div className={styles.page}>
      <h1 className={styles.title}>Rows of your SQL</h1>
      <pre className={styles.sql}>{ran.sql}</pre>
      {ran.outcome.state === 'done' ? (
        <ResultTable answer={ran.outcome.answer} />
      ) : (
        <p className={styles.error} role="alert">
          {ran.outcome.place}
          {ran.outcome.detail} {ran.outcome.hint}
        </p>
      )}
      <p>
        <Link className={styles.back} to={ran.back}>
          Back to the assay view with this SQL
        </Link>
      </p>
    </div>
  )
}

export const ErrorBoundary = PageError
