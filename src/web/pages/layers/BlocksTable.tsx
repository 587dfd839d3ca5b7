import { Link } from 'react-router'
import type { LayerBlockSummary, LayerHeaderView } from '#http/contract.ts'
import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
import { timeText } from '../../format/day.ts'
import { grouped, percentText, significant } from '../../format/figure.ts'
import type { SiteLayer } from '../../shell/layers.ts'
import { olderBlocks } from '../stacks/Paging.tsx'
import { Party } from './Party.tsx'
import { feeText, shortHash } from './words.ts'

const heightColumn = <Row extends { height: number }>(layer: SiteLayer): TableColumn<Row> => ({
  key: 'height',
  label: 'Block',
  value: row => row.height,
  cell: row => <Link to={`/${layer.id}/block/${row.height}`}>{grouped(String(row.height))}</Link>,
})
const timeColumn = <Row extends { time: string }>(): TableColumn<Row> => ({
  key: 'time',
  label: 'Time',
  value: row => row.time,
  cell: row => <time dateTime={row.time}>{timeText(row.time)}</time>,
})
const count = <Row,>(key: string, label: string, of: (row: Row) => number | null): TableColumn<Row> => ({
  key,
  label,
  isNumber: true,
  value: of,
  cell: row => {
    const value = of(row)
    return value === null ? '–' : grouped(String(value))
  },
})

const columnsOf = (layer: SiteLayer): readonly TableColumn<LayerBlockSummary>[] => [
  heightColumn(layer),
  timeColumn(),
  count('txs', 'Transactions', block => block.txCount),
  count('failed', 'Failed', block => block.failedTxCount),
  count('logs', 'Logs', block => block.logCount),
  {
    key: 'gas',
    label: 'Gas used',
    isNumber: true,
    value: block => Number(block.gasUsed) / Math.max(Number(block.gasLimit), 1),
    cell: block => (
      <span title={`${grouped(block.gasUsed)} of ${grouped(block.gasLimit)}`}>
        {percentText(Number(block.gasUsed) / Math.max(Number(block.gasLimit), 1))}
      </span>
    ),
  },
  {
    key: 'fees',
    label: 'Fees',
    isNumber: true,
    value: block => (block.feeWei === null ? null : Number(block.feeWei)),
    cell: block => {
      const { text, full } = feeText(layer, block.feeWei)
      return <span title={full}>{text}</span>
    },
  },
  {
    key: 'miner',
    label: 'Made by',
    value: block => block.miner,
    cell: block => <Party layer={layer} of={{ address: block.miner, name: null }} />,
  },
]

type BlocksProps = {
  layer: SiteLayer
  blocks: readonly LayerBlockSummary[]
  older: string | null
  isLater: boolean
}

/** Blocks of a layer, the newest first; heights that are not held are missing. */
export function BlocksTable({ layer, blocks, older, isLater }: BlocksProps) {
  return (
    <TableCard
      id="blocks"
      title="Blocks"
      sub="Newest first. Missing heights are not indexed"
      rows={blocks}
      columns={columnsOf(layer)}
      rowKey={block => String(block.height)}
      words={block => `${block.height} ${block.hash} ${block.miner}`}
      empty={`No indexed ${layer.name} blocks yet. Set ${layer.variable}=public to index it, or run assay backfill --chain ${layer.id}.`}
      foot={olderBlocks(older, isLater)}
    />
  )
}

const headerColumns = (layer: SiteLayer): readonly TableColumn<LayerHeaderView>[] => [
  heightColumn(layer),
  timeColumn(),
  {
    key: 'difficulty',
    label: 'Difficulty',
    isNumber: true,
    value: header => Number(header.difficulty),
    cell: header => (
      <span title={grouped(header.difficulty)}>{significant(Number(header.difficulty) / 1e18)}E</span>
    ),
  },
  count('uncles', 'Uncles', header => header.uncleCount),
  {
    key: 'fees',
    label: 'Fees',
    isNumber: true,
    value: header => (header.paidFeeWei === null ? null : Number(header.paidFeeWei)),
    cell: header => {
      const { text, full } = feeText(layer, header.paidFeeWei)
      return <span title={full}>{text}</span>
    },
  },
  {
    key: 'bitcoin',
    label: 'Bitcoin header mined for it',
    value: header => header.minedFor?.bitcoinHash ?? null,
    cell: header => <MinedFor of={header.minedFor} />,
  },
  {
    key: 'miner',
    label: 'Made by',
    value: header => header.miner,
    cell: header => <Party layer={layer} of={{ address: header.miner, name: null }} />,
    isOptional: true,
  },
]

/** The Bitcoin header of a merge-mined block: a link where it became a Bitcoin block that is known here. */
export function MinedFor({ of }: { of: LayerHeaderView['minedFor'] }) {
  if (of === null) return '–'
  if (of.bitcoinHeight === null)
    return (
      <code title={`${of.bitcoinHash}: no indexed Bitcoin block has this hash`}>
        {shortHash(of.bitcoinHash)}
      </code>
    )
  return (
    <Link to={`/bitcoin/block/${of.bitcoinHeight}`} title={of.bitcoinHash}>
      Bitcoin block {grouped(String(of.bitcoinHeight))}
    </Link>
  )
}

/** Headers that were recorded alone. Nothing where there is none. */
export function HeadersTable({ layer, headers }: { layer: SiteLayer; headers: readonly LayerHeaderView[] }) {
  if (headers.length === 0) return null
  return (
    <TableCard
      id="headers"
      title="Recorded headers"
      sub="Headers only, verified here: hash, links and the work of Bitcoin’s miners. The content of these blocks is not indexed, so no figure above includes them"
      rows={headers}
      columns={headerColumns(layer)}
      rowKey={header => String(header.height)}
      words={header => `${header.height} ${header.hash}`}
    />
  )
}
