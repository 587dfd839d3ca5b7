import { Link, useLocation } from 'react-router'
import type { ReportFigure } from '#http/contract.ts'
import { addressOfAssay } from '../../assay/address.ts'
import { shortened } from '../../blocks/CopyText.tsx'
import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
import { dayText } from '../../format/day.ts'
import { figureText, type Value } from '../../format/figure.ts'
import styles from './Reports.module.css'

const written = (value: Value, unit: string): string => figureText(value, unit).text
const dayOf = ({ day, grain }: ReportFigure): string =>
  grain === 'day' ? dayText(day) : `the ${grain} of ${dayText(day)}`

/** A number of the text as it was published; it opens what it rests on, and says what is known of its day now. */
export function FigureInText({ figure }: { figure: ReportFigure | undefined }) {
  const { search } = useLocation()
  if (figure === undefined) return null
  const { metric, entity, of, day, unit, published, now, name } = figure
  const text = written(published, unit)
  const title =
    now === null
      ? `${name}, ${of ?? entity}, ${dayOf(figure)}; no current data`
      : `${name}, ${of ?? entity}, ${dayOf(figure)}; now ${written(now, unit)}`
  return (
    <Link
      className={styles.figure}
      to={addressOfAssay(search, `${metric}@${entity}`, day)}
      title={title}
      preventScrollReset
    >
      {text}
    </Link>
  )
}

const COLUMNS: TableColumn<ReportFigure>[] = [
  {
    key: 'figure',
    label: 'Figure',
    value: ({ name, key }) => (key === null ? name : `${name}: ${key}`),
    // A key may be an address.
    cell: ({ name, key }) => (key === null ? name : `${name}: ${shortened(key)}`),
  },
  { key: 'entity', label: 'Of', value: ({ of, entity }) => of ?? entity },
  { key: 'day', label: 'Of when', value: ({ day }) => day, cell: dayOf },
  {
    key: 'published',
    label: 'As published',
    isNumber: true,
    value: ({ published }) => published,
    cell: ({ published, unit }) => written(published, unit),
  },
  {
    key: 'now',
    label: 'Current',
    isNumber: true,
    title: 'Current value for the same day',
    value: ({ now }) => now,
    cell: ({ now, unit }) => (now === null ? 'no data' : written(now, unit)),
  },
  {
    key: 'newest',
    label: 'Newest',
    isNumber: true,
    title: 'Value for the latest day',
    value: ({ newest }) => newest,
    cell: ({ newest, newestDay, unit }) =>
      newest === null || newestDay === null ? '–' : `${written(newest, unit)}, ${dayText(newestDay)}`,
  },
]

/** All numbers of a report: as published, as known now, and the newest. */
export function FiguresOfReport({ figures }: { figures: readonly ReportFigure[] }) {
  return (
    <TableCard
      id="figures"
      title="Its figures, then and now"
      sub="Sources can revise figures, and days can be recounted. Both values are shown"
      rows={figures}
      columns={COLUMNS}
      rowKey={figure => String(figures.indexOf(figure))}
      empty="The text has no live figures."
    />
  )
}
