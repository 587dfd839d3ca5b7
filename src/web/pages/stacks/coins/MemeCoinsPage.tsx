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
import { NewCoinsTable, TradesTable } from './CoinEvents.tsx'
import { memeCoins } from './coinSpecs.ts'
import { HeatTiles } from './HeatTiles.tsx'
import { LeftOutTable, MemesTable, RotationTable } from './MemeTables.tsx'
import { withMark } from './withMark.server.ts'

export async function loader({ url, context }: LoaderFunctionArgs) {
  const loaded = await loadStacks(memeCoins, url, context, async () => ({
    held: await context.get(apiContext).stacks.coins('meme'),
  }))
  return withMark(loaded, loaded.held.asOf, url)
}

export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return asksAnew(currentUrl, nextUrl, needsFigures)
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) =>
  pageMeta({
    title: 'Stacks: meme coins',
    path: '/stacks/meme-coins',
    description: loaderData?.question ?? '',
    publicUrl: loaderData?.publicUrl,
  })

/** Meme coins of Stacks: who trades and holds them, and what their contracts allow. */
export default function MemeCoinsPage() {
  const loaded = useLoaderData<typeof loader>()
  const { coins, leftOut, trades, made, indexedHours } = loaded.held
  return (
    <StacksFigures title="Memecoins" loaded={loaded}>
      <MemesTable coins={coins} indexedHours={indexedHours} />
      <HeatTiles coins={coins} />
      <RotationTable coins={coins} indexedHours={indexedHours} />
      <TradesTable trades={trades} />
      <NewCoinsTable made={made} />
      <LeftOutTable coins={leftOut} indexedHours={indexedHours} />
    </StacksFigures>
  )
}

export const ErrorBoundary = PageError
