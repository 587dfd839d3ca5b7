import {
  type LoaderFunctionArgs,
  type MetaArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
} from 'react-router'
import { apiContext } from '#http/context.ts'
import { asksAnew } from '../../assay/address.ts'
import { Diagram } from '../../blocks/diagram/Diagram.tsx'
import { needsFigures } from '../../blocks/view.ts'
import { PageError } from '../../shell/PageError.tsx'
import { pageMeta } from '../pageMeta.ts'
import { BurnBlocksTable } from './BurnBlocksTable.tsx'
import { beforeIn, loadStacks } from './loadStacks.server.ts'
import { miningSteps } from './miningSteps.ts'
import { StacksFigures } from './StacksFigures.tsx'
import { mining } from './specs.ts'

const BURN_BLOCKS = 50

export const loader = ({ url, context }: LoaderFunctionArgs) => {
  const before = beforeIn(url)
  return loadStacks(mining, url, context, async () => {
    const page = await context.get(apiContext).stacks.burnBlocks({ limit: BURN_BLOCKS, ...before })
    return { burnBlocks: page.items, older: page.next, isLater: before.before !== undefined }
  })
}

export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return asksAnew(currentUrl, nextUrl, needsFigures)
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) =>
  pageMeta({
    title: 'Stacks: mining',
    path: '/stacks/mining',
    description: loaderData?.description ?? mining.question,
    publicUrl: loaderData?.publicUrl,
  })

/** Mining of Stacks: bids on Bitcoin, rewards in STX. */
export default function MiningPage() {
  const loaded = useLoaderData<typeof loader>()
  return (
    <StacksFigures title="Mining" loaded={loaded} charts={mining.charts}>
      <Diagram diagram={miningSteps} />
      <BurnBlocksTable blocks={loaded.burnBlocks} older={loaded.older} isLater={loaded.isLater} />
    </StacksFigures>
  )
}

export const ErrorBoundary = PageError
