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
    'A rate is on the UTC day for which it was published. Among several lists, the daily one takes precedence, and the day it was read is dashed. A 0 on a list is not a figure, because lists also print it for unknown values.',
}

/** A reader who only looks need not carry it. */
const CalculatorCard = lazy(async () => ({
  default: (await import('../../blocks/calculator/CalculatorCard.tsx')).CalculatorCard,
}))

/** What brings the figures that are not there yet. */
const REMEDY =
  'Pool lists and histories are polled with internet (SOURCES=on), and Stacks contracts with STACKS_API_URL. A 2025 recording comes with the bundled snapshot.'

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
          label="All opportunities as JSON"
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
                    empty: 'No opportunities match these filters. Remove one.',
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
  asset: 'by asset',
  layer: 'by layer',
  custody: 'by custody',
  noIl: 'by IL exposure',
  floor: 'by TVL',
  age: 'by age',
}

/** How many rows the filters hide, and which filter hides how many. */
function hiddenText({ rows }: ApplicationTable, view: ReturnType<typeof readYieldView>): string {
  const hidden = hiddenBy(rows, view)
  const count = hidden.reduce((sum, { rows: some }) => sum + some, 0)
  return count === 0
    ? `Showing all ${rows.length}`
    : `Showing ${rows.length - count} of ${rows.length}. Hidden: ${hidden
        .map(({ filter, rows: some }) => `${some} ${FILTER_WORDS[filter]}`)
        .join(', ')}`
}

function Method() {
  return (
    <Card
      title="How returns are calculated"
      foot="A wrapped bitcoin counts as one bitcoin throughout. No figure includes its discount or the cost of redeeming it."
    >
      <Facts
        facts={[
          {
            label: 'From a share price',
            value:
              'If contracts report the bitcoin value of one share, its growth over the period is the return. It includes fees, interest and booked losses.',
            isWide: true,
          },
          {
            label: 'From reported rates',
            value:
              'Otherwise each day’s base rate is compounded for one day, and each day’s reward is sold for bitcoin at the token’s price on that day and set aside. Days without data earn nothing. With more than a tenth of such days there is no figure.',
            isWide: true,
          },
          {
            label: 'No figure',
            value:
              'Pools with dollars, ether or another coin, because the return depends on that coin’s price and on the range. The reported yield of such a pool is shown, but no return.',
            isWide: true,
          },
          {
            label: 'Exit',
            value:
              'Days are measured on sBTC withdrawals. Otherwise they are as stated by the application and the issuer of its coins, on the date read. If only part of the exit is stated, the table names that part and gives no sum.',
            isWide: true,
          },
          {
            label: 'How long rewards last',
            value:
              'If the payer states an end date, the table counts down to it. Otherwise it shows the daily cost of rewards at the latest rate, and since when there have been none. Program budgets, and so how long a program lasts, are not covered because no source reports them.',
            isWide: true,
          },
          {
            label: 'Not covered',
            value:
              'Lending of wrapped bitcoin on Ethereum, Base, Arbitrum and BNB Chain (Aave, Compound, Morpho and others). The recorded pool lists behind the catalog name exchanges only. With internet, the latest list is loaded, and its lenders are counted below under excluded pools.',
            isWide: true,
          },
        ]}
      />
    </Card>
  )
}

export const handle = CALM

export const ErrorBoundary = PageError
