import {
  type LoaderFunctionArgs,
  type MetaArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
} from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import type { TokensAnswer } from '#http/contract.ts'
import { LIQUIDITY_FLOOR_USD } from '#kernel/stacks.ts'
import { asksAnew } from '../../assay/address.ts'
import { Choices } from '../../blocks/Choices.tsx'
import { countColumn } from '../../blocks/countColumn.ts'
import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
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
          sub="Those that moved in the blocks held, by transfers of seven days, and those that the catalogue lists"
          rows={answer.items}
          columns={columnsOf(covered)}
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
            <strong>Price and liquidity</strong> are counted here, from the reserves of the pools on Stacks
            whose prints are read, at the end of the newest day held. A price is that of the pool with most
            behind it, and only where its other side holds {LIQUIDITY_FLOOR_USD.toLocaleString('en')} US
            dollars at least of a token that has a price: below that anyone could set it. Liquidity is the
            value of all its pools, both sides; what has no price is worth nothing there. Where no pool tells,
            a listed token has those of a publisher: the day and whose word it is stand on hover.{' '}
            <strong>Capitalisation</strong> is a publisher’s.
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

/** Dollars; the day and whose word they are on hover. */
const usd = (
  key: string,
  label: string,
  of: (row: Row) => number | null,
  about: (row: Row) => string | null = row => row.priceDay,
): TableColumn<Row> => ({
  key,
  label,
  isNumber: true,
  value: of,
  cell: row => {
    const value = of(row)
    const words = about(row)
    if (value === null)
      return (
        <span className={styles.quiet} title={words ?? undefined}>
          –
        </span>
      )
    const { text, full } = figureText(value, 'USD')
    return <span title={`${full}${words === null ? '' : `, ${words}`}`}>{text}</span>
  },
})

const FLOOR = `no pool with ${LIQUIDITY_FLOOR_USD.toLocaleString('en')} US dollars on its other side`
const published = ({ priceDay }: Row): string | null => (priceDay === null ? null : `published, ${priceDay}`)
const ofPools = ({ pools }: Row): string | null => (pools === null ? null : `from pools, ${pools.day}`)

const columnsOf = (covered: Covered): readonly TableColumn<Row>[] => [
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
            (row.name ?? 'says no name')
          )}
          {row.otherWord !== null && <span className={styles.down}> {row.otherWord}</span>}
        </small>
      </span>
    ),
  },
  chainColumn(covered),
  {
    key: 'kind',
    label: 'Kind',
    value: row => row.kind,
    cell: row => row.kind ?? <span className={styles.quiet}>not listed</span>,
  },
  countColumn('transfers', 'Transfers, 7 d', row => row.transferCount7d),
  countColumn('transfers24h', '24 h', row => row.transferCount24h),
  countColumn('movers', 'Senders, 7 d', row => row.moverCount7d),
  countColumn('holders', 'Holders', row => row.holderCount),
  {
    key: 'supply',
    label: 'Supply',
    isNumber: true,
    value: row => (row.supply === null ? null : Number(row.supply) / 10 ** (row.decimals ?? 0)),
    cell: row => <Supply {...row} />,
  },
  usd(
    'price',
    'Price',
    row => row.pools?.priceUsd ?? row.priceUsd,
    row =>
      row.pools?.priceUsd != null
        ? ofPools(row)
        : row.priceUsd !== null
          ? published(row)
          : row.pools && FLOOR,
  ),
  usd(
    'liquidity',
    'Liquidity',
    row => (row.pools === null ? row.liquidityUsd : row.pools.liquidityUsd),
    row => (row.pools === null ? published(row) : ofPools(row)),
  ),
  usd('cap', 'Capitalisation', row => row.capUsd),
  {
    key: 'address',
    label: 'Asset',
    value: row => row.asset,
    cell: row => <code>{row.asset}</code>,
    isOptional: true,
  },
]

export const ErrorBoundary = PageError
