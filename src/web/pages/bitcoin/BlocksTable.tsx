import { Link, useLocation } from 'react-router'
import type { BlockSummary } from '#http/contract.ts'
import type { DataProtocol } from '#kernel/bitcoin.ts'
import { countColumn } from '../../blocks/countColumn.ts'
import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
import { addressWith } from '../../blocks/view.ts'
import { dayText } from '../../format/day.ts'
import { btcCell, grouped, percentText, significant } from '../../format/figure.ts'
import styles from './BlocksTable.module.css'
import { layerOf, poolRuleText } from './words.ts'

const MAX_WEIGHT = 4_000_000

const COLUMNS: readonly TableColumn<BlockSummary>[] = [
  {
    key: 'height',
    label: 'Block',
    value: block => block.height,
    cell: block => <Link to={`/bitcoin/block/${block.height}`}>{grouped(String(block.height))}</Link>,
  },
  {
    key: 'time',
    label: 'Time, UTC',
    value: block => block.time,
    cell: block => (
      <time dateTime={block.time}>
        {dayText(block.time)} <span className={styles.clock}>{block.time.slice(11, 16)}</span>
      </time>
    ),
  },
  {
    key: 'pool',
    label: 'Pool',
    value: block => block.pool || null,
    cell: block =>
      block.pool ? (
        <span title={poolRuleText(block.poolRule)}>{block.pool}</span>
      ) : (
        <span className={styles.quiet}>{block.origin === 'statistics' ? 'not decoded' : 'unknown'}</span>
      ),
  },
  countColumn('txs', 'Transactions', block => block.txCount),
  {
    key: 'fill',
    label: 'Weight used',
    isNumber: true,
    value: block => (block.weightWu === null ? null : block.weightWu / MAX_WEIGHT),
    cell: block => (block.weightWu === null ? '–' : <Bar share={block.weightWu / MAX_WEIGHT} />),
  },
  {
    key: 'rate',
    label: 'Median, sat/vB',
    isNumber: true,
    value: block => block.medianFeerate,
    cell: block => feerateCell(block),
  },
  {
    key: 'fees',
    label: 'Fees, BTC',
    isNumber: true,
    value: block => (block.feeSat === null ? null : Number(block.feeSat)),
    cell: block => (block.feeSat === null ? '–' : btcCell(block.feeSat)),
  },
  {
    key: 'subsidy',
    label: 'Subsidy, BTC',
    isNumber: true,
    isOptional: true,
    value: block => Number(block.subsidySat),
    cell: block => btcCell(block.subsidySat),
  },
  {
    key: 'size',
    label: 'Size, kB',
    isNumber: true,
    isOptional: true,
    value: block => block.sizeBytes,
    cell: block => (block.sizeBytes === null ? '–' : significant(block.sizeBytes / 1000, 5)),
  },
  {
    key: 'inscriptions',
    label: 'Inscriptions',
    isNumber: true,
    isOptional: true,
    value: block => block.inscriptionCount,
    cell: block => countCell(block.inscriptionCount),
  },
  {
    key: 'runestones',
    label: 'Runestones',
    isNumber: true,
    isOptional: true,
    value: block => block.runestoneCount,
    cell: block => countCell(block.runestoneCount),
  },
  {
    key: 'protocols',
    label: 'Protocols',
    value: block => block.protocols.reduce((sum, part) => sum + part.txCount, 0) || null,
    cell: block => <Protocols block={block} />,
  },
  {
    key: 'hash',
    label: 'Hash',
    isOptional: true,
    value: block => block.hash,
    cell: block => <code>{block.hash}</code>,
  },
]

const countCell = (count: number | null): string => (count === null ? '–' : grouped(String(count)))

type Gap = { from: number; to: number }

/** The newest few, all of them page by page, or those that we hold whole with what they carry. */
type Kind = 'latest' | 'all' | 'decoded'

type Props = {
  blocks: readonly BlockSummary[]
  gaps: readonly Gap[]
  older: string | null
  kind: Kind
  /** Not the first page. */
  isLater: boolean
}

const TITLE: Record<Kind, string> = { latest: 'Latest blocks', all: 'Blocks', decoded: 'Decoded blocks' }
const SUB: Record<Kind, string> = {
  latest: 'Newest first',
  all: 'Newest first. Indexed blocks open with every transaction. Others have node statistics only.',
  decoded: 'Newest first: fully indexed blocks and the transactions of each protocol in them.',
}

/** Shown of decoded blocks: what they carry, in words. */
const DECODED_COLUMNS: readonly TableColumn<BlockSummary>[] = COLUMNS.map(({ isOptional, ...column }) => {
  const isShown = ['height', 'time', 'pool', 'txs', 'protocols', 'inscriptions', 'runestones'].includes(
    column.key,
  )
  const cell =
    column.key === 'protocols' ? (block: BlockSummary) => <Protocols block={block} isLong /> : column.cell
  return { ...column, ...(cell && { cell }), ...(!isShown && { isOptional: true }) }
})

export function BlocksTable({ blocks, gaps, older, kind, isLater }: Props) {
  const { search } = useLocation()
  const olderBefore = blocks.at(-1)?.height
  return (
    <TableCard
      id="blocks"
      title={TITLE[kind]}
      sub={SUB[kind]}
      rows={blocks}
      columns={kind === 'decoded' ? DECODED_COLUMNS : COLUMNS}
      rowKey={block => String(block.height)}
      words={block =>
        `${block.height} ${block.hash} ${block.pool} ${block.protocols.map(part => part.protocol).join(' ')}`
      }
      empty="No indexed blocks yet. Set BITCOIN_RPC_URL to a node, or load block files with assay backfill."
      foot={
        <>
          {kind !== 'all' && (
            <Link className={styles.more} to="/bitcoin?tab=blocks">
              All blocks
            </Link>
          )}
          {isLater && (
            <Link className={styles.more} to={addressWith(search, { before: undefined })}>
              Newest blocks
            </Link>
          )}
          {kind !== 'latest' && older !== null && olderBefore !== undefined && (
            <Link className={styles.more} to={addressWith(search, { before: String(olderBefore) })}>
              Older blocks
            </Link>
          )}
          {gaps.length > 0 && <span>Not indexed: {gaps.map(gapText).join(', ')}</span>}
        </>
      }
    />
  )
}

const gapText = ({ from, to }: Gap): string =>
  from === to ? grouped(String(from)) : `${grouped(String(from))} to ${grouped(String(to))}`

function Bar({ share }: { share: number }) {
  return (
    <span className={styles.bar}>
      {percentText(share)}
      <i style={{ inlineSize: `${Math.min(100, share * 100)}%` }} />
    </span>
  )
}

/** The same protocol has the same colour in every row; layers have their own. */
const PROTOCOL_COLOUR: Partial<Record<string, string>> = {
  inscription: 'series-1',
  runes: 'series-2',
  counterparty: 'series-5',
  'brc-20': 'series-6',
  omni: 'series-9',
  opentimestamps: 'series-10',
} satisfies Partial<Record<DataProtocol, string>>

function protocolColour(protocol: string): string {
  const layer = layerOf(protocol)
  return `var(--${layer ? `series-${layer}` : (PROTOCOL_COLOUR[protocol] ?? 'series-rest')})`
}

function Protocols({ block, isLong = false }: { block: BlockSummary; isLong?: boolean }) {
  const total = Math.max(block.txCount, 1)
  if (block.origin === 'statistics') return <span className={styles.quiet}>not decoded</span>
  if (block.protocols.length === 0) return <span className={styles.quiet}>none</span>
  if (isLong) {
    return (
      <ul className={styles.protocols}>
        {block.protocols.map(part => (
          <li key={part.protocol}>
            <i style={{ background: protocolColour(part.protocol) }} />
            {part.protocol} {grouped(String(part.txCount))}
          </li>
        ))}
      </ul>
    )
  }
  const text = block.protocols.map(part => `${part.protocol} ${part.txCount}`).join(', ')
  return (
    <span className={styles.mix} role="img" aria-label={text} title={text}>
      {block.protocols.map(part => (
        <i
          key={part.protocol}
          style={{
            inlineSize: `${(part.txCount / total) * 100}%`,
            background: protocolColour(part.protocol),
          }}
        />
      ))}
    </span>
  )
}

/** A node's statistics cut feerates to whole sat/vB: its 0 is a rate below 1. */
function feerateCell({ medianFeerate, origin }: BlockSummary): string {
  if (medianFeerate === null) return '–'
  return origin === 'statistics' && medianFeerate === 0 ? '< 1' : significant(medianFeerate, 3)
}
