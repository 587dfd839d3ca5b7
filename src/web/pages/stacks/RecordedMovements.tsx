import { Link } from 'react-router'
import type { StacksAddressDetail } from '#http/contract.ts'
import { shortened } from '../../blocks/CopyText.tsx'
import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
import { timeText } from '../../format/day.ts'
import { exactStx, grouped } from '../../format/figure.ts'
import { Principal } from './Principal.tsx'

type Movement = StacksAddressDetail['recorded'][number]

/** An amount with its coin: of STX every digit, of others base units, since the history tells no decimals. */
const amountText = (amount: string | null, asset: string | null): string =>
  amount === null || asset === null
    ? '–'
    : asset === 'STX'
      ? exactStx(amount)
      : `${grouped(amount)} base units ${asset}`

const amountColumn = (
  key: string,
  label: string,
  of: (row: Movement) => readonly [amount: string | null, asset: string | null],
): TableColumn<Movement> => ({
  key,
  label,
  isNumber: true,
  value: row => {
    const [amount, asset] = of(row)
    return amount === null ? null : asset === 'STX' ? Number(amount) / 1e6 : Number(amount)
  },
  cell: row => amountText(...of(row)),
})

const COLUMNS: readonly TableColumn<Movement>[] = [
  {
    key: 'time',
    label: 'Time',
    value: row => row.time,
    cell: row => <time dateTime={row.time}>{timeText(row.time)}</time>,
  },
  amountColumn('in', 'Came in', row => [row.receivedAmount, row.receivedAsset]),
  { key: 'in_coin', label: 'Coin that came', value: row => row.receivedAsset, isOptional: true },
  { key: 'from', label: 'From', value: row => row.sender, cell: row => <Principal of={row.sender} /> },
  amountColumn('out', 'Went out', row => [row.sentAmount, row.sentAsset]),
  { key: 'out_coin', label: 'Coin that went', value: row => row.sentAsset, isOptional: true },
  { key: 'to', label: 'To', value: row => row.recipient, cell: row => <Principal of={row.recipient} /> },
  { key: 'kind', label: 'Kind', value: row => row.kind, isOptional: true },
  { key: 'purpose', label: 'Function or memo', value: row => row.purpose || null },
  {
    key: 'txid',
    label: 'Transaction',
    value: row => row.txid,
    cell: row => (
      <a
        href={`https://explorer.hiro.so/txid/0x${row.txid}?chain=mainnet`}
        rel="noopener noreferrer"
        title={row.txid}
      >
        <code>{shortened(row.txid, 6)}</code>
      </a>
    ),
  },
]

/** What recorded histories of SIP-031’s coins tell of an address, so that these can be followed on. Nothing where they tell nothing. */
export function RecordedMovements({ movements }: { movements: readonly Movement[] }) {
  if (movements.length === 0) return null
  return (
    <TableCard
      id="recorded"
      title="Movements on record"
      sub="Newest first, from histories of the SIP-031 endowment and of the accounts that it funded, 13 May to 25 November 2025. Their blocks may not be indexed, so transactions open in Hiro’s explorer"
      rows={movements}
      columns={COLUMNS}
      rowKey={row => String(movements.indexOf(row))}
      words={row =>
        `${row.sender ?? ''} ${row.recipient ?? ''} ${row.kind} ${row.purpose} ${row.sentAsset ?? ''} ${row.receivedAsset ?? ''}`
      }
      foot={<Link to="/stacks/sip-031">SIP-031, and where its coins went</Link>}
    />
  )
}
