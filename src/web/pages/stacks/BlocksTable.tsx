import { Link } from 'react-router'
import type { StacksBlockSummary } from '#http/contract.ts'
import { countColumn } from '../../blocks/countColumn.ts'
import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
import { timeText } from '../../format/day.ts'
import { exactStx, grouped } from '../../format/figure.ts'
import { olderBlocks } from './Paging.tsx'
import { told } from './told.ts'

/** What the source of a block does not say is a dash. */
const count = (key: string, label: string, of: (block: StacksBlockSummary) => number | null) => ({
  key,
  label,
  isNumber: true,
  value: of,
  cell: (block: StacksBlockSummary) => told(of(block), value => grouped(String(value))),
})
const stx = (key: string, label: string, of: (block: StacksBlockSummary) => string | null) => ({
  key,
  label: `${label}, STX`,
  isNumber: true,
  value: (block: StacksBlockSummary) => told(of(block), value => Number(value) / 1e6, null),
  cell: (block: StacksBlockSummary) => told(of(block), value => exactStx(value).replace(' STX', '')),
})

const COLUMNS: readonly TableColumn<StacksBlockSummary>[] = [
  {
    key: 'height',
    label: 'Block',
    value: block => block.height,
    cell: block => <Link to={`/stacks/block/${block.height}`}>{grouped(String(block.height))}</Link>,
  },
  {
    key: 'time',
    label: 'Time',
    value: block => block.time,
    cell: block => <time dateTime={block.time}>{timeText(block.time)}</time>,
  },
  countColumn('bitcoin', 'Bitcoin block', block => block.burnHeight),
  count('txs', 'Transactions', block => block.txCount),
  count('failed', 'Failed', block => block.failedTxCount),
  count('events', 'Events', block => block.eventCount),
  stx('fees', 'Fees', block => block.feeUstx),
  stx('reward', 'Paid to miners', block => block.minerRewardUstx),
]

type Props = { blocks: readonly StacksBlockSummary[]; older: string | null; isLater: boolean }

/** Blocks of Stacks, the newest first; heights that are not held are missing. */
export function BlocksTable({ blocks, older, isLater }: Props) {
  return (
    <TableCard
      id="blocks"
      title="Blocks"
      sub="Newest first. Missing heights are not indexed"
      rows={blocks}
      columns={COLUMNS}
      rowKey={block => String(block.height)}
      words={block => `${block.height} ${block.hash} ${block.burnHeight}`}
      empty={isLater ? 'No indexed block below this height.' : 'No indexed Stacks blocks yet.'}
      foot={olderBlocks(older, isLater)}
    />
  )
}
