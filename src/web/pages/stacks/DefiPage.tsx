import {
  type LoaderFunctionArgs,
  type MetaArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
} from 'react-router'
import { siteContext } from '#http/context.ts'
import { asksAnew } from '../../assay/address.ts'
import { needsFigures } from '../../blocks/view.ts'
import { PageError } from '../../shell/PageError.tsx'
import { FactTable } from '../apps/FactTable.tsx'
import { pageMeta } from '../pageMeta.ts'
import { defiOf } from './defiSpec.ts'
import { loadStacks } from './loadStacks.server.ts'
import { loadTables } from './loadTables.server.ts'
import { StacksFigures } from './StacksFigures.tsx'

const TABLES = ['defi-pools', 'token-prices'] as const

export const loader = ({ url, context }: LoaderFunctionArgs) =>
  loadStacks(defiOf(context.get(siteContext).applications), url, context, () => loadTables(context, TABLES))

export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return asksAnew(currentUrl, nextUrl, needsFigures)
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) =>
  pageMeta({
    title: 'DeFi on Stacks',
    path: '/stacks/defi',
    description: loaderData?.description ?? '',
    publicUrl: loaderData?.publicUrl,
  })

/** Applications on Stacks together: what lies in them, who uses them, and what moves between them. */
export default function DefiPage() {
  const loaded = useLoaderData<typeof loader>()
  return (
    <StacksFigures title="DeFi" loaded={loaded}>
      {loaded.tables.map(table => (
        <FactTable key={table.id} table={table} />
      ))}
    </StacksFigures>
  )
}

export const ErrorBoundary = PageError
