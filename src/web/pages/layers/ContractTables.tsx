import { Link } from 'react-router'
import type { LayerContractLists } from '#http/contract.ts'
import { countColumn } from '../../blocks/countColumn.ts'
import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
import { timeText } from '../../format/day.ts'
import { partialText } from '../../format/indexed.ts'
import type { SiteLayer } from '../../shell/layers.ts'
import styles from '../stacks/Stacks.module.css'
import { Party } from './Party.tsx'
import { shortHash } from './words.ts'

type Hot = LayerContractLists['hot'][number]
const hotColumns = (layer: SiteLayer): readonly TableColumn<Hot>[] => [
  {
    key: 'contract',
    label: 'Contract',
    value: row => row.contract.name ?? row.contract.address,
    cell: row => <Party layer={layer} of={row.contract} />,
  },
  countColumn('calls', 'Calls', row => row.callCount),
  countColumn('failed', 'Failed', row => row.failedCallCount),
  countColumn('callers', 'Callers, best day', row => row.callerCount),
  {
    key: 'functions',
    label: 'Functions',
    value: row => row.functions.join(', '),
    cell: row => <code className={styles.code}>{row.functions.join(', ')}</code>,
  },
]

const howToFill = (layer: SiteLayer): string =>
  `set ${layer.variable}=public to follow the layer, or run assay backfill --chain ${layer.id}.`

type HotProps = Pick<LayerContractLists, 'indexedHours' | 'isWhole'> & {
  layer: SiteLayer
  rows: readonly Hot[]
}
/** What users call most. */
export function HotContracts({ layer, rows, indexedHours, isWhole }: HotProps) {
  return (
    <TableCard
      id="hot"
      title="Hot contracts"
      sub={`Most called by user transactions in the latest seven days with blocks${isWhole ? '' : partialText(indexedHours, 168)}`}
      rows={rows}
      columns={hotColumns(layer)}
      rowKey={row => row.contract.address}
      words={row => `${row.contract.address} ${row.contract.name ?? ''} ${row.functions.join(' ')}`}
      empty={`No indexed contract calls: ${howToFill(layer)}`}
    />
  )
}

const MADE: Record<string, string> = {
  transaction: 'by a transaction',
  create: 'by a contract',
  create2: 'by a contract, CREATE2',
}

type New = LayerContractLists['newest'][number]
const newColumns = (layer: SiteLayer): readonly TableColumn<New>[] => [
  {
    key: 'contract',
    label: 'Contract',
    value: row => row.contract.address,
    cell: row => <Party layer={layer} of={row.contract} />,
  },
  { key: 'kind', label: 'Made', value: row => MADE[row.kind] ?? row.kind },
  {
    key: 'creator',
    label: 'Made by',
    value: row => row.creator.address,
    cell: row => <Party layer={layer} of={row.creator} />,
  },
  {
    key: 'time',
    label: 'Time',
    value: row => row.time,
    cell: row => <time dateTime={row.time}>{timeText(row.time)}</time>,
  },
  {
    key: 'tx',
    label: 'Transaction',
    value: row => row.txHash,
    cell: row => (
      <Link to={`/${layer.id}/tx/${row.txHash}`} title={row.txHash}>
        <code>{shortHash(row.txHash)}</code>
      </Link>
    ),
  },
]

/** What was made last. */
export function NewContracts({ layer, rows }: { layer: SiteLayer; rows: readonly New[] }) {
  return (
    <TableCard
      id="newest"
      title="New contracts"
      rows={rows}
      columns={newColumns(layer)}
      rowKey={row => `${row.height}.${row.contract.address}`}
      words={row => `${row.contract.address} ${row.creator.address}`}
      empty={`No indexed deployments: ${howToFill(layer)}`}
    />
  )
}
