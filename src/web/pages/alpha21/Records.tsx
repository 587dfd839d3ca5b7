import { Link, useLocation } from 'react-router'
import type { SignalRecords, SignalSummary } from '#http/contract.ts'
import { TableCard } from '../../blocks/TableCard.tsx'
import { addressWith } from '../../blocks/view.ts'
import { figureText } from '../../format/figure.ts'
import { intervalText, pText, VERDICT_WORDS } from './words.ts'

type Row = SignalRecords['items'][number]
type Props = { rows: readonly Row[]; items: readonly SignalSummary[] }

const PARTS = { history: 'in sample', walk: 'walked forward', since: 'out of sample' } as const

const figure = (key: keyof Row & ('hitRate' | 'excess' | 'unconditional'), label: string) => ({
  key,
  label,
  isNumber: true,
  value: (row: Row) => row[key],
  cell: (row: Row) => figureText(row[key], 'ratio').text,
})

/** Every record of every signal, those that failed too. */
export function Records({ rows, items }: Props) {
  const { search } = useLocation()
  const verdicts = new Map(items.map(({ id, verdict }) => [id, VERDICT_WORDS[verdict]]))
  return (
    <TableCard
      id="records"
      title="All records"
      sub="Every signal at every horizon: in sample, walked forward, and out of sample since its rule was fixed. Signals that failed stay"
      rows={rows}
      rowKey={({ signal, part, horizon }) => `${signal} ${part} ${horizon}`}
      words={({ name, part }) => `${name} ${PARTS[part]}`}
      columns={[
        {
          key: 'signal',
          label: 'Signal',
          value: ({ name }) => name,
          cell: ({ signal, name }) => (
            <Link to={addressWith(search, { signal })} preventScrollReset>
              {name}
            </Link>
          ),
        },
        { key: 'part', label: 'Days', value: ({ part }) => PARTS[part] },
        {
          key: 'horizon',
          label: 'Ahead',
          title: 'Days ahead',
          isNumber: true,
          value: ({ horizon }) => horizon,
        },
        { key: 'events', label: 'Events', isNumber: true, value: ({ events }) => events },
        figure('hitRate', 'Hit'),
        {
          key: 'interval',
          label: '95 %',
          isNumber: true,
          title: 'Wilson’s interval of the hit rate',
          value: row => row.hitLow,
          cell: intervalText,
        },
        figure('unconditional', 'All days'),
        figure('excess', 'Excess'),
        { key: 'p', label: 'p', isNumber: true, value: ({ p }) => p, cell: ({ p }) => pText(p) },
        {
          key: 'q',
          label: 'corrected',
          title: 'p, corrected for all tests (Benjamini and Hochberg)',
          isNumber: true,
          value: ({ q }) => q,
          cell: ({ q }) => pText(q),
        },
        {
          key: 'verdict',
          label: 'What it shows',
          value: ({ signal }) => verdicts.get(signal) ?? null,
          isOptional: true,
        },
      ]}
      empty="No signal has a record yet."
    />
  )
}
