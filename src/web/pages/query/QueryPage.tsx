import sheet from 'virtual:sheet/query'
import { lazy } from 'react'
import {
  data,
  type HeadersArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
} from 'react-router'
import { siteContext } from '#http/context.ts'
import { Later } from '../../blocks/Later.tsx'
import type { SignUpHandle } from '../../people/bar/PersonActions.tsx'
import { PageError } from '../../shell/PageError.tsx'
import { loadTables } from '../loadTables.server.ts'
import { pageMeta } from '../pageMeta.ts'
import { earlyTabsScript } from './earlyTabs.ts'
import { loadDrawn } from './loadDrawn.server.ts'

const QUESTION =
  'Query every chain, market and protocol table with SQL. Keep, share and re-run what you find.'
const SECTION = 'query-tool'

/** Its script comes with the first step of a reader. */
const QueryTool = lazy(async () => ({ default: (await import('./QueryTool.tsx')).QueryTool }))

export async function loader({ url, context }: LoaderFunctionArgs) {
  const [tables, { isShared, ...drawn }] = await Promise.all([
    loadTables(context),
    loadDrawn(url.searchParams, context),
  ])
  return data(
    {
      tables: tables.map(({ table, about }) => ({ name: table, about })),
      drawn,
      publicUrl: context.get(siteContext).publicUrl,
    },
    // Its owner may change or withdraw what is shared.
    isShared ? { headers: { 'cache-control': 'private, no-store' } } : {},
  )
}

/** Signing up leads back to the query. */
export const handle: SignUpHandle = { signsUpHere: true }

export const headers = ({ loaderHeaders }: HeadersArgs) => loaderHeaders

export const links = () => [{ rel: 'stylesheet', href: sheet }]

/** What stands in the address of this page is for its script. */
export const shouldRevalidate = ({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean =>
  currentUrl.pathname !== nextUrl.pathname

export const meta = ({ loaderData }: MetaArgs<typeof loader>) =>
  pageMeta({
    title: loaderData?.drawn.opened ? `${loaderData.drawn.opened.name} · Run Queries` : 'Run Queries',
    description: QUESTION,
    path: '/Query',
    publicUrl: loaderData?.publicUrl,
  })

/** Where readers write SQL. */
export default function QueryPage() {
  const { tables, drawn } = useLoaderData<typeof loader>()
  return (
    <Later section={SECTION}>
      <section id={SECTION} aria-label="Query tool">
        <QueryTool tables={tables} drawn={drawn} question={QUESTION} />
        <script
          // Has run long before scripts take the page over.
          suppressHydrationWarning
          // biome-ignore lint/security/noDangerouslySetInnerHtml: our own constant, which shows stored tabs at the first paint
          dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? earlyTabsScript : '' }}
        />
      </section>
    </Later>
  )
}

export const ErrorBoundary = PageError
