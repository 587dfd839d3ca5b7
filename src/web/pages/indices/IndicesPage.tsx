import {
  type LoaderFunctionArgs,
  type MetaArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
} from 'react-router'
import { asksAnew } from '../../assay/address.ts'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { StateCard } from '../../blocks/State.tsx'
import { needsFigures } from '../../blocks/view.ts'
import { PageError } from '../../shell/PageError.tsx'
import { FactTable } from '../apps/FactTable.tsx'
import { FiguresView } from '../chain/FiguresView.tsx'
import { pageMeta } from '../pageMeta.ts'
import { Builder } from './Builder.tsx'
import { isBuilderKey } from './builder.ts'
import { Correlations } from './Correlations.tsx'
import { DAYS } from './days.ts'
import { IndexCards } from './IndexCards.tsx'
import { loadIndices } from './loadIndices.server.ts'
import { Rules } from './Rules.tsx'
import { BUILDER, PATH, QUESTION } from './specs.ts'

export const loader = ({ url, context }: LoaderFunctionArgs) => loadIndices(url, context)

export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return asksAnew(currentUrl, nextUrl, key => needsFigures(key) || isBuilderKey(key))
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) =>
  pageMeta({
    title: TITLE,
    path: PATH,
    description: loaderData?.shown?.figures.description ?? QUESTION,
    publicUrl: loaderData?.publicUrl,
  })

const TITLE = 'Bitcoin DeFi Indices'

/** Indices of tokens that a reader can compute again, and a builder of further ones. */
export default function IndicesPage() {
  const { items, shown, built, mark } = useLoaderData<typeof loader>()
  const cards = <IndexCards items={items} current={built ? BUILDER : shown?.index.id} />
  if (built)
    return (
      <>
        <HeadingBlock title={TITLE} question={QUESTION} mark={mark} />
        {cards}
        <Builder built={built} />
      </>
    )
  if (!shown)
    return (
      <>
        <HeadingBlock title={TITLE} question={QUESTION} />
        <StateCard kind="empty" title="No index">
          <p>The catalog of this server has no index: its files are in catalog/indices.</p>
        </StateCard>
      </>
    )
  const { index, figures, all, correlations, tables, specs, question } = shown
  return (
    <FiguresView
      title={TITLE}
      loaded={{ ...figures, specs, question }}
      days={DAYS}
      hasPrice={false}
      choice={cards}
      remedy="An index needs prices, volumes and weighting inputs of its tokens at a month end. The bundled snapshot has supplies and volumes from 2021 and prices until November 2025. With internet, CoinGecko and DefiLlama are polled automatically, up to a year back."
      lead={<Rules index={index} />}
    >
      {tables.map(table => (
        <FactTable key={`${index.id} ${table.id}`} table={table} of={`indices/${index.id}`} />
      ))}
      <FactTable table={all} of="indices" />
      <Correlations table={correlations} />
    </FiguresView>
  )
}

export const ErrorBoundary = PageError
