import {
  type LoaderFunctionArgs,
  type MetaArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
} from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import type { TokensAnswer } from '#http/contract.ts'
import { MAX_PRICE_AGE_DAYS } from '#kernel/currentPrice.ts'
import { freshestFirst } from '#kernel/freshness.ts'
import { LIQUIDITY_FLOOR_USD } from '#kernel/stacks.ts'
import { asksAnew } from '../../assay/address.ts'
import { Choices } from '../../blocks/Choices.tsx'
import { countColumn } from '../../blocks/countColumn.ts'
import { dailyHeadline, dayOfList, listMark } from '../../blocks/load/listMark.server.ts'
import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
import { dayText } from '../../format/day.ts'
import { exactUnits, figureText, grouped } from '../../format/figure.ts'
import { PageError } from '../../shell/PageError.tsx'
import { answering } from '../answering.server.ts'
import { pageMeta } from '../pageMeta.ts'
import page from '../stacks/Stacks.module.css'
import styles from './Across.module.css'
import { type Covered, chainAsked, chainRow, contractPath, useCovered } from './chains.ts'
import { HeldCard } from './Held.tsx'
import { ListHeading } from './ListHeading.tsx'
import { ChainLink, chainColumn } from './parts.tsx'
import { QUESTIONS } from './questions.ts'
import { needsRows } from './span.ts'
import { dated, windowColumns } from './windowCount.tsx'

const PATH = '/tokens'
const QUESTION = QUESTIONS[PATH]

export async function loader({ url, context }: LoaderFunctionArgs) {
  const view = chainAsked(url.searchParams, context.get(siteContext).layers)
  const answer = await answering('The list of tokens', () => context.get(apiContext).across.tokens(view))
  const today = dayOfList(url)
  return {
    answer: {
      ...answer,
      items: freshestFirst(
        answer.items,
        row => {
          const isCounted = (row.transferCount7d ?? row.holderCount) !== null
          const day = daysOf(row)[0] ?? (isCounted ? row.countDay : null)
          return day === null ? undefined : dailyHeadline(day)
        },
        today,
      ),
    },
    mark: listMark(answer.held, today, answer.items.flatMap(daysOf)),
    view,
    publicUrl: context.get(siteContext).publicUrl,
  }
}

export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return asksAnew(currentUrl, nextUrl, needsRows)
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) =>
  pageMeta({ title: 'Tokens', path: PATH, description: QUESTION, publicUrl: loaderData?.publicUrl })

type Row = TokensAnswer['items'][number]

/** UTC days of the figures in dollars that a row shows, in the order of its columns. */
const daysOf = (row: Row): string[] =>
  [{ usd: row.capUsd, day: row.capDay }, priceOf(row), liquidityOf(row)].flatMap(({ usd, day }) =>
    usd === null || day === null ? [] : [day],
  )

/** Fungible tokens of all chains that have contracts. */
export default function TokensPage() {
  const covered = useCovered()
  const { answer, mark, view } = useLoaderData<typeof loader>()
  const columns = columnsOf(covered, answer.held)
  const figures = columns.filter(({ isNumber }) => isNumber)
  const hasFigure = (row: Row): boolean => figures.some(({ value }) => value(row) !== null)
  const empty = figures.filter(({ value }) => answer.items.every(row => value(row) === null))
  const bare = answer.items.filter(row => !hasFigure(row))
  return (
    <>
      <ListHeading
        title="Tokens"
        question={QUESTION}
        path="/api/v1/tokens"
        asked={new URLSearchParams(view).toString()}
        mark={mark}
      />
      <Choices rows={[chainRow(covered, view.chain)]} />
      <div className={page.body}>
        <TableCard
          id="tokens"
          title="Fungible tokens"
          {...(!empty.some(({ key }) => key === 'cap') && { sub: 'By market cap, then price' })}
          rows={answer.items.filter(hasFigure)}
          columns={columns.filter(column => !empty.includes(column))}
          rowKey={keyOf}
          words={row =>
            `${row.symbol ?? ''} ${row.name ?? ''} ${row.asset} ${row.kind ?? ''} ${covered.of(row.chain).name}`
          }
          empty="No token on this chain has figures yet."
          {...(empty.length > 0 && {
            foot: <span>No data yet: {empty.map(({ label }) => label).join(', ')}</span>,
          })}
        />
        {bare.length > 0 && (
          <TableCard
            id="listed"
            title="Tokens without figures"
            rows={bare}
            columns={[
              ...columns
                .filter(({ key }) => LISTED.includes(key))
                .map(column => ({ ...column, isOptional: false })),
              {
                key: 'priced',
                label: 'Last priced',
                value: ({ priceDay, capDay }) => priceDay ?? capDay,
                cell: ({ priceDay, capDay }) => {
                  const day = priceDay ?? capDay
                  return day === null ? <span className={styles.quiet}>–</span> : dayText(day)
                },
              },
              ...columns.filter(({ key }) => key === 'address'),
            ]}
            rowKey={keyOf}
          />
        )}
        <HeldCard chains={view.chain === undefined ? covered.ofContracts : [view.chain]} held={answer.held}>
          <p>
            <strong>Names</strong> are self-reported by the token’s contract, else from the catalog. Anyone
            can deploy a token under any name. A token that copies the symbol of a listed one is marked as a
            namesake.
          </p>
          <p>
            <strong>Supply and holders</strong> are sums of transfers, shown if all data since the token was
            deployed is indexed. Rebasing tokens do not report every change with a transfer, so these sums
            differ from what their contracts report.
          </p>
          <p>
            <strong>Price and liquidity</strong> of tokens on Stacks are on-chain, from the reserves of pools
            at the end of the latest indexed day. The price is from the deepest pool, if its other side holds
            at least {LIQUIDITY_FLOOR_USD.toLocaleString('en')} US dollars of a priced token. Liquidity is the
            value of all pools, both sides. Without a pool, a listed token shows reported figures. Each figure
            has its date. Prices older than {MAX_PRICE_AGE_DAYS} days are not used.
          </p>
          <p>
            <strong>Market cap</strong> is for the token on this chain only: reported for stablecoins, else
            supply × price.
          </p>
        </HeldCard>
      </div>
    </>
  )
}

const keyOf = ({ chain, asset }: Row): string => `${chain}.${asset}`
/** Columns of what is known of a token without figures. */
const LISTED = ['token', 'chain', 'kind']

/** Short, with every digit on hover; base units where nobody says the decimals. */
function Supply({ supply, decimals, countDay }: Pick<Row, 'supply' | 'decimals' | 'countDay'>) {
  if (supply === null) return <span className={styles.quiet}>–</span>
  if (decimals === null) return dated(<span title="base units">{grouped(supply)}</span>, countDay)
  const exact = exactUnits(supply, decimals)
  return dated(<span title={exact}>{figureText(Number(supply) / 10 ** decimals, 'n').text}</span>, countDay)
}

/** Counts up to the newest block of their chain. */
const countsOf = (held: TokensAnswer['held']) => windowColumns<Row>(held, ({ countDay }) => countDay)

const holdersColumn = countColumn<Row>('holders', 'Holders', row => row.holderCount)

/** A figure with its day; a day without a value is that of the last one, which is too old to count. */
type Dated = { usd: number | null; day: string | null; about: string }

const NONE: Dated = { usd: null, day: null, about: '' }

/** Dollars and their day; where they come from on hover. */
const usd = (key: string, label: string, none: string, of: (row: Row) => Dated): TableColumn<Row> => ({
  key,
  label,
  isNumber: true,
  value: row => of(row).usd,
  cell: row => {
    const { usd, day, about } = of(row)
    if (usd === null)
      return (
        <span className={styles.quiet} title={day === null ? about : `Last on ${dayText(day)}`}>
          {day === null ? '–' : none}
        </span>
      )
    const { text, full } = figureText(usd, 'USD')
    return (
      <span className={styles.dated} title={`${full}, ${about}`}>
        {text}
        {day !== null && <small>{dayText(day)}</small>}
      </span>
    )
  },
})

const FLOOR = `no pool with ${LIQUIDITY_FLOOR_USD.toLocaleString('en')} US dollars on its other side`

/** From pools where one has a price, else as reported. */
function priceOf({ pools, priceUsd, priceDay }: Row): Dated {
  if (pools?.priceUsd != null) return { usd: pools.priceUsd, day: pools.day, about: 'from pools' }
  if (priceDay !== null) return { usd: priceUsd, day: priceDay, about: 'reported' }
  return { ...NONE, about: pools === null ? '' : FLOOR }
}

const liquidityOf = ({ pools, liquidityUsd, liquidityDay }: Row): Dated =>
  pools === null
    ? { usd: liquidityUsd, day: liquidityDay, about: 'reported' }
    : { usd: pools.liquidityUsd, day: pools.day, about: 'from pools' }

const columnsOf = (covered: Covered, held: TokensAnswer['held']): readonly TableColumn<Row>[] => [
  {
    key: 'token',
    label: 'Token',
    value: row => row.symbol ?? row.asset,
    cell: row => (
      <span className={styles.contract}>
        <ChainLink chain={row.chain} to={contractPath(row.chain, row.contract)} title={row.asset}>
          {row.symbol ?? row.asset.split('::')[1] ?? <code>{row.contract.slice(0, 10)}…</code>}
        </ChainLink>
        <small>
          {row.isNamesake ? (
            <span className={styles.down}>not the listed {row.symbol}</span>
          ) : (
            (row.name ?? 'No name')
          )}
          {row.otherWord !== null && <span className={styles.down}> {row.otherWord}</span>}
        </small>
      </span>
    ),
  },
  chainColumn(covered),
  usd('cap', 'Market cap', 'No price', ({ capUsd, capDay }) => ({
    usd: capUsd,
    day: capDay,
    about: 'of this chain alone',
  })),
  usd('price', 'Price', 'No price', priceOf),
  usd('liquidity', 'Liquidity', 'No data', liquidityOf),
  {
    key: 'supply',
    label: 'Supply',
    isNumber: true,
    value: row => (row.supply === null ? null : Number(row.supply) / 10 ** (row.decimals ?? 0)),
    cell: row => <Supply {...row} />,
  },
  {
    ...holdersColumn,
    cell: row => dated(holdersColumn.cell?.(row), row.holderCount === null ? null : row.countDay),
  },
  countsOf(held)('transfers', 'Transfers, 7 d', 168, row => row.transferCount7d),
  countsOf(held)('movers', 'Senders, 7 d', 168, row => row.moverCount7d),
  {
    ...countsOf(held)('transfers24h', 'Transfers, 24 h', 24, row => row.transferCount24h),
    isOptional: true,
  },
  {
    key: 'kind',
    label: 'Kind',
    value: row => row.kind,
    cell: row => row.kind ?? <span className={styles.quiet}>not listed</span>,
    isOptional: true,
  },
  {
    key: 'address',
    label: 'Asset',
    value: row => row.asset,
    cell: row => <code>{row.asset}</code>,
    isOptional: true,
  },
]

export const ErrorBoundary = PageError
