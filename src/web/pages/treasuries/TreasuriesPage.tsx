import {
  type LoaderFunctionArgs,
  type MetaArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
} from 'react-router'
import { asksAnew } from '../../assay/address.ts'
import { needsFigures } from '../../blocks/view.ts'
import { PageError } from '../../shell/PageError.tsx'
import { pageMeta } from '../pageMeta.ts'
import { loadTreasuries } from './loadTreasuries.server.ts'
import { PATH, treasuries } from './specs.ts'
import { TreasuryFigures } from './TreasuryFigures.tsx'

export const loader = ({ url, context }: LoaderFunctionArgs) => loadTreasuries(url, context)

export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return asksAnew(currentUrl, nextUrl, needsFigures)
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) =>
  pageMeta({
    title: 'Bitcoin Treasuries',
    path: PATH,
    description: loaderData?.description ?? treasuries.question,
    publicUrl: loaderData?.publicUrl,
  })

/** Who holds bitcoin: companies, miners, governments and funds, with the evidence of each. */
export default function TreasuriesPage() {
  return <TreasuryFigures title="Bitcoin Treasuries" loaded={useLoaderData<typeof loader>()} />
}

export const ErrorBoundary = PageError
