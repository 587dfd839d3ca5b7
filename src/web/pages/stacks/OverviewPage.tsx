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
import { pageMeta } from '../pageMeta.ts'
import { BlocksTable } from './BlocksTable.tsx'
import { beforeIn, loadStacks } from './loadStacks.server.ts'
import { StacksFigures } from './StacksFigures.tsx'
import { overview } from './specs.ts'

const BLOCKS = 20

export const loader = ({ url, context }: LoaderFunctionArgs) => {
  const before = beforeIn(url)
  return loadStacks(overview, url, context, async () => {
    const page = await context.get(apiContext).stacks.blocks({ limit: BLOCKS, ...before })
    return { blocks: page.items, older: page.next, isLater: before.before !== undefined }
  })
}

export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return asksAnew(currentUrl, nextUrl, needsFigures)
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) =>
  pageMeta({
    title: 'Stacks',
    path: '/stacks',
    description: loaderData?.description ?? overview.question,
    publicUrl: loaderData?.publicUrl,
  })

/** Stacks: how it is used, what it costs, what stands behind it. */
export default function OverviewPage() {
  const loaded = useLoaderData<typeof loader>()
  return (
    <StacksFigures title="Stacks" loaded={loaded} charts={overview.charts}>
      <BlocksTable blocks={loaded.blocks} older={loaded.older} isLater={loaded.isLater} />
    </StacksFigures>
  )
}

export const ErrorBoundary = PageError
