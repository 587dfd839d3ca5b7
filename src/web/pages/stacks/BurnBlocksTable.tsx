import { Link } from 'react-router'
import type { StacksBurnBlock } from '#http/contract.ts'
import { shortened } from '../../blocks/CopyText.tsx'
import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
import { grouped } from '../../format/figure.ts'
import { olderBlocks } from './Paging.tsx'
import { told } from './told.ts'

const COLUMNS: readonly TableColumn<StacksBurnBlock>[] = [
  {
    key: 'height',
    label: 'Bitcoin block',
    value: block => block.height,
    cell: block => <Link to={`/bitcoin/block/${block.height}`}>{grouped(String(block.height))}</Link>,
  },
  {
    key: 'elected',
    label: 'Stacks block',
    isNumber: true,
    value: block => block.stacksHeight,
    cell: block =>
      block.stacksHeight === null ? (
        'none indexed'
      ) : (
        <Link to={`/stacks/block/${block.stacksHeight}`}>{grouped(String(block.stacksHeight))}</Link>
      ),
  },
  {
    key: 'burnt',
    label: 'Burnt, sat',
    isNumber: true,
    value: block => told(block.burnSat, Number, null),
    cell: block => told(block.burnSat, grouped),
  },
  {
    key: 'paid',
    label: 'Paid to stackers, sat',
    isNumber: true,
    value: block => told(block.payoutSat, Number, null),
    cell: block => told(block.payoutSat, grouped),
  },
  { key: 'payouts', label: 'Payouts', isNumber: true, value: block => block.payoutCount },
  {
    key: 'winner',
    label: 'Commit that won',
    value: block => block.minerTxid,
    cell: block =>
      block.minerTxid ? <code title={block.minerTxid}>{shortened(block.minerTxid)}</code> : '–',
  },
]

type Props = { blocks: readonly StacksBurnBlock[]; older: string | null; isLater: boolean }

/** What miners paid in each Bitcoin block, as Stacks nodes report it: accepted commits only. */
export function BurnBlocksTable({ blocks, older, isLater }: Props) {
  return (
    <TableCard
      id="burn"
      title="Bitcoin blocks as Stacks nodes report them"
      sub="A bid is what was burnt and what was paid to stackers, of the commits that the node accepted"
      rows={blocks}
      columns={COLUMNS}
      rowKey={block => String(block.height)}
      words={block => `${block.height} ${block.hash} ${block.minerTxid ?? ''}`}
      empty="No Stacks node has reported a Bitcoin block here yet."
      foot={olderBlocks(older, isLater)}
    />
  )
}
