import {
  type LoaderFunctionArgs,
  type MetaArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
} from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import type { CollectionsAnswer } from '#http/contract.ts'
import { asksAnew } from '../../assay/address.ts'
import { Choices } from '../../blocks/Choices.tsx'
import { countColumn } from '../../blocks/countColumn.ts'
import { dayOfList, freshChainsFirst, listMark } from '../../blocks/load/listMark.server.ts'
import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
import { timeText } from '../../format/day.ts'
import { percentText } from '../../format/figure.ts'
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
  txPath,
  useCovered,
} from './chains.ts'
import { HeldCard } from './Held.tsx'
import { ListHeading } from './ListHeading.tsx'
import { ChainLink, Coin, chainColumn } from './parts.tsx'
import { QUESTIONS } from './questions.ts'
import { needsRows } from './span.ts'
import { atLeast, windowColumns } from './windowCount.tsx'

const PATH = '/collections'
const QUESTION = QUESTIONS[PATH]

export async function loader({ url, context }: LoaderFunctionArgs) {
  const view = chainAsked(url.searchParams, context.get(siteContext).layers)
  const answer = await answering('The list of collections', () =>
    context.get(apiContext).across.collections(view),
  )
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
  pageMeta({ title: 'NFT collections', path: PATH, description: QUESTION, publicUrl: loaderData?.publicUrl })

type Row = CollectionsAnswer['items'][number]
type Sale = CollectionsAnswer['sales'][number]

/** Collections of NFTs of all chains that have contracts, and their newest sales. */
export default function CollectionsPage() {
  const covered = useCovered()
  const { answer, mark, view } = useLoaderData<typeof loader>()
  return (
    <>
      <ListHeading
        title="NFT collections"
        question={QUESTION}
        path="/api/v1/collections"
        asked={new URLSearchParams(view).toString()}
        mark={mark}
      />
      <Choices rows={[chainRow(covered, view.chain)]} />
      <div className={page.body}>
        <TableCard
          id="collections"
          title="Collections"
          sub="By thirty-day volume, then by transfers. Windows end with each chain’s latest block"
          rows={answer.items}
          columns={columnsOf(covered, answer.held)}
          rowKey={row => `${row.chain}.${row.asset}`}
          words={row =>
            `${row.name ?? ''} ${row.described?.name ?? ''} ${row.asset} ${row.known?.name ?? ''} ${covered.of(row.chain).name}`
          }
          empty="No NFT transfers in the indexed blocks. See below how to index a chain."
        />
        <TableCard
          id="sales"
          title="Newest sales"
          rows={answer.sales}
          columns={saleColumns(covered)}
          rowKey={row => `${row.txHash}.${row.asset}.${row.token}`}
          words={row => `${row.asset} ${row.token} ${row.seller} ${row.buyer} ${row.market}`}
          empty="No NFT sales in the indexed blocks."
        />
        <HeldCard chains={view.chain === undefined ? covered.ofContracts : [view.chain]} held={answer.held}>
          <p>
            <strong>A sale</strong> on Stacks is an NFT transfer in a transaction in which the new owner pays
            STX, or a contract pays the previous owner (an accepted bid). The price is what the buyer paid,
            including marketplace fees. On EVM layers, it is an NFT transfer to the sender of a transaction
            with a coin value. Sales for tokens are not counted yet. If several NFTs move at once, their
            individual prices are unknown and excluded from the volume.
          </p>
          <p>
            <strong>The floor</strong> is the lowest asking price in contract prints: the format introduced by
            Gamma, which most collections use, and Tradeport’s markets. An offer counts until its NFT moves.
            On EVM layers, offers are off-chain.
          </p>
          <p>
            <strong>Items and holders</strong> are those with transfers in the indexed blocks. A marketplace
            contract is one holder for all NFTs in it. Wash trades look like any other.
          </p>
          <p>
            <strong>Names</strong> come from the catalog, else from the contract, else from the public
            metadata service’s description of the first item. Its creator wrote that description. The image
            URL is an optional text column. Images are not loaded.
          </p>
        </HeldCard>
      </div>
    </>
  )
}

/** Of an amount over the newest hours also what is indexed, and how many hours it is over. */
const amountColumn = (
  key: string,
  label: string,
  of: (row: Row) => string | null,
  [held, hours]: readonly [CollectionsAnswer['held'], number] = [[], 0],
): TableColumn<Row> => ({
  key,
  label,
  isNumber: true,
  value: row => {
    const amount = of(row)
    return amount === null ? null : Number(amount)
  },
  cell: row => {
    const amount = of(row)
    return amount === null || amount === '0' ? (
      <span className={styles.quiet}>–</span>
    ) : (
      atLeast(held, row, hours, <Coin chain={row.chain} amount={amount} />)
    )
  },
})

/** Counts of what is held, with a mark where that is not all. */
const heldCount = (key: string, label: string, of: (row: Row) => number | null): TableColumn<Row> => ({
  ...countColumn<Row>(key, label, of),
  cell: row => {
    const count = of(row)
    if (count === null) return <span className={styles.quiet}>–</span>
    return row.isWhole ? String(count) : <span title="Indexed so far. There may be more.">≥ {count}</span>
  },
})

/** Known only where all items are: of a few that moved it would be a share of a fragment. */
const listedShare = ({ isWhole, listedCount, itemCount }: Row): number | null =>
  !isWhole || listedCount === null || !itemCount ? null : listedCount / itemCount

const columnsOf = (covered: Covered, held: CollectionsAnswer['held']): readonly TableColumn<Row>[] => [
  {
    key: 'collection',
    label: 'Collection',
    value: row => row.known?.name ?? row.name ?? row.described?.name ?? row.asset,
    cell: row => (
      <span className={styles.contract}>
        <ChainLink chain={row.chain} to={contractPath(row.chain, row.contract)} title={row.asset}>
          {row.known?.name ?? row.name ?? row.described?.name ?? row.asset.split('::')[1] ?? (
            <code>{row.contract.slice(0, 10)}…</code>
          )}
        </ChainLink>
        <small>{accountText(row.chain, row.contract)}</small>
        <OtherName row={row} />
      </span>
    ),
  },
  chainColumn(covered, held),
  amountColumn('floor', 'Floor', row => row.floor),
  amountColumn('volume30', 'Volume, 30 d', row => row.volume30d, [held, 720]),
  amountColumn('volume7', '7 d', row => row.volume7d, [held, 168]),
  windowColumns<Row>(held)('sales30', 'Sales, 30 d', 720, row => row.saleCount30d),
  heldCount('items', 'Items', row => row.itemCount),
  heldCount('holders', 'Holders', row => row.holderCount),
  {
    key: 'listed',
    label: 'Listed',
    isNumber: true,
    value: listedShare,
    cell: row => {
      const share = listedShare(row)
      return share === null ? (
        <span className={styles.quiet}>–</span>
      ) : (
        <span title={`${row.listedCount} of ${row.itemCount}`}>{percentText(share)}</span>
      )
    },
  },
  windowColumns<Row>(held)('mints', 'Mints, 30 d', 720, row => row.mintCount30d),
  windowColumns<Row>(held)('moves', 'Movements, 30 d', 720, row => row.transferCount30d),
  {
    key: 'picture',
    label: 'Picture',
    title: 'Address of a picture as its maker describes it; it is not loaded here',
    isOptional: true,
    value: row => row.described?.picture ?? null,
    cell: row =>
      row.described?.picture == null ? (
        <span className={styles.quiet}>–</span>
      ) : (
        <code className={styles.address}>{row.described.picture}</code>
      ),
  },
]

/** Where the public metadata service calls it otherwise than its first name here. */
function OtherName({ row: { known, name, described } }: { row: Row }) {
  const shown = known?.name ?? name
  const other = described?.name ?? null
  if (other === null || shown == null || plain(other) === plain(shown)) return null
  return <small>described as {other}</small>
}

/** Spaces, hyphens and case make no other name. */
const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

function Account({ chain, of }: { chain: Sale['chain']; of: string }) {
  return (
    <ChainLink chain={chain} to={accountPath(chain, of)} title={of}>
      <code>{accountText(chain, of)}</code>
    </ChainLink>
  )
}

const saleColumns = (covered: Covered): readonly TableColumn<Sale>[] => [
  {
    key: 'nft',
    label: 'NFT',
    value: row => `${row.asset} ${row.token}`,
    cell: row => (
      <span className={styles.contract}>
        <ChainLink chain={row.chain} to={contractPath(row.chain, row.contract)} title={row.asset}>
          {row.asset.split('::')[1] ?? accountText(row.chain, row.contract)} {row.token.replace(/^u/, 'no. ')}
        </ChainLink>
      </span>
    ),
  },
  chainColumn(covered),
  {
    key: 'price',
    label: 'Price',
    isNumber: true,
    value: row => (row.price === null ? null : Number(row.price)),
    cell: row =>
      row.price === null ? (
        <span className={styles.quiet}>one of {row.nftCount}</span>
      ) : (
        <Coin chain={row.chain} amount={row.price} />
      ),
  },
  {
    key: 'seller',
    label: 'From',
    value: row => row.seller,
    cell: row => <Account chain={row.chain} of={row.seller} />,
  },
  {
    key: 'buyer',
    label: 'To',
    value: row => row.buyer,
    cell: row => <Account chain={row.chain} of={row.buyer} />,
  },
  {
    key: 'market',
    label: 'Through',
    value: row => row.market,
    cell: row => <Account chain={row.chain} of={row.market} />,
  },
  {
    key: 'time',
    label: 'Time',
    value: row => row.time,
    cell: row => (
      <time dateTime={row.time}>
        <ChainLink chain={row.chain} to={txPath(row.chain, row.txHash)}>
          {timeText(row.time)}
        </ChainLink>
      </time>
    ),
  },
]

export const ErrorBoundary = PageError
