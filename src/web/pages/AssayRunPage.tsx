import { data, Link, type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router'
import { apiContext, sqlRunContext } from '#http/context.ts'
import type { Api, ApplicationTable } from '#http/contract.ts'
import { isLocalPath } from '#kernel/localPath.ts'
import { readParameters, readRef, writeRef } from '../assay/address.ts'
import { ResultTable } from '../assay/ResultTable.tsx'
import { RUN_PATH, TOKEN } from '../assay/runAddress.ts'
import { PageError } from '../shell/PageError.tsx'
import { ButtonLink } from '../ui/Button.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'
import styles from './AssayRunPage.module.css'
import { answering } from './answering.server.ts'
import { runSql, type SqlOutcome } from './runSql.server.ts'

/**
 * Runs the SQL of an assay view for readers without a script: the form of the sheet leads here. `table` names a table of ours
 * (`stacks/clarity-words`, `alex/trades`, `treasuries/strategy/events`) whose statement is run in the place of `sql`. A
 * request that may not run SQL (`http/sqlPermit.ts`) gets the statement and a link that runs it.
 */
export async function loader({ url, context }: LoaderFunctionArgs) {
  const query = url.searchParams
  const api = context.get(apiContext)
  const table = await tableAsked(api, query)
  const sql = table?.sql ?? query.get('sql') ?? ''
  const { isAllowed, token } = context.get(sqlRunContext)
  const asked = query.get('page') ?? ''
  const page = isLocalPath(asked) && /^[\w\-/.]*$/.test(asked) ? asked : '/bitcoin'
  const outcome: Outcome = isAllowed
    ? await runSql(api, { sql, parameters: readParameters(query) })
    : { state: 'waiting', href: hrefWith(query, token) }
  return data(
    {
      sql,
      outcome,
      title: table?.title ?? null,
      back: table ? `${page}#${table.id}` : `${page}?${sheetOf(query)}`,
    },
    { status: STATUS[outcome.state], headers: { 'cache-control': 'private, no-store' } },
  )
}

type Outcome = SqlOutcome | { state: 'waiting'; href: string }

const STATUS: Readonly<Record<Outcome['state'], number>> = { done: 200, failed: 400, waiting: 403 }

/** The same request with a token of its caller. */
function hrefWith(query: URLSearchParams, token: string): string {
  const again = new URLSearchParams(query)
  again.set(TOKEN, token)
  return `${RUN_PATH}?${again}`
}

/** What opens the sheet again as it was. */
function sheetOf(query: URLSearchParams): URLSearchParams {
  const ref = readRef(query.get('assay'))
  const sheet = new URLSearchParams([...query].filter(([key]) => key === 'sql' || key.startsWith('p.')))
  if (ref) sheet.set('assay', writeRef(ref))
  return sheet
}

/** The table that the address names; undefined where it names none. Throws the 404 of a name that is none. */
async function tableAsked(
  { stacks, applications, treasuries, indices, opportunities, signals, developers }: Api,
  query: URLSearchParams,
): Promise<ApplicationTable | undefined> {
  const name = query.get('table')
  if (name === null) return undefined
  const [of = '', id = '', part] = name.split('/')
  return answering('This table', () => {
    switch (of) {
      case 'stacks':
        return stacks.table(id)
      case 'developers':
        return developers.table(id)
      case 'opportunities':
        return opportunities.table(id)
      case 'treasuries':
        return part === undefined ? treasuries.table(id) : treasuries.tableOf(id, part)
      case 'indices':
        return part === undefined ? indices.table(id) : indices.tableOf(id, part)
      case 'signals':
        return signals.table(id)
      default:
        return applications.table(of, id)
    }
  })
}

export const headers = () => ({ 'cache-control': 'private, no-store' })

export const meta = ({ loaderData }: MetaArgs<typeof loader>) => [
  { title: `${headingOf(loaderData?.title ?? null)} · Assay` },
  { name: 'robots', content: 'noindex, nofollow' },
]

const headingOf = (title: string | null): string =>
  title === null ? 'Rows of your SQL' : `SQL of “${title}”`

export default function AssayRunPage() {
  const { sql, outcome, title, back } = useLoaderData<typeof loader>()
  return (
    <div className={styles.page}>
      <PageTitle>{headingOf(title)}</PageTitle>
      <pre className={styles.sql}>{sql}</pre>
      {outcome.state === 'done' ? (
        <ResultTable answer={outcome.answer} />
      ) : outcome.state === 'waiting' ? (
        <>
          <p>This query comes from a link outside this page. Read it before you run it.</p>
          <p>
            <ButtonLink to={outcome.href} look="primary">
              Run query
            </ButtonLink>
          </p>
        </>
      ) : (
        <p className={styles.error} role="alert">
          {outcome.place}
          {outcome.detail} {outcome.hint}
          {outcome.code !== '' && (
            <>
              {' '}
              <Link className={styles.back} to={`/errors/${outcome.code}`}>
                {outcome.code}
              </Link>
            </>
          )}
        </p>
      )}
      <p>
        <Link className={styles.back} to={back}>
          {title !== null
            ? 'Back to the table'
            : back.startsWith('/Query?')
              ? 'Back to the editor with this SQL'
              : 'Back to the assay view with this SQL'}
        </Link>
      </p>
    </div>
  )
}

export const ErrorBoundary = PageError
