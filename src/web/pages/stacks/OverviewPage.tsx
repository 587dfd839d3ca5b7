import {
  type LoaderFunctionArgs,
  type MetaArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
} from 'react-router'
import { apiContext } from '#http/context.ts'
import { asksAnew } from '../../assay/address.ts'
import { needsFigures } from '../../blocks/view.ts'
import { PageError } from '../../shell/PageError.tsx'
import { DataPages } from '../across/DataPages.tsx'
import { FactTable } from '../apps/FactTable.tsx'
import { pageMeta } from '../pageMeta.ts'
import { BlocksTable } from './BlocksTable.tsx'
import { CycleClock } from './CycleClock.tsx'
import { beforeIn, loadStacks } from './loadStacks.server.ts'
import { loadTables } from './loadTables.server.ts'
import { MoreOfStacks } from './MoreOfStacks.tsx'
import { StacksFigures } from './StacksFigures.tsx'
import { overview } from './specs.ts'
import { Upgrades } from './Upgrades.tsx'

const BLOCKS = 20
const TABLES = ['cycle-clock', 'signers', 'bonds'] as const

export const loader = ({ url, context }: LoaderFunctionArgs) => {
  const before = beforeIn(url)
  return loadStacks(overview, url, context, async () => {
    const [page, { tables }] = await Promise.all([
      context.get(apiContext).stacks.blocks({ limit: BLOCKS, ...before }),
      loadTables(context, TABLES),
    ])
    return { blocks: page.items, older: page.next, isLater: before.before !== undefined, tables }
  })
}

export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return asksAnew(currentUrl, nextUrl, needsFigures)
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) =>
  pageMeta({
    title: 'Stacks',
    path: '/stacks',
    description: loaderData?.description ?? '',
    publicUrl: loaderData?.publicUrl,
  })

/** Stacks: how it is used, what it costs, what stands behind it. */
export default function OverviewPage() {
  const loaded = useLoaderData<typeof loader>()
  const [clock, ...tables] = loaded.tables
  return (
    <StacksFigures
      title="Stacks"
      loaded={loaded}
      lead={
        <>
          {clock && <CycleClock table={clock} />}
          <MoreOfStacks />
        </>
      }
    >
      {tables.map(table => (
        <FactTable key={table.id} table={table} />
      ))}
      <Upgrades events={loaded.events} />
      <BlocksTable blocks={loaded.blocks} older={loaded.older} isLater={loaded.isLater} />
      <DataPages chain="stacks" />
    </StacksFigures>
  )
}

export const ErrorBoundary = PageError
