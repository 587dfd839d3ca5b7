import { createContext, useContext } from 'react'
import {
  Link,
  type LoaderFunctionArgs,
  type MetaArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
  useLocation,
} from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import type { ValueLockedAnswer } from '#http/contract.ts'
import { freshestFirst } from '#kernel/freshness.ts'
import { addressOfAssay, asksAnew } from '../../assay/address.ts'
import { shownPart } from '../../blocks/chart/chartSpec.ts'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { dailyHeadline, dayOfList, listMark } from '../../blocks/load/listMark.server.ts'
import { PageControls } from '../../blocks/PageControls.tsx'
import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
import { needsFigures } from '../../blocks/view.ts'
import { dayText } from '../../format/day.ts'
import { figureText } from '../../format/figure.ts'
import { PageError } from '../../shell/PageError.tsx'
import { FileLink } from '../../ui/Button.tsx'
import { answering } from '../answering.server.ts'
import { ChartGrid } from '../chain/ChartGrid.tsx'
import { loadFigures } from '../chain/loadFigures.server.ts'
import { pageMeta } from '../pageMeta.ts'
import page from '../stacks/Stacks.module.css'
import styles from './Across.module.css'
import { type Covered, coveredWith, useCovered } from './chains.ts'
import { ChainCell, chainColumn } from './parts.tsx'
import { QUESTIONS } from './questions.ts'
import { TvlMethod } from './TvlMethod.tsx'
import { PartsChoice, partsIn } from './TvlParts.tsx'
import { partOf, sumOf } from './tvlSum.ts'

const PATH = '/tvl'
const QUESTION = QUESTIONS[PATH]

const figuresOf = (covered: Covered) =>
  ({
    question: QUESTION,
    kpis: [],
    charts: [
      {
        id: 'by-chain',
        title: 'TVL by chain',
        kind: 'line',
        wide: true,
        lines: covered.ofContracts.map(chain => ({
          metric: 'tvl.total',
          entity: chain,
          label: covered.of(chain).name,
        })),
      },
    ],
  }) as const

/** Days of all figures of the tables. */
const daysOf = ({ chains, items, assets }: ValueLockedAnswer): string[] =>
  [
    ...chains.flatMap(({ chain, total }) => (chain === 'bitcoin' || total === null ? [] : total)),
    ...items,
    ...assets,
  ].flatMap(({ day }) => day)

export async function loader({ url, context }: LoaderFunctionArgs) {
  const api = context.get(apiContext)
  const [locked, figures, events] = await answering('TVL', () => {
    const asking = api.across.valueLocked()
    return Promise.all([
      asking,
      loadFigures(figuresOf(coveredWith(context.get(siteContext).layers)), 'stacks', url, context, {
        days: asking.then(daysOf),
      }),
      // Of no chain alone: what befell them all.
      api.directory.events('bitcoin'),
    ])
  })
  const today = dayOfList(url)
  const byDay = <Row extends { day: string }>(rows: readonly Row[]): Row[] =>
    freshestFirst(rows, ({ day }) => dailyHeadline(day), today)
  const shown = {
    ...locked,
    chains: freshestFirst(
      locked.chains.filter(({ chain }) => chain !== 'bitcoin'),
      ({ total }) => (total === null ? undefined : dailyHeadline(total.day)),
      today,
    ),
    items: byDay(locked.items),
    assets: byDay(locked.assets),
  }
  return {
    locked: shown,
    charts: figures.charts,
    events,
    mark: { ...figures.mark, ...listMark([], today, [...daysOf(shown), ...figures.asOfDays]) },
    sources: figures.sources,
    publicUrl: context.get(siteContext).publicUrl,
  }
}

export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return asksAnew(currentUrl, nextUrl, needsFigures)
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) =>
  pageMeta({ title: 'TVL', path: PATH, description: QUESTION, publicUrl: loaderData?.publicUrl })

/** TVL by chain, protocol and asset, with what a reader wants to have counted in. */
export default function TvlPage() {
  const covered = useCovered()
  const { locked, charts, events, mark, sources } = useLoaderData<typeof loader>()
  const { search } = useLocation()
  const chosen = partsIn(new URLSearchParams(search))
  const allSources = [...new Map([...sources, ...locked.sources].map(one => [one.id, one])).values()]
  return (
    <>
      <HeadingBlock title="TVL" question={QUESTION} mark={mark}>
        <FileLink icon="code" label="These figures as JSON" href="/api/v1/tvl" />
        <FileLink icon="download" label="Protocols as CSV" href="/api/v1/tvl?format=csv" />
      </HeadingBlock>
      <PageControls hasPrice={false} />
      <div className={page.body}>
        <ChartGrid
          specs={figuresOf(covered).charts.map(shownPart)}
          charts={charts}
          events={events}
          remedy="Source data loads automatically with internet, or with the bundled snapshot."
        />
        <Sources value={locked.sources}>
          <TableCard
            id="chains"
            title="By chain"
            sub={
              chosen.length === 0
                ? 'What protocols hold; what is counted apart is left out'
                : `With ${chosen.join(', ')}, if a source reports it`
            }
            rows={locked.chains}
            columns={chainColumns(search, chosen, covered)}
            rowKey={({ chain }) => chain}
            controls={<PartsChoice chosen={chosen} />}
          />
          <TableCard
            id="protocols"
            title="By protocol"
            sub={`Each on its latest day within two months of its chain’s latest. Deposits of one protocol in another count in both${silentText(locked, covered)}`}
            rows={locked.items}
            columns={protocolColumns(covered)}
            rowKey={row => `${row.chain}.${row.protocol}`}
            words={row => `${row.name} ${row.category ?? ''} ${covered.of(row.chain).name}`}
            empty="No protocol TVL yet. With internet, it loads automatically."
          />
          <TableCard
            id="assets"
            title="Stablecoins by asset"
            sub="Dollars issued on or bridged to each chain, in protocols or not"
            rows={locked.assets}
            columns={assetColumns(covered)}
            rowKey={row => `${row.chain}.${row.asset}`}
            words={row => `${row.asset} ${covered.of(row.chain).name}`}
            empty="No stablecoin data yet."
          />
        </Sources>
        <TvlMethod sources={allSources} />
      </div>
    </>
  )
}

/** Names the chains with a TVL and no protocol recent enough to be listed. */
function silentText({ chains, items }: ValueLockedAnswer, covered: Covered): string {
  const names = chains
    .filter(({ chain, total }) => total !== null && !items.some(item => item.chain === chain))
    .map(({ chain }) => covered.of(chain).name)
  return names.length === 0 ? '' : `. No data in that time: ${names.join(', ')}`
}

type ChainRow = ValueLockedAnswer['chains'][number]
type Chosen = ReturnType<typeof partsIn>

function Usd({ value }: { value: number | null }) {
  if (value === null) return <span className={styles.quiet}>–</span>
  const { text, full } = figureText(value, 'USD')
  return <span title={full}>{text}</span>
}

const chainColumns = (search: string, chosen: Chosen, covered: Covered): readonly TableColumn<ChainRow>[] => [
  {
    key: 'chain',
    label: 'Chain',
    value: ({ chain }) => covered.of(chain).name,
    cell: ({ chain }) => <ChainCell chain={chain} />,
  },
  {
    key: 'sum',
    label: chosen.length === 0 ? 'TVL' : 'TVL with selected types',
    isNumber: true,
    value: row => sumOf(row, chosen)?.valueUsd ?? null,
    cell: row => {
      const { valueUsd = null, missing = [] } = sumOf(row, chosen) ?? {}
      return missing.length === 0 ? (
        <Usd value={valueUsd} />
      ) : (
        <span title={`Without ${missing.join(', ')}: no data`}>
          ≥ <Usd value={valueUsd} />
        </span>
      )
    },
  },
  {
    key: 'total',
    label: 'As published',
    isNumber: true,
    value: ({ total }) => total?.valueUsd ?? null,
    cell: ({ chain, total }) =>
      total === null ? (
        <span className={styles.quiet}>–</span>
      ) : (
        <Link to={addressOfAssay(search, `tvl.total@${chain}`)} preventScrollReset>
          <Usd value={total.valueUsd} />
        </Link>
      ),
  },
  ...chosen.map(
    (part): TableColumn<ChainRow> => ({
      key: part.replace(' ', '-'),
      label: part,
      isNumber: true,
      value: row => partOf(row, part),
      cell: row => <Usd value={partOf(row, part)} />,
    }),
  ),
  {
    key: 'day',
    label: 'Day',
    value: ({ total }) => total?.day ?? null,
    cell: ({ total }) => (total === null ? '–' : dayText(total.day)),
  },
  {
    key: 'source',
    label: 'Source',
    value: ({ total }) => total?.source ?? null,
    cell: ({ total }) => (total === null ? '–' : <SourceName id={total.source} />),
  },
]

const Sources = createContext<ValueLockedAnswer['sources']>([])

/** A source by its name, whole; a long one that is a description ends in an ellipsis. */
function SourceName({ id }: { id: string }) {
  const source = useContext(Sources).find(one => one.id === id)
  if (source === undefined) return id
  return (
    <a
      className={styles.source}
      href={source.url}
      title={`${source.name}: ${source.licence}`}
      rel="noopener noreferrer"
    >
      {source.name}
    </a>
  )
}

type ProtocolRow = ValueLockedAnswer['items'][number]
type AssetRow = ValueLockedAnswer['assets'][number]
const valueColumn = <Row extends { valueUsd: number }>(): TableColumn<Row> => ({
  key: 'value',
  label: 'Value',
  isNumber: true,
  value: ({ valueUsd }) => valueUsd,
  cell: ({ valueUsd }) => <Usd value={valueUsd} />,
})
const dayColumns = <Row extends { day: string; source: string }>(): readonly TableColumn<Row>[] => [
  { key: 'day', label: 'Day', value: ({ day }) => day, cell: ({ day }) => dayText(day) },
  {
    key: 'source',
    label: 'Source',
    value: ({ source }) => source,
    cell: ({ source }) => <SourceName id={source} />,
  },
]

const protocolColumns = (covered: Covered): readonly TableColumn<ProtocolRow>[] => [
  { key: 'protocol', label: 'Protocol', value: ({ name }) => name },
  chainColumn(covered),
  {
    key: 'category',
    label: 'Category',
    value: ({ category }) => category,
    cell: ({ category }) => category ?? <span className={styles.quiet}>not listed</span>,
  },
  valueColumn(),
  ...dayColumns<ProtocolRow>(),
]

const assetColumns = (covered: Covered): readonly TableColumn<AssetRow>[] => [
  { key: 'asset', label: 'Asset', value: ({ asset }) => asset },
  chainColumn(covered),
  valueColumn(),
  ...dayColumns<AssetRow>(),
]

export const ErrorBoundary = PageError
