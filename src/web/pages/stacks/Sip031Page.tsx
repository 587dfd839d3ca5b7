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
import { Sip031Facts, Sip031Reports } from './Sip031Facts.tsx'
import { StacksFigures } from './StacksFigures.tsx'
import { sip031 } from './sip031Spec.ts'

const TABLES = [
  'sip-results',
  'sip-recount',
  'sip031-emission',
  'sip031-unlocks',
  'sip031-accounts',
  'sip031-outflows',
  'sip031-assets',
] as const

export const loader = ({ url, context }: LoaderFunctionArgs) =>
  loadStacks(sip031, url, context, () => loadTables(context, TABLES))

export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return asksAnew(currentUrl, nextUrl, needsFigures)
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) =>
  pageMeta({
    title: 'SIP-031: five years of growth emissions',
    path: '/stacks/sip-031',
    description: loaderData?.description ?? '',
    publicUrl: loaderData?.publicUrl,
  })

/** SIP-031: the vote, the emission, and the endowment's coins address by address. */
export default function Sip031Page() {
  const loaded = useLoaderData<typeof loader>()
  const [results, recount, emission, unlocks, accounts, outflows, assets] = loaded.tables
  return (
    <StacksFigures title="SIP-031" loaded={loaded} lead={<Sip031Facts />}>
      {accounts && <FactTable table={accounts} />}
      {outflows && <FactTable table={outflows} />}
      {assets && <FactTable table={assets} />}
      {emission && <FactTable table={emission} />}
      {unlocks && <FactTable table={unlocks} />}
      {results && <FactTable table={results} />}
      {recount && <FactTable table={recount} />}
      <Sip031Reports />
    </StacksFigures>
  )
}

export const ErrorBoundary = PageError
