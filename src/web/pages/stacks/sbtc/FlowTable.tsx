import { Link } from 'react-router'
import type { SbtcDepositDetail, SbtcFlowStep } from '#http/contract.ts'
import { TableCard, type TableColumn } from '../../../blocks/TableCard.tsx'
import { addressWith } from '../../../blocks/view.ts'
import { timeText } from '../../../format/day.ts'
import { btcCell } from '../../../format/figure.ts'
import { Segmented } from '../../../ui/Segmented.tsx'
import { Principal } from '../Principal.tsx'
import { principalText } from '../principal.ts'
import styles from './Sbtc.module.css'
import { FLOW_KIND, FLOW_REST, withdrawalPath } from './words.ts'

type Row = SbtcFlowStep & { hop: number }

/** Steps with how far each is from the mint: each behind the one that it came from. */
function rowsOf(steps: readonly SbtcFlowStep[]): Row[] {
  const children = Map.groupBy(steps, ({ from }) => from)
  const behind = (from: number | null, hop: number): Row[] =>
    (children.get(from) ?? []).flatMap(step => [{ ...step, hop }, ...behind(step.id, hop + 1)])
  return behind(null, 0)
}

const COLUMNS: readonly TableColumn<Row>[] = [
  {
    key: 'step',
    label: 'Step',
    value: row => row.hop,
    cell: row => (
      <span className={styles.hop} style={{ paddingInlineStart: `${Math.min(row.hop, 8) * 14}px` }}>
        {row.hop > 0 && <span aria-hidden="true">↳ </span>}
        {FLOW_KIND[row.kind]}{' '}
        {row.kind === 'withdrawal' && row.requestId ? (
          <Link to={withdrawalPath(row.requestId)}>{row.requestId}</Link>
        ) : (
          row.holder && <Principal of={row.holder} />
        )}
      </span>
    ),
  },
  {
    key: 'sat',
    label: 'sBTC of this deposit',
    isNumber: true,
    value: row => Number(row.sat),
    cell: row => btcCell(row.sat),
  },
  {
    key: 'time',
    label: 'When',
    title: 'Opens the transaction',
    value: row => row.time,
    cell: row => <Link to={`/stacks/tx/${row.txid}`}>{timeText(row.time)}</Link>,
  },
  {
    key: 'rest',
    label: 'Rests here',
    title: 'Of these, what went no further',
    isNumber: true,
    value: row => Number(row.restSat),
    cell: row => (row.restSat === '0' ? '–' : btcCell(row.restSat)),
  },
  { key: 'why', label: 'Because', value: row => (row.restSat === '0' ? null : FLOW_REST[row.rest]) },
  {
    key: 'holder',
    label: 'Holder',
    isOptional: true,
    value: row => row.holder && principalText(row.holder),
  },
  { key: 'txid', label: 'Transaction', isOptional: true, value: row => row.txid },
]

type Props = { flow: NonNullable<SbtcDepositDetail['flow']>; search: string }

/** Where the minted sBTC went, by the rule that it states. */
export function FlowTable({ flow, search }: Props) {
  const rows = rowsOf(flow.steps)
  const total = flow.steps[0]?.sat ?? '0'
  return (
    <TableCard
      id="flow"
      title="Where it went on Stacks"
      sub="Satoshis of sBTC are fungible, so they are traced first in, first out by holder. A holder’s balance before the indexed blocks is assumed to be the minimum that its payments require."
      rows={rows}
      columns={COLUMNS}
      rowKey={row => String(row.id)}
      words={row => `${row.holder ?? ''} ${row.txid} ${FLOW_KIND[row.kind]} ${FLOW_REST[row.rest]}`}
      totals={{ step: 'All', rest: btcCell(total) }}
      controls={
        <Segmented
          label="At a contract"
          current={flow.throughContracts ? 'contracts' : ''}
          choices={[
            {
              value: '',
              label: 'Ends in contracts',
              to: addressWith(search, { through: undefined }),
              title: 'A contract pools the coins of many holders',
            },
            {
              value: 'contracts',
              label: 'Through contracts',
              to: addressWith(search, { through: 'contracts' }),
              title: 'The same rule applies to contracts, where it is less meaningful',
            },
          ]}
        />
      }
      foot={
        flow.isWhole
          ? undefined
          : 'It went further than 200 steps or 12 hands: the rest is counted and not followed.'
      }
    />
  )
}
