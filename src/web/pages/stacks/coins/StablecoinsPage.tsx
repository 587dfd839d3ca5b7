import {
  type LoaderFunctionArgs,
  type MetaArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
} from 'react-router'
import { apiContext } from '#http/context.ts'
import { asksAnew } from '../../../assay/address.ts'
import { needsFigures } from '../../../blocks/view.ts'
import { PageError } from '../../../shell/PageError.tsx'
import { pageMeta } from '../../pageMeta.ts'
import { loadStacks } from '../loadStacks.server.ts'
import { StacksFigures } from '../StacksFigures.tsx'
import { MintsTable, TradesTable } from './CoinEvents.tsx'
import { stablecoins } from './coinSpecs.ts'
import { StablesTable } from './StablesTable.tsx'
import { withMark } from './withMark.server.ts'

export async function loader({ url, context }: LoaderFunctionArgs) {
  const loaded = await loadStacks(stablecoins, url, context, async () => ({
    held: await context.get(apiContext).stacks.coins('stable'),
  }))
  return withMark(loaded, loaded.held.asOf, url)
}

export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return asksAnew(currentUrl, nextUrl, needsFigures)
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) =>
  pageMeta({
    title: 'Stacks: stablecoins',
    path: '/stacks/stablecoins',
    description: loaderData?.question ?? '',
    publicUrl: loaderData?.publicUrl,
  })

/** Stablecoins of Stacks: how many there are, what stands behind them, who holds them and where they lie. */
export default function StablecoinsPage() {
  const loaded = useLoaderData<typeof loader>()
  const { coins, trades, mints, indexedHours } = loaded.held
  return (
    <StacksFigures title="Stablecoins" loaded={loaded}>
      <StablesTable coins={coins} indexedHours={indexedHours} />
      <MintsTable mints={mints} />
      <TradesTable trades={trades} />
    </StacksFigures>
  )
}

export const ErrorBoundary = PageError
