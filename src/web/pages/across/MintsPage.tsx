import {
  type LoaderFunctionArgs,
  type MetaArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
} from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import type { MintsAnswer } from '#http/contract.ts'
import { asksAnew } from '../../assay/address.ts'
import { Change } from '../../blocks/Change.tsx'
import { Choices } from '../../blocks/Choices.tsx'
import { dayOfList, freshChainsFirst, listMark } from '../../blocks/load/listMark.server.ts'
import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
import { dayText, timeText } from '../../format/day.ts'
import { significant } from '../../format/figure.ts'
import { PageError } from '../../shell/PageError.tsx'
import { answering } from '../answering.server.ts'
import { pageMeta } from '../pageMeta.ts'
import page from '../stacks/Stacks.module.css'
import styles from './Across.module.css'
import {
  accountPath,
  accountText,
  type Covered,
  chainAsked,
  chainRow,
  contractPath,
  useCovered,
} from './chains.ts'
import { HeldCard } from './Held.tsx'
import { ListHeading } from './ListHeading.tsx'
import { ChainLink, Coin, chainColumn } from './parts.tsx'
import { QUESTIONS } from './questions.ts'
import { needsRows } from './span.ts'
import { windowColumns } from './windowCount.tsx'

const PATH = '/dashboards/discovermints'
const QUESTION = QUESTIONS[PATH]

export async function loader({ url, context }: LoaderFunctionArgs) {
  const view = chainAsked(url.searchParams, context.get(siteContext).layers)
  const answer = await answering('The list of mints', () => context.get(apiContext).across.mints(view))
  const today = dayOfList(url)
  return {
    answer: { ...answer, items: freshChainsFirst(answer.items, answer.held, today) },
    mark: listMark(answer.held, today),
    view,
    publicUrl: context.get(siteContext).publicUrl,
  }
}

export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return asksAnew(currentUrl, nextUrl, needsRows)
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) =>
  pageMeta({ title: 'Discover mints', path: PATH, description: QUESTION, publicUrl: loaderData?.publicUrl })

type Row = MintsAnswer['items'][number]

/** NFTs and tokens of all chains that are being minted. */
export default function MintsPage() {
  const covered = useCovered()
  const { answer, mark, view } = useLoaderData<typeof loader>()
  const columns = columnsOf(covered, answer.held)
  const rising = answer.items
    .filter(({ growth, mintCount24h }) => growth !== null && growth > 0 && (mintCount24h ?? 0) >= RISING_FROM)
    .toSorted((a, b) => b.growth! - a.growth!)
  const fresh = answer.items
    .filter(({ isNew }) => isNew)
    .toSorted((a, b) => (a.firstMint < b.firstMint ? 1 : -1))
  return (
    <>
      <ListHeading
        title="Discover mints"
        question={QUESTION}
        path="/api/v1/mints"
        asked={new URLSearchParams(view).toString()}
        mark={mark}
      />
      <Choices rows={[chainRow(covered, view.chain)]} />
      <div className={page.body}>
        <TableCard
          id="mints"
          title="Minted most"
          sub="By mints in the latest 24 hours of each chain, then in seven days"
          rows={answer.items}
          columns={columns}
          rowKey={row => `${row.chain}.${row.asset}`}
          words={row =>
            `${row.name ?? ''} ${row.asset} ${row.kind} ${row.flags.join(' ')} ${covered.of(row.chain).name}`
          }
          empty="No mints in the indexed blocks. See below how to index a chain."
        />
        {rising.length > 0 && (
          <TableCard
            id="rising"
            title="Rising"
            sub={`At least ${RISING_FROM} mints in 24 hours, and more than in the 24 before`}
            rows={rising}
            columns={columns}
            rowKey={row => `rising.${row.chain}.${row.asset}`}
          />
        )}
        {fresh.length > 0 && (
          <TableCard
            id="new"
            title="New"
            sub="First minted in the latest seven days, with the contract itself indexed"
            rows={fresh}
            columns={columns}
            rowKey={row => `new.${row.chain}.${row.asset}`}
          />
        )}
        <HeldCard chains={view.chain === undefined ? covered.ofContracts : [view.chain]} held={answer.held}>
          <p>
            <strong>A mint</strong> is an event by which an NFT or an amount of a token came to be. Protocols
            mint too: shares of pools, receipts, wrapped coins. Windows end with each chain’s newest block.
          </p>
          <p>
            <strong>Price</strong> is the median of what minters paid in the transaction for each NFT: STX
            sent by who got it, or coin that the transaction carried.
          </p>
          <p>
            <strong>Look twice</strong>: few minters (fewer than five, or one with more than half), creator
            mints most, mints fail (more than half of five and more tries in a day, which may mean sold out),
            copied code (same code as another indexed contract), no name (the contract returns none), contract
            not held (deployed before the indexed blocks). A flag is not a verdict, and no flag is not an
            approval.
          </p>
        </HeldCard>
      </div>
    </>
  )
}

/** Fewer mints double by chance. */
const RISING_FROM = 5

const columnsOf = (covered: Covered, held: MintsAnswer['held']): readonly TableColumn<Row>[] => [
  {
    key: 'asset',
    label: 'What',
    value: row => row.name ?? row.asset,
    cell: row => (
      <span className={styles.contract}>
        <ChainLink chain={row.chain} to={contractPath(row.chain, row.contract)} title={row.asset}>
          {row.known?.name ?? row.name ?? row.asset.split('::')[1] ?? (
            <code>{accountText(row.chain, row.contract)}</code>
          )}
        </ChainLink>
        <small>
          {row.kind === 'nft' ? 'NFT' : 'token'}
          {row.isOver ? ', sold out or closed' : ''}
        </small>
      </span>
    ),
  },
  chainColumn(covered, held),
  windowColumns<Row>(held)('mints24', 'Mints, 24 h', 24, row => row.mintCount24h),
  {
    key: 'growth',
    label: 'Growth',
    isNumber: true,
    value: row => row.growth,
    cell: row => <Change change={row.growth} />,
  },
  windowColumns<Row>(held)('mints7', '7 d', 168, row => row.mintCount7d),
  {
    key: 'rate',
    label: 'An hour',
    isNumber: true,
    value: row => row.ratePerHour,
    cell: row => (row.ratePerHour === null ? '–' : significant(row.ratePerHour, 3)),
  },
  windowColumns<Row>(held)('minters', 'Minters, 7 d', 168, row => row.minterCount7d),
  {
    key: 'price',
    label: 'Price',
    isNumber: true,
    value: row => (row.price === null ? null : Number(row.price)),
    cell: row =>
      row.price === null ? (
        <span className={styles.quiet}>–</span>
      ) : (
        <Coin chain={row.chain} amount={row.price} />
      ),
  },
  {
    key: 'creator',
    label: 'Creator',
    value: row => row.creator,
    cell: row =>
      row.creator === null ? (
        <span className={styles.quiet}>–</span>
      ) : (
        <ChainLink chain={row.chain} to={accountPath(row.chain, row.creator)} title={row.creator}>
          <code>{accountText(row.chain, row.creator)}</code>
        </ChainLink>
      ),
  },
  {
    key: 'first',
    label: 'First indexed mint',
    value: row => row.firstMint,
    cell: row => (
      <time dateTime={row.firstMint} title={timeText(row.firstMint)}>
        {dayText(row.firstMint)}
      </time>
    ),
  },
  {
    key: 'flags',
    label: 'Look twice',
    value: row => row.flags.join(', '),
    cell: row =>
      row.flags.length === 0 ? (
        <span className={styles.quiet}>–</span>
      ) : (
        <span className={styles.flags}>{row.flags.join(', ')}</span>
      ),
  },
]

export const ErrorBoundary = PageError
