import { lazy, Suspense } from 'react'
import {
  type LoaderFunctionArgs,
  type MetaArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
  useLocation,
} from 'react-router'
import type { ApplicationTable } from '#http/contract.ts'
import { changedKeys } from '../../assay/address.ts'
import { Card } from '../../blocks/Card.tsx'
import { Facts } from '../../blocks/Facts.tsx'
import { needsFigures } from '../../blocks/view.ts'
import { CALM } from '../../shell/calm.ts'
import { PageError } from '../../shell/PageError.tsx'
import { FileLink } from '../../ui/Button.tsx'
import { FactTable } from '../apps/FactTable.tsx'
import { ChartGrid } from '../chain/ChartGrid.tsx'
import { FiguresView } from '../chain/FiguresView.tsx'
import { pageMeta } from '../pageMeta.ts'
import { Chosen } from './Chosen.tsx'
import { Filters } from './Filters.tsx'
import { loadYields } from './loadYields.server.ts'
import { PATH, scatterSpec, yields } from './specs.ts'
import { hiddenBy, readYieldView, shownRows } from './yieldView.ts'

/** What a day is here. */
const DAYS = {
  words:
    'A rate stands at the UTC day for which it was printed; of several lists the one of whole days goes first, and the day on which it was read is drawn dashed. A 0 on a list is no figure: lists print it for what they do not know.',
}

/** A reader who only looks need not carry it. */
const CalculatorCard = lazy(async () => ({
  default: (await import('../../blocks/calculator/CalculatorCard.tsx')).CalculatorCard,
}))

/** What brings the figures that are not there yet. */
const REMEDY =
  'Lists and histories of pools are asked with internet (SOURCES=on), what contracts on Stacks answer with STACKS_API_URL; a recording of 2025 comes with the bundled snapshot.'

export const loader = ({ url, context }: LoaderFunctionArgs) => loadYields(url, context)

/** The table is here whole: filters only choose from it. */
export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return changedKeys(currentUrl, nextUrl).some(key => /^w\d$/.test(key) || needsFigures(key))
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) =>
  pageMeta({
    title: 'Bitcoin Yield',
    path: PATH,
    description: loaderData?.description ?? yields([]).question,
    publicUrl: loaderData?.publicUrl,
  })

/** What a bitcoin can earn, what it earned, and what one takes on. */
export default function YieldsPage() {
  const loaded = useLoaderData<typeof loader>()
  const { tables, chosen, ways, calculator, scatter } = loaded
  const { search } = useLocation()
  const [opportunities, ...others] = tables
  const view = readYieldView(new URLSearchParams(search), opportunities?.rows ?? [])
  return (
    <FiguresView
      title="Bitcoin Yield"
      loaded={loaded}
      days={DAYS}
      remedy={REMEDY}
      actions={
        <FileLink
          icon="download"
          label="All ways as JSON"
          href="/api/v1/opportunities/tables/opportunities"
        />
      }
      lead={
        <>
          <ChartGrid specs={[scatterSpec]} charts={[scatter]} events={[]} remedy={REMEDY} />
          {opportunities && (
            <>
              <Filters rows={opportunities.rows} view={view} />
              <FactTable
                table={{
                  ...opportunities,
                  rows: shownRows(opportunities.rows, view),
                  sub: `${opportunities.sub}. ${hiddenText(opportunities, view)}`,
                  ...(opportunities.rows.length > 0 && {
                    empty: 'No way passes these filters. Take one of them back.',
                  }),
                }}
                of="opportunities"
              />
            </>
          )}
          <Chosen ways={ways} chosen={chosen} />
        </>
      }
    >
      <Suspense>
        <CalculatorCard key={chosen[0]?.id ?? ''} calculator={calculator} />
      </Suspense>
      {others.map(table => (
        <FactTable key={table.id} table={table} of="opportunities" />
      ))}
      <Method />
    </FiguresView>
  )
}

const FILTER_WORDS = {
  asset: 'by what is put in',
  layer: 'by layer',
  custody: 'by whose keys',
  noIl: 'by a coin that moves against bitcoin',
  floor: 'by the dollars in it',
  age: 'by how long it is known',
}

/** How many rows the filters hide, and which filter hides how many. */
function hiddenText({ rows }: ApplicationTable, view: ReturnType<typeof readYieldView>): string {
  const hidden = hiddenBy(rows, view)
  const count = hidden.reduce((sum, { rows: some }) => sum + some, 0)
  return count === 0
    ? `All ${rows.length} that are followed are shown`
    : `${rows.length - count} of ${rows.length} that are followed are shown; hidden: ${hidden
        .map(({ filter, rows: some }) => `${some} ${FILTER_WORDS[filter]}`)
        .join(', ')}`
}

function Method() {
  return (
    <Card
      title="How earned is counted"
      foot="A wrapped bitcoin counts as a bitcoin throughout: what it trades below, and what it would cost to turn it into one, is in none of these figures."
    >
      <Facts
        facts={[
          {
            label: 'From a share’s price',
            value:
              'Where contracts tell what one share stands for in bitcoin, its growth over the span is what was earned: fees, interest and losses that are booked are all in it.',
            isWide: true,
          },
          {
            label: 'From rates that were printed',
            value:
              'Else each day’s base rate is compounded by its day’s part of a year, and each day’s reward is sold for bitcoin at the token’s price of that day and set aside. A day of which nothing is told earns nothing here; with more than a tenth of such days there is no figure at all.',
            isWide: true,
          },
          {
            label: 'Where there is none',
            value:
              'Of pools with dollars, ether or another coin: what a position made depends on that coin’s price and on its range. The promise of such a pool is shown, and no earning is made up for it.',
            isWide: true,
          },
          {
            label: 'The way out',
            value:
              'Days are measured on withdrawals of sBTC; else they are those that an application and the issuer of its coins state, on the day on which that was read. Where only a part of the way is stated, the table names the part and gives no sum.',
            isWide: true,
          },
          {
            label: 'How long rewards last',
            value:
              'Where whoever pays them states an end, the table counts down to it; else it has what rewards cost a day at the newest rate, and since when none are seen. Budgets of programmes, and so how long one still lasts, are not covered: no publisher that is asked tells them.',
            isWide: true,
          },
          {
            label: 'Not covered',
            value:
              'Lending of wrapped bitcoin on Ethereum, Base, Arbitrum and BNB Chain (Aave, Compound, Morpho and the like): the recorded lists of pools that the catalogue was written from name exchanges alone. With internet the newest list is read, and lenders on it are counted below under what is left out.',
            isWide: true,
          },
        ]}
      />
    </Card>
  )
}

export const handle = CALM

export const ErrorBoundary = PageError
