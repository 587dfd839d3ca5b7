import {
  type LoaderFunctionArgs,
  type MetaArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
} from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import type { PopularCallsAnswer } from '#http/contract.ts'
import { asksAnew } from '../../assay/address.ts'
import { Choices } from '../../blocks/Choices.tsx'
import { countColumn } from '../../blocks/countColumn.ts'
import { dayOfList, freshChainsFirst, listMark } from '../../blocks/load/listMark.server.ts'
import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
import { grouped, percentText } from '../../format/figure.ts'
import { PageError } from '../../shell/PageError.tsx'
import { answering } from '../answering.server.ts'
import { pageMeta } from '../pageMeta.ts'
import page from '../stacks/Stacks.module.css'
import { type Covered, chainRow, useCovered } from './chains.ts'
import { HeldCard } from './Held.tsx'
import { ListHeading } from './ListHeading.tsx'
import { ContractCell, chainColumn, failureColumn, growthColumn, trendColumn } from './parts.tsx'
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
import { windowColumns } from './windowCount.tsx'

const PATH = '/popularcalls'
const QUESTION = QUESTIONS[PATH]

export async function loader({ url, context }: LoaderFunctionArgs) {
  const view = readSpanView(url.searchParams, context.get(siteContext).layers)
  const calls = await answering('The list of calls', () => context.get(apiContext).across.popularCalls(view))
  const today = dayOfList(url)
  return {
    calls: {
      ...calls,
      items: freshChainsFirst(calls.items, calls.held, today),
      nested: freshChainsFirst(calls.nested, calls.held, today),
    },
    mark: listMark(calls.held, today),
    view,
    publicUrl: context.get(siteContext).publicUrl,
  }
}

export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return asksAnew(currentUrl, nextUrl, needsRows)
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) =>
  pageMeta({ title: 'Popular calls', path: PATH, description: QUESTION, publicUrl: loaderData?.publicUrl })

type Row = PopularCallsAnswer['items'][number]
type Nested = PopularCallsAnswer['nested'][number]

/** Functions by calls, and contracts that work inside calls of others. */
export default function PopularCallsPage() {
  const covered = useCovered()
  const { calls, mark, view } = useLoaderData<typeof loader>()
  return (
    <>
      <ListHeading
        title="Popular calls"
        question={QUESTION}
        path="/api/v1/contracts/calls"
        asked={spanSearch(view)}
        mark={mark}
      />
      <Choices rows={[spanRow(view), chainRow(covered, view.chain)]} />
      <div className={page.body}>
        <TableCard
          id="calls"
          title="Functions"
          sub={`Calls by users’ transactions in ${SPAN_WORDS[view.span]} of each chain; share is of all calls on it`}
          rows={calls.items}
          columns={columnsOf(view.span, covered, calls.held)}
          rowKey={row => `${row.chain}.${row.contract}.${row.selector}${row.functionName}`}
          words={row =>
            `${row.functionName} ${row.contract} ${row.known?.name ?? ''} ${covered.of(row.chain).name}`
          }
          empty="No contract calls indexed in this period. See below how to index a chain."
          {...(calls.items.length < (calls.functionCount ?? 0) && {
            foot: (
              <span>
                The {grouped(String(calls.items.length))} most called of{' '}
                {grouped(String(calls.functionCount))} functions
              </span>
            ),
          })}
        />
        <TableCard
          id="nested"
          title="At work inside other contracts"
          sub="What people use without calling it: tokens, oracles, vaults and registries behind the contracts that they call"
          rows={calls.nested}
          columns={nestedColumns(view.span, covered, calls.held)}
          rowKey={row => `${row.chain}.${row.contract}`}
          words={row => `${row.contract} ${row.known?.name ?? ''}`}
          empty="No nested contract activity in this period."
        />
        <HeldCard chains={view.chain === undefined ? covered.ofContracts : [view.chain]} held={calls.held}>
          <p>
            <strong>Functions</strong> of EVM contracts are named by the first four bytes of the input, if the
            catalog has a name for them. Functions of other contracts can share those bytes.
          </p>
          <p>
            <strong>Inside others</strong>: a contract counts once for each transaction that called another
            contract and in which it ran. It ran if it emitted an event (a print on Stacks, a log on EVM
            layers), if a token that it defines moved, because only its own code can move it, or if it sent
            something. Reads leave no trace, so the count is a lower bound.
          </p>
          <p>
            <strong>Named by</strong> counts the indexed Stacks contracts whose source calls it by name.
            Contracts passed as a trait are not included.
          </p>
        </HeldCard>
      </div>
    </>
  )
}

const columnsOf = (
  span: SpanName,
  covered: Covered,
  held: PopularCallsAnswer['held'],
): readonly TableColumn<Row>[] => [
  {
    key: 'function',
    label: 'Function',
    value: row => row.functionName,
    cell: row => <code title={row.selector === '' ? undefined : row.selector}>{row.functionName}</code>,
  },
  {
    key: 'contract',
    label: 'Contract',
    value: row => row.known?.name ?? row.contract,
    cell: row => <ContractCell {...row} />,
  },
  chainColumn(covered, held),
  windowColumns<Row>(held)('calls', 'Calls', SPAN_HOURS[span], row => row.callCount),
  {
    key: 'share',
    label: 'Share',
    isNumber: true,
    value: row => row.share,
    cell: row => (row.share === null ? '–' : percentText(row.share)),
  },
  growthColumn(),
  trendColumn(held, TREND_LABEL[span], TREND_HOURS[span]),
  windowColumns<Row>(held)('callers', 'Callers', SPAN_HOURS[span], row => row.callerCount),
  failureColumn(held, SPAN_HOURS[span]),
]

const nestedColumns = (
  span: SpanName,
  covered: Covered,
  held: PopularCallsAnswer['held'],
): readonly TableColumn<Nested>[] => [
  {
    key: 'contract',
    label: 'Contract',
    value: row => row.known?.name ?? row.contract,
    cell: row => <ContractCell {...row} />,
  },
  chainColumn(covered, held),
  windowColumns<Nested>(held)('nested', 'Inside others', SPAN_HOURS[span], row => row.nestedCount),
  windowColumns<Nested>(held)('direct', 'Called itself', SPAN_HOURS[span], row => row.callCount),
  {
    ...countColumn<Nested>('named', 'Named by', row => row.namedByCount),
    title: 'Indexed Stacks contracts whose source calls it by name',
  },
]

export const ErrorBoundary = PageError
