import { lazy, Suspense } from 'react'
import {
  type LoaderFunctionArgs,
  type MetaArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
} from 'react-router'
import { apiContext } from '#http/context.ts'
import { asksAnew } from '../../assay/address.ts'
import { Diagram } from '../../blocks/diagram/Diagram.tsx'
import { createFigureReader } from '../../blocks/load/figureReader.server.ts'
import { loadCalculator } from '../../blocks/load/loadCalculator.server.ts'
import { needsFigures, readPageView } from '../../blocks/view.ts'
import { PageError } from '../../shell/PageError.tsx'
import { FactTable } from '../apps/FactTable.tsx'
import { pageMeta } from '../pageMeta.ts'
import { BurnBlocksTable } from './BurnBlocksTable.tsx'
import { beforeIn, loadStacks } from './loadStacks.server.ts'
import { loadTables } from './loadTables.server.ts'
import { MiningChange } from './MiningChange.tsx'
import { mining, profitCalculator } from './miningSpec.ts'
import { miningSteps } from './miningSteps.ts'
import { StacksFigures } from './StacksFigures.tsx'

const BURN_BLOCKS = 50

/** A reader who only looks need not carry it. */
const CalculatorCard = lazy(async () => ({
  default: (await import('../../blocks/calculator/CalculatorCard.tsx')).CalculatorCard,
}))

export const loader = ({ url, context }: LoaderFunctionArgs) => {
  const before = beforeIn(url)
  const api = context.get(apiContext)
  const reader = createFigureReader(api, { ...readPageView(url.searchParams), unit: 'native' })
  return loadStacks(mining, url, context, async () => {
    const [page, calculator, { tables }] = await Promise.all([
      api.stacks.burnBlocks({ limit: BURN_BLOCKS, ...before }),
      loadCalculator(reader, profitCalculator),
      loadTables(context, ['tenures', 'miners']),
    ])
    return {
      burnBlocks: page.items,
      older: page.next,
      isLater: before.before !== undefined,
      calculator,
      tables,
    }
  })
}

export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return asksAnew(currentUrl, nextUrl, needsFigures)
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) =>
  pageMeta({
    title: 'Stacks: mining',
    path: '/stacks/mining',
    description: loaderData?.description ?? '',
    publicUrl: loaderData?.publicUrl,
  })

/** Mining of Stacks: bids on Bitcoin, rewards in STX. */
export default function MiningPage() {
  const loaded = useLoaderData<typeof loader>()
  return (
    <StacksFigures title="Mining" loaded={loaded}>
      {loaded.tables.map(table => (
        <FactTable key={table.id} table={table} />
      ))}
      <Suspense>
        <CalculatorCard calculator={loaded.calculator} />
      </Suspense>
      <Diagram diagram={miningSteps} />
      <MiningChange />
      <BurnBlocksTable blocks={loaded.burnBlocks} older={loaded.older} isLater={loaded.isLater} />
    </StacksFigures>
  )
}

export const ErrorBoundary = PageError
