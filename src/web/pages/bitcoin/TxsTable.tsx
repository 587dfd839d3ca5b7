import { Link } from 'react-router'
import type { TxSummary } from '#http/contract.ts'
import { shortened } from '../../blocks/CopyText.tsx'
import { countColumn } from '../../blocks/countColumn.ts'
import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
import { btcCell, grouped, significant } from '../../format/figure.ts'
import styles from './TxsTable.module.css'

const COLUMNS: readonly TableColumn<TxSummary>[] = [
  {
    key: 'txid',
    label: 'Transaction',
    value: tx => tx.txid,
    cell: tx => (
      <Link to={`/bitcoin/tx/${tx.txid}`} title={tx.txid}>
        <code>{shortened(tx.txid)}</code>
      </Link>
    ),
  },
  { key: 'place', label: 'Place', isNumber: true, value: tx => tx.txIndex },
  countColumn('inputs', 'Inputs', tx => tx.inputCount),
  countColumn('outputs', 'Outputs', tx => tx.outputCount),
  {
    key: 'value',
    label: 'Value, BTC',
    isNumber: true,
    value: tx => Number(tx.outputSat),
    cell: tx => btcCell(tx.outputSat),
  },
  {
    key: 'fee',
    label: 'Fee, sat',
    isNumber: true,
    value: tx => (tx.feeSat === null ? null : Number(tx.feeSat)),
    cell: tx => (tx.isCoinbase ? 'coinbase' : tx.feeSat === null ? '–' : grouped(tx.feeSat)),
  },
  {
    key: 'rate',
    label: 'sat/vB',
    isNumber: true,
    value: tx => tx.feerateSatPerVb,
    cell: tx => (tx.feerateSatPerVb === null ? '–' : significant(tx.feerateSatPerVb, 3)),
  },
  countColumn('size', 'vB', tx => tx.vsizeVb),
  {
    key: 'protocols',
    label: 'Carries',
    value: tx => tx.protocols.join(', ') || null,
    cell: tx => <Protocols names={tx.protocols} />,
  },
]

type Props = { txs: readonly TxSummary[]; more: string | undefined; isLater: boolean }

export function TxsTable({ txs, more, isLater }: Props) {
  const first = txs[0]?.txIndex ?? 0
  const last = txs.at(-1)?.txIndex ?? 0
  return (
    <TableCard
      id="txs"
      title="Transactions"
      sub={`In the order of the block: ${grouped(String(first))} to ${grouped(String(last))}`}
      rows={txs}
      columns={COLUMNS}
      rowKey={tx => `${tx.txIndex}`}
      words={tx => `${tx.txid} ${tx.protocols.join(' ')}`}
      foot={
        (more || isLater) && (
          <>
            {isLater && (
              <Link className={styles.more} to="?">
                From the first
              </Link>
            )}
            {more && (
              <Link className={styles.more} to={more}>
                Next transactions
              </Link>
            )}
          </>
        )
      }
    />
  )
}

export function Protocols({ names }: { names: readonly string[] }) {
  if (names.length === 0) return <span className={styles.quiet}>–</span>
  return names.map(name => (
    <span key={name} className={styles.tag}>
      {name}
    </span>
  ))
}
