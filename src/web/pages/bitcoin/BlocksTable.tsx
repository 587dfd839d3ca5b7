import { Link, useLocation } from 'react-router'
import type { BlockSummary } from '#http/contract.ts'
import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
import { addressWith } from '../../blocks/view.ts'
import { dayText } from '../../format/day.ts'
import { btcCell, grouped, percentText, significant } from '../../format/figure.ts'
import styles from './BlocksTable.module.css'

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
        <span title={`by ${block.poolRule}`}>{block.pool}</span>
      ) : (
        <span className={styles.quiet}>{block.origin === 'statistics' ? 'not decoded' : 'unknown'}</span>
      ),
  },
  {
    key: 'txs',
    label: 'Transactions',
    isNumber: true,
    value: block => block.txCount,
    cell: block => grouped(String(block.txCount)),
  },
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
    key: 'protocols',
    label: 'Protocols',
    value: block => block.protocols.reduce((sum, part) => sum + part.txCount, 0) || null,
    cell: block => <Protocols block={block} />,
  },
  {
    key: 'inscriptions',
    label: 'Inscriptions',
    isNumber: true,
    isOptional: true,
    value: block => block.inscriptionCount,
  },
  {
    key: 'runestones',
    label: 'Runestones',
    isNumber: true,
    isOptional: true,
    value: block => block.runestoneCount,
  },
  {
    key: 'hash',
    label: 'Hash',
    isOptional: true,
    value: block => block.hash,
    cell: block => <code>{block.hash}</code>,
  },
]

type Gap = { from: number; to: number }

type Props = { blocks: readonly BlockSummary[]; gaps: readonly Gap[]; older: string | null; isWhole: boolean }

export function BlocksTable({ blocks, gaps, older, isWhole }: Props) {
  const { search } = useLocation()
  const olderBefore = blocks.at(-1)?.height
  return (
    <TableCard
      id="blocks"
      title={isWhole ? 'Blocks' : 'Latest blocks'}
      sub={
        isWhole
          ? 'Newest first. Blocks that we hold open with every transaction; of others a node’s statistics are known.'
          : 'Newest first'
      }
      rows={blocks}
      columns={COLUMNS}
      rowKey={block => String(block.height)}
      words={block =>
        `${block.height} ${block.hash} ${block.pool} ${block.protocols.map(part => part.protocol).join(' ')}`
      }
      empty="No block is held yet. Set BITCOIN_RPC_URL to a node, or load block files with assay backfill."
      foot={
        <>
          {!isWhole && (
            <Link className={styles.more} to="/bitcoin?tab=blocks">
              All blocks
            </Link>
          )}
          {isWhole && older !== null && olderBefore !== undefined && (
            <Link className={styles.more} to={addressWith(search, { before: String(olderBefore) })}>
              Older blocks
            </Link>
          )}
          {gaps.length > 0 && <span>Not held: {gaps.map(gapText).join(', ')}</span>}
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

function Protocols({ block }: { block: BlockSummary }) {
  const total = Math.max(block.txCount, 1)
  if (block.origin === 'statistics') return <span className={styles.quiet}>not decoded</span>
  if (block.protocols.length === 0) return <span className={styles.quiet}>none</span>
  const text = block.protocols.map(part => `${part.protocol} ${part.txCount}`).join(', ')
  return (
    <span className={styles.mix} role="img" aria-label={text} title={text}>
      {block.protocols.map((part, index) => (
        <i
          key={part.protocol}
          style={{
            inlineSize: `${(part.txCount / total) * 100}%`,
            background: `var(--series-${(index % 10) + 1})`,
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
