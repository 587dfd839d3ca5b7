import { Link, useLocation } from 'react-router'
import type { SignalComposite, SignalRecordView, SignalSummary } from '#http/contract.ts'
import { Card } from '../../blocks/Card.tsx'
import { TableCard } from '../../blocks/TableCard.tsx'
import { addressWith } from '../../blocks/view.ts'
import { figureText, significant } from '../../format/figure.ts'
import styles from './Alpha21.module.css'
import { StateMark } from './StateMark.tsx'
import { intervalText, pText, sinceText } from './words.ts'

type Props = { composite: SignalComposite; items: readonly SignalSummary[] }
type Row = SignalRecordView & { part: string }

/** Signals taken together, with a record of days of which the members were chosen before. */
export function Composite({ composite, items }: Props) {
  const { search } = useLocation()
  const { state, since, day, value, years, walk, afterFixed } = composite
  const names = new Map(items.map(({ id, name }) => [id, name]))
  const rows: Row[] = [
    ...walk.map(record => ({ ...record, part: 'members chosen before' })),
    ...afterFixed.map(record => ({ ...record, part: 'since all rules are fixed' })),
  ]
  const events = walk.reduce((sum, record) => sum + record.events, 0)
  const current = years.at(-1)
  return (
    <>
      <Card
        title="Composite"
        sub="At the start of each year the signals that had five independent events of 30 days and an excess above zero by then; each day the mean of their states, three of them at least. Beyond a third it takes a side."
        foot={
          <Link to={addressWith(search, { composite: undefined })} preventScrollReset>
            Hide it
          </Link>
        }
      >
        {events === 0 ? (
          <p className={styles.note}>
            No year had three members with an event after it began: without a record out of sample there is no
            composite to show.
          </p>
        ) : (
          <p className={styles.composite}>
            <StateMark state={state} />{' '}
            <span>
              mean of states {value === null ? '–' : significant(value, 2)}
              {since && day ? `, ${sinceText(since, day)}` : ''}
            </span>
            <small>
              Members of {current?.year}:{' '}
              {current && current.members.length > 0
                ? current.members.map(id => names.get(id) ?? id).join(', ')
                : 'none'}
            </small>
          </p>
        )}
      </Card>
      {events > 0 && (
        <TableCard
          id="composite"
          title="Record of the composite"
          sub="Out of sample in the choice of members; the rules themselves were fixed later, so the second part alone is out of sample in everything"
          rows={rows}
          rowKey={({ part, horizon }) => `${part} ${horizon}`}
          columns={[
            { key: 'part', label: 'Days', value: ({ part }) => part },
            {
              key: 'horizon',
              label: 'Ahead',
              title: 'Days ahead',
              isNumber: true,
              value: ({ horizon }) => horizon,
            },
            { key: 'events', label: 'Events', isNumber: true, value: ({ events: count }) => count },
            ...(['hitRate', 'unconditional', 'excess'] as const).map(key => ({
              key,
              label: LABELS[key],
              isNumber: true,
              value: (row: Row) => row[key],
              cell: (row: Row) => figureText(row[key], 'ratio').text,
            })),
            {
              key: 'interval',
              label: '95 % of the hit rate',
              isNumber: true,
              value: row => row.hitLow,
              cell: intervalText,
            },
            { key: 'p', label: 'p', isNumber: true, value: ({ p }) => p, cell: ({ p }) => pText(p) },
          ]}
        />
      )}
    </>
  )
}

const LABELS = {
  hitRate: 'Hit',
  unconditional: 'All days',
  excess: 'Excess',
} as const
