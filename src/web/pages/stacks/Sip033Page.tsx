import {
  type LoaderFunctionArgs,
  type MetaArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
} from 'react-router'
import { asksAnew } from '../../assay/address.ts'
import { needsFigures } from '../../blocks/view.ts'
import { PageError } from '../../shell/PageError.tsx'
import { FactTable } from '../apps/FactTable.tsx'
import { pageMeta } from '../pageMeta.ts'
import { loadStacks } from './loadStacks.server.ts'
import { loadTables } from './loadTables.server.ts'
import { Sip033Facts } from './Sip033Facts.tsx'
import { StacksFigures } from './StacksFigures.tsx'
import { sip033 } from './sip033Spec.ts'

const TABLES = ['clarity-words', 'clarity-first', 'clarity-costs', 'tenure-extends', 'sip-results'] as const

export const loader = ({ url, context }: LoaderFunctionArgs) =>
  loadStacks(sip033, url, context, () => loadTables(context, TABLES))

export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return asksAnew(currentUrl, nextUrl, needsFigures)
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) =>
  pageMeta({
    title: 'SIP-033: Clarity 4',
    path: '/stacks/sip-033',
    description: loaderData?.description ?? sip033.question,
    publicUrl: loaderData?.publicUrl,
  })

/** SIP-033 with its rider SIP-034: what Clarity 4 brings, and whether it is used. */
export default function Sip033Page() {
  const loaded = useLoaderData<typeof loader>()
  return (
    <StacksFigures title="SIP-033" loaded={loaded} charts={sip033.charts} lead={<Sip033Facts />}>
      {loaded.tables.map(table => (
        <FactTable key={table.id} table={table} />
      ))}
    </StacksFigures>
  )
}

export const ErrorBoundary = PageError
