import {
  type LoaderFunctionArgs,
  type MetaArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
} from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import type { TokensAnswer } from '#http/contract.ts'
import { MAX_PRICE_AGE_DAYS } from '#kernel/currentPrice.ts'
import { LIQUIDITY_FLOOR_USD } from '#kernel/stacks.ts'
import { asksAnew } from '../../assay/address.ts'
import { Choices } from '../../blocks/Choices.tsx'
import { countColumn } from '../../blocks/countColumn.ts'
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
import { windowColumns } from './windowCount.tsx'

const PATH = '/tokens'
const QUESTION = QUESTIONS[PATH]

export async function loader({ url, context }: LoaderFunctionArgs) {
  const view = chainAsked(url.searchParams, context.get(siteContext).layers)
  const answer = await answering('The list of tokens', () => context.get(apiContext).across.tokens(view))
  return { answer, view, publicUrl: context.get(siteContext).publicUrl }
}

export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return asksAnew(currentUrl, nextUrl, needsRows)
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) =>
  pageMeta({ title: 'Tokens', path: PATH, description: QUESTION, publicUrl: loaderData?.publicUrl })

type Row = TokensAnswer['items'][number]

/** Fungible tokens of all chains that have contracts. */
export default function TokensPage() {
  const covered = useCovered()
  const { answer, view } = useLoaderData<typeof loader>()
  return (
    <>
      <ListHeading
        title="Tokens"
        question={QUESTION}
        path="/api/v1/tokens"
        asked={new URLSearchParams(view).toString()}
        answer={answer}
      />
      <Choices rows={[chainRow(covered, view.chain)]} />
      <div className={page.body}>
        <TableCard
          id="tokens"
          title="Fungible tokens"
          sub="By market cap, then price"
          rows={answer.items}
          columns={columnsOf(covered, answer.held)}
          rowKey={row => `${row.chain}.${row.asset}`}
          words={row =>
            `${row.symbol ?? ''} ${row.name ?? ''} ${row.asset} ${row.kind ?? ''} ${covered.of(row.chain).name}`
          }
          empty="No token is listed on this chain, and none moved in the blocks held."
        />
        <HeldCard chains={view.chain === undefined ? covered.ofContracts : [view.chain]} held={answer.held}>
          <p>
            <strong>Names</strong> are what a token says of itself when it is asked, else those of the
            catalogue. Anybody may deploy a token under any name: one that takes the symbol of a listed token
            without being it is marked as a namesake.
          </p>
          <p>
            <strong>Supply and holders</strong> are sums of transfers, told where everything since the token
            was made is held. A token whose amounts grow by themselves does not tell each change by a
            transfer, so they differ from what it says itself.
          </p>
          <p>
            <strong>Price and liquidity</strong> of tokens on Stacks are on-chain, from the reserves of pools
            at the end of the newest indexed day. A price is that of the deepest pool, and only where its
            other side holds at least {LIQUIDITY_FLOOR_USD.toLocaleString('en')} US dollars of a token that
            has a price. Liquidity is the value of all pools, both sides. Without a pool, a listed token shows
            reported figures. Each figure has its day. A price older than {MAX_PRICE_AGE_DAYS} days is no
            price.
          </p>
          <p>
            <strong>Market cap</strong> is that of the token on this chain alone: reported for stablecoins,
            else supply × price.
          </p>
        </HeldCard>
      </div>
    </>
  )
}

/** Short, with every digit on hover; base units where nobody says the decimals. */
function Supply({ supply, decimals }: Pick<Row, 'supply' | 'decimals'>) {
  if (supply === null) return <span className={styles.quiet}>–</span>
  if (decimals === null) return <span title="base units">{grouped(supply)}</span>
  const exact = exactUnits(supply, decimals)
  return <span title={exact}>{figureText(Number(supply) / 10 ** decimals, 'n').text}</span>
}

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
  countColumn('holders', 'Holders', row => row.holderCount),
  windowColumns<Row>(held)('transfers', 'Transfers, 7 d', 168, row => row.transferCount7d),
  windowColumns<Row>(held)('movers', 'Senders, 7 d', 168, row => row.moverCount7d),
  {
    ...windowColumns<Row>(held)('transfers24h', 'Transfers, 24 h', 24, row => row.transferCount24h),
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
