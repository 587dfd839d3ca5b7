import {
  type LoaderFunctionArgs,
  type MetaArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
  useLocation,
} from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import type { HotContractsAnswer } from '#http/contract.ts'
import { asksAnew } from '../../assay/address.ts'
import { Choices } from '../../blocks/Choices.tsx'
import { CountStrip } from '../../blocks/CountStrip.tsx'
import { dayOfList, freshChainsFirst, listMark } from '../../blocks/load/listMark.server.ts'
import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
import { addressWith } from '../../blocks/view.ts'
import { dayText } from '../../format/day.ts'
import { grouped, percentText } from '../../format/figure.ts'
import { PageError } from '../../shell/PageError.tsx'
import { answering } from '../answering.server.ts'
import { pageMeta } from '../pageMeta.ts'
import page from '../stacks/Stacks.module.css'
import styles from './Across.module.css'
import { type Covered, chainRow, useCovered } from './chains.ts'
import { HeldCard } from './Held.tsx'
import { ListHeading } from './ListHeading.tsx'
import { Coin, ContractCell, chainColumn, failureColumn, growthColumn, trendColumn } from './parts.tsx'
import { QUESTIONS } from './questions.ts'
import {
  needsRows,
  readSpanView,
  SPAN_HOURS,
  SPAN_WORDS,
  type SpanName,
  spanRow,
  spanSearch,
  TREND_HOURS,
  TREND_LABEL,
} from './span.ts'
import { atLeast, noted, windowColumns } from './windowCount.tsx'

const PATH = '/dashboards/hotcontracts'
const QUESTION = QUESTIONS[PATH]

export async function loader({ url, context }: LoaderFunctionArgs) {
  const view = readSpanView(url.searchParams, context.get(siteContext).layers)
  const hot = await answering('The list of contracts', () =>
    context.get(apiContext).across.hotContracts(view),
  )
  const today = dayOfList(url)
  return {
    hot: { ...hot, items: freshChainsFirst(hot.items, hot.held, today) },
    mark: listMark(hot.held, today),
    view,
    publicUrl: context.get(siteContext).publicUrl,
  }
}

export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return asksAnew(currentUrl, nextUrl, needsRows)
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) =>
  pageMeta({
    title: 'Hot contracts',
    path: PATH,
    description: QUESTION,
    publicUrl: loaderData?.publicUrl,
  })

type Row = HotContractsAnswer['items'][number]

/** Contracts of all chains that have them, by calls in the newest hours. */
export default function HotContractsPage() {
  const covered = useCovered()
  const { hot, mark, view } = useLoaderData<typeof loader>()
  const { search } = useLocation()
  return (
    <>
      <ListHeading
        title="Hot contracts"
        question={QUESTION}
        path="/api/v1/contracts/hot"
        asked={spanSearch(view)}
        mark={mark}
      />
      <CountStrip label="Key figures" counts={countsOf(hot, search, covered)} />
      <Choices rows={[spanRow(view), chainRow(covered, view.chain)]} />
      <div className={page.body}>
        <TableCard
          id="contracts"
          title="Contracts"
          sub={`Calls by users’ transactions in ${SPAN_WORDS[view.span]} of each chain`}
          rows={hot.items}
          columns={columnsOf(view.span, covered, hot.held)}
          rowKey={row => `${row.chain}.${row.contract}`}
          words={row => `${row.contract} ${row.known?.name ?? ''} ${covered.of(row.chain).name}`}
          empty="No contract calls indexed in this period. See below how to index a chain."
          {...(hot.items.length < (hot.contractCount ?? 0) && {
            foot: (
              <span>
                The {grouped(String(hot.items.length))} most called of {grouped(String(hot.contractCount))}{' '}
                contracts
              </span>
            ),
          })}
        />
        <HeldCard chains={view.chain === undefined ? covered.ofContracts : [view.chain]} held={hot.held}>
          <p>
            <strong>Spans</strong> end with the hour of each chain’s latest block: that hour so far and the
            hours before it. <strong>Growth</strong> compares completed hours with as many before them, and is
            omitted if either is only partly indexed. System transactions do not count.
          </p>
          <p>
            <strong>Inside others</strong> are calls of another contract in which this one ran: it emitted an
            event, a token that it defines moved, or it sent something. Calls without such traces are not
            detected.
          </p>
          <p>
            <strong>Names</strong> are those of the catalog; a contract that it does not know has none here,
            whatever it says of itself. A busy bot calls as much as a thousand people: read callers beside
            calls.
          </p>
        </HeldCard>
      </div>
    </>
  )
}

function countsOf(hot: HotContractsAnswer, search: string, covered: Covered) {
  const grown = hot.items.filter(({ growth }) => growth !== null).toSorted((a, b) => b.growth! - a.growth!)[0]
  const failing = hot.items.reduce((sum, row) => sum + (row.failedCallCount ?? 0), 0)
  const shown = hot.items.reduce((sum, row) => sum + (row.callCount ?? 0), 0)
  const span = SPAN_WORDS[hot.span]
  const isWhole = hot.held.every(one => one.isWhole)
  const countText = (count: number | null): string =>
    count === null ? '–' : `${isWhole ? '' : '≥\u202f'}${grouped(String(count))}`
  return [
    {
      label: 'Calls',
      text: countText(hot.callCount),
      about: `in ${span}${isWhole ? '' : ', partial data'}`,
      to: addressWith(search, { 'contracts.sort': '-calls' }),
    },
    {
      label: 'Contracts called',
      text: countText(hot.contractCount),
      about: `on ${hot.held.length} of ${covered.ofContracts.length} chains`,
      to: addressWith(search, { 'contracts.sort': undefined }),
    },
    {
      label: 'Failed',
      text: shown === 0 || !isWhole ? '–' : percentText(failing / shown),
      about: isWhole ? 'of the calls listed' : 'partial data',
      to: addressWith(search, { 'contracts.sort': '-failed' }),
    },
    {
      label: 'Fastest growing',
      text:
        grown === undefined
          ? '–'
          : (grown.known?.name ?? grown.contract.split('.').at(-1)?.slice(0, 18) ?? '–'),
      about: grown === undefined ? 'needs two spans of whole data' : covered.of(grown.chain).name,
      to: addressWith(search, { 'contracts.sort': '-growth' }),
    },
  ]
}

const columnsOf = (
  span: SpanName,
  covered: Covered,
  held: HotContractsAnswer['held'],
): readonly TableColumn<Row>[] => [
  {
    key: 'contract',
    label: 'Contract',
    value: row => row.known?.name ?? row.contract,
    cell: row => <ContractCell {...row} />,
  },
  chainColumn(covered, held),
  windowColumns<Row>(held)('calls', 'Calls', SPAN_HOURS[span], row => row.callCount),
  growthColumn(),
  trendColumn(held, TREND_LABEL[span], TREND_HOURS[span]),
  windowColumns<Row>(held)('callers', 'Callers', SPAN_HOURS[span], row => row.callerCount),
  failureColumn(held, SPAN_HOURS[span]),
  {
    key: 'fees',
    label: 'Fees',
    isNumber: true,
    value: row => (row.fee === null ? null : Number(row.fee)),
    cell: row =>
      row.fee === null
        ? noted(held, row, SPAN_HOURS[span], '–')
        : atLeast(held, row, SPAN_HOURS[span], <Coin chain={row.chain} amount={row.fee} />),
  },
  {
    ...windowColumns<Row>(held)('nested', 'Inside others', SPAN_HOURS[span], row => row.nestedCount),
    title: 'Calls of other contracts in which it took part',
  },
  {
    key: 'first',
    label: 'First seen',
    value: row => row.firstSeen,
    cell: row =>
      row.firstSeen === null ? (
        <span className={styles.quiet} title="Its creation block is not indexed">
          –
        </span>
      ) : (
        <time dateTime={row.firstSeen}>{dayText(row.firstSeen)}</time>
      ),
  },
  {
    key: 'address',
    label: 'Address',
    value: row => row.contract,
    cell: row => <code>{row.contract}</code>,
    isOptional: true,
  },
]

export const ErrorBoundary = PageError
