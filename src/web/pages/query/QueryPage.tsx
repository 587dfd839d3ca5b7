import { lazy } from 'react'
import {
  type LoaderFunctionArgs,
  type MetaArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
} from 'react-router'
import { siteContext } from '#http/context.ts'
import { Later } from '../../blocks/Later.tsx'
import { PageError } from '../../shell/PageError.tsx'
import { loadTables } from '../loadTables.server.ts'
import { pageMeta } from '../pageMeta.ts'

const QUESTION =
  'Query every chain, market and protocol table with SQL. Keep, share and re-run what you find.'
const SECTION = 'query-tool'

/** Its script comes with the first step of a reader. */
const QueryTool = lazy(async () => ({ default: (await import('./QueryTool.tsx')).QueryTool }))

export async function loader({ context }: LoaderFunctionArgs) {
  const tables = await loadTables(context)
  return {
    tables: tables.map(({ table, about }) => ({ table, about })),
    publicUrl: context.get(siteContext).publicUrl,
  }
}

/** What stands in the address of this page is for its script. */
export const shouldRevalidate = ({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean =>
  currentUrl.pathname !== nextUrl.pathname

export const meta = ({ loaderData }: MetaArgs<typeof loader>) =>
  pageMeta({ title: 'Run Queries', description: QUESTION, path: '/Query', publicUrl: loaderData?.publicUrl })

/** Where readers write SQL. */
export default function QueryPage() {
  const { tables } = useLoaderData<typeof loader>()
  return (
    <Later section={SECTION}>
      <section id={SECTION} aria-label="Query tool">
        <QueryTool tables={tables} question={QUESTION} />
      </section>
    </Later>
  )
}

export const ErrorBoundary = PageError
