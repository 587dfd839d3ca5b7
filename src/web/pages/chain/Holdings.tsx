import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
import { dayText } from '../../format/day.ts'
import { figureText } from '../../format/figure.ts'
import type { Holding } from './loadHoldings.server.ts'

type Props = {
  id: string
  title: string
  what: string
  rows: readonly Holding[]
  /** Names of parts that are kept under another word. */
  names?: ReadonlyMap<string, string>
}

/** The parts of a figure on its newest day, with their shares; nothing where none is known. */
export function Holdings({ id, title, what, rows, names }: Props) {
  const nameOf = ({ key }: Holding): string => names?.get(key) ?? key
  const [first] = rows
  if (first === undefined) return null
  const total = rows.reduce((sum, { value }) => sum + value, 0)
  const columns: readonly TableColumn<Holding>[] = [
    { key: 'name', label: what, value: nameOf },
    {
      key: 'value',
      label: 'Value',
      isNumber: true,
      value: row => row.value,
      cell: row => figureText(row.value, row.unit).text,
    },
    {
      key: 'share',
      label: 'Share',
      isNumber: true,
      title: 'Of the total of that day; a dash where the parts cover less than 80% of it',
      value: ({ share }) => share,
      cell: ({ share }) => (share === null ? '–' : figureText(share, 'ratio').text),
    },
  ]
  return (
    <TableCard
      id={id}
      title={title}
      sub={`On ${dayText(first.day)}: ${figureText(total, first.unit).text} in all`}
      rows={rows}
      columns={columns}
      rowKey={row => row.key}
      words={row => `${row.key} ${nameOf(row)}`}
    />
  )
}
