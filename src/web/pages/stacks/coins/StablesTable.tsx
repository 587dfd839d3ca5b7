import type { StacksCoin } from '#http/contract.ts'
import { countColumn } from '../../../blocks/countColumn.ts'
import { TableCard, type TableColumn } from '../../../blocks/TableCard.tsx'
import { exactUnits } from '../../../format/figure.ts'
import { partialText } from '../../../format/indexed.ts'
import { Principal } from '../Principal.tsx'
import styles from './Coins.module.css'
import { coinColumn, coinWords, flagColumn, holderColumns } from './coinColumns.tsx'

const STABLES: readonly TableColumn<StacksCoin>[] = [
  {
    key: 'supply',
    label: 'Supply',
    isNumber: true,
    title: 'From its contract, or the sum of balances if all are indexed',
    value: coin => (coin.supply === null ? null : Number(coin.supply) / 10 ** (coin.decimals ?? 0)),
    cell: coin => (coin.supply === null ? '–' : exactUnits(coin.supply, coin.decimals ?? 0)),
  },
  {
    key: 'backing',
    label: 'Custodian of its backing',
    value: coin => coin.custody,
    cell: coin => <span className={styles.prose}>{coin.custody ?? 'not reported'}</span>,
  },
  flagColumn,
  ...holderColumns,
  countColumn('contracts', 'Contracts that hold it', coin => coin.contracts),
  { ...countColumn<StacksCoin>('moves', 'Movements, 30 days', coin => coin.moves) },
  {
    key: 'used',
    label: 'Location',
    value: coin => coin.usedBy.map(({ contract }) => contract).join(', '),
    cell: coin =>
      coin.usedBy.length === 0 ? (
        '–'
      ) : (
        <ul className={styles.used}>
          {coin.usedBy.slice(0, 4).map(({ contract, words }) => (
            <li key={contract}>
              {words} in <Principal of={contract} />
            </li>
          ))}
        </ul>
      ),
  },
]

type Props = { readonly coins: readonly StacksCoin[]; readonly indexedHours: number | null }

export function StablesTable({ coins, indexedHours }: Props) {
  return (
    <TableCard
      id="coins"
      title="Stablecoins"
      sub={`Supply, backing, concentration and use${partialText(indexedHours, 720)}`}
      rows={coins}
      columns={[coinColumn(coins), ...STABLES]}
      rowKey={({ asset }) => asset}
      words={coinWords}
      sort="-moves"
    />
  )
}
