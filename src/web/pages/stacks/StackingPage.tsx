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
import { CycleClock } from './CycleClock.tsx'
import { loadStacks } from './loadStacks.server.ts'
import { loadTables } from './loadTables.server.ts'
import { MoreOfStacks } from './MoreOfStacks.tsx'
import { StacksFigures } from './StacksFigures.tsx'
import { stacking } from './stackingSpec.ts'

const TABLES = [
  'cycle-clock',
  'pool-members',
  'cycles',
  'signers',
  'who-signs',
  'signing',
  'bonds',
  'distributions',
  'signer-managers',
] as const

export const loader = ({ url, context }: LoaderFunctionArgs) =>
  loadStacks(stacking, url, context, () => loadTables(context, TABLES))

export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return asksAnew(currentUrl, nextUrl, needsFigures)
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) =>
  pageMeta({
    title: 'Stacks: stacking',
    path: '/stacks/stacking',
    description: loaderData?.description ?? '',
    publicUrl: loaderData?.publicUrl,
  })

/** Proof of transfer: the cycle, its signers and its bonds. */
export default function StackingPage() {
  const loaded = useLoaderData<typeof loader>()
  const [clock, members, ...rest] = loaded.tables
  return (
    <StacksFigures
      title="Stacking"
      loaded={loaded}
      lead={
        <>
          {clock && <CycleClock table={clock} />}
          <MoreOfStacks />
        </>
      }
    >
      {[...rest, ...(members ? [members] : [])].map(table => (
        <FactTable key={table.id} table={table} />
      ))}
    </StacksFigures>
  )
}

export const ErrorBoundary = PageError
