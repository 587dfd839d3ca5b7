import { Link, useLocation } from 'react-router'
import { addressOfAssay } from '../../assay/address.ts'
import { Change, RANGE_TEXT } from '../../blocks/Change.tsx'
import { Sparkline } from '../../blocks/Sparkline.tsx'
import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
import { TrustGlyph } from '../../blocks/TrustGlyph.tsx'
import { addressWith } from '../../blocks/view.ts'
import { isCounted } from '../../format/counted.ts'
import { dayText } from '../../format/day.ts'
import { figureText } from '../../format/figure.ts'
import { useSite } from '../../shell/layers.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import { CATEGORIES, CATEGORY_KEYS, profilePath } from '../l2s/words.ts'
import styles from './CompareTable.module.css'
import { addressOfSet, TABLE } from './compareView.ts'
import { Grade } from './Grade.tsx'
import { pathOfLayer } from './layerPath.ts'
import { COLUMN_SETS, RISKS } from './lists.ts'
import type { Cell, CompareRow, CompareTableData } from './tableOf.ts'

type Props = {
  table: CompareTableData
  colourOf: (entity: string) => string
  /** Layers beyond the sidebar of which there are figures. */
  beyond: number
  showsAll: boolean
}

/** One row a layer, one lens of columns at a time. Every figure leads to its assay view. */
export function CompareTable({ table, colourOf, beyond, showsAll }: Props) {
  const { search } = useLocation()
  const layers = table.rows.filter(({ entity }) => entity !== 'bitcoin').length
  const lead = table.columns.find(({ key }) => key === table.lead)
  return (
    <TableCard
      id={TABLE}
      title={`${layers} layers${table.rows.length > layers ? ', beside Bitcoin' : ''}`}
      sub="Every figure opens its definition, SQL and sources; the small number is its place in the column."
      rows={table.rows}
      rowKey={row => row.entity}
      words={row => `${row.name} ${row.kind}`}
      columns={columnsOf(table, colourOf)}
      {...(lead && { sort: lead.smallFirst ? lead.key : `-${lead.key}` })}
      totals={totalsOf(table)}
      controls={
        <div className={styles.sets}>
          <Segmented
            label="Columns"
            current={table.set}
            choices={COLUMN_SETS.map(({ key, label }) => ({
              value: key,
              label,
              to: addressOfSet(search, key),
            }))}
          />
          {(beyond > 0 || showsAll) && (
            <ButtonLink
              small
              to={addressWith(search, { more: showsAll ? undefined : 'on' })}
              preventScrollReset
              replace
            >
              {showsAll ? 'The networks of the sidebar alone' : `${beyond} more from the catalog`}
            </ButtonLink>
          )}
        </div>
      }
      foot={<Foot table={table} />}
    />
  )
}

function columnsOf(table: CompareTableData, colourOf: Props['colourOf']): TableColumn<CompareRow>[] {
  const first: TableColumn<CompareRow> = {
    key: 'layer',
    label: 'Layer',
    value: row => row.name,
    cell: row => <Name row={row} colour={colourOf(row.entity)} />,
  }
  // In the set of grades they stand in words.
  const isGraded = table.columns.some(({ key }) => (RISKS as readonly string[]).includes(key))
  const trust: TableColumn<CompareRow>[] =
    isGraded || table.rows.every(({ grades }) => grades === null)
      ? []
      : [
          {
            key: 'trust',
            label: 'Trust',
            title: `How much a holder must trust, by ${CATEGORY_LABELS}, as Bitcoin Layers graded it: the higher the bar, the more`,
            // No mean of four questions: sorted by the one that asks most.
            value: ({ grades }) => grades && Math.max(...grades.marks.map(({ grade }) => grade ?? 0)),
            cell: ({ entity, name, grades }) =>
              grades === null ? (
                <Nothing why="No published review." />
              ) : (
                <Link
                  className={styles.trust}
                  to={profilePath(entity)}
                  aria-label={`Whom to trust on ${name}: ${grades.marks.map(({ label, word }) => `${label.toLowerCase()} ${word ?? 'not graded'}`).join(', ')}; graded ${dayText(grades.day)}`}
                >
                  <TrustGlyph marks={grades.marks} />
                </Link>
              ),
          },
        ]
  const figures = table.columns.map((column): TableColumn<CompareRow> => {
    const isGrade = column.key.startsWith('risk.')
    return {
      key: column.key,
      label: column.label,
      ...(column.title && { title: column.title }),
      ...(column.day && { under: dayText(column.day) }),
      isNumber: !isGrade,
      ...(column.isOptional && { isOptional: true }),
      value: row => numberOf(row.cells[column.key]),
      cell: row => {
        const cell = row.cells[column.key]
        if (cell === undefined) return <Nothing why={row.absent[column.key]} />
        return isGrade ? (
          <Grade row={row} cell={cell} category={column.key.slice('risk.'.length)} day={column.day} />
        ) : (
          <Figure
            row={row}
            cell={cell}
            label={column.label}
            day={column.day}
            range={table.changeRange}
            colour={colourOf(row.entity)}
          />
        )
      },
    }
  })
  const lead = table.columns.find(({ key }) => key === table.lead)
  const hasTrend = table.rows.some(({ spark }) => spark.filter(value => value !== null).length > 1)
  if (lead === undefined || !hasTrend) return [first, ...trust, ...figures]
  const trend: TableColumn<CompareRow> = {
    key: 'trend',
    label: `${lead.label}, ${RANGE_TEXT[table.changeRange]}`,
    value: row => row.cells[lead.key]?.change ?? null,
    cell: row => <Sparkline values={row.spark} colour={colourOf(row.entity)} />,
  }
  return [first, ...trust, ...figures, trend]
}

const CATEGORY_LABELS = CATEGORY_KEYS.map(key => CATEGORIES[key].label.toLowerCase()).join(', ')

/** Sorts and exports: whole numbers beyond 2^53 keep their order as floats. */
const numberOf = (cell: Cell | undefined): number | null => (cell === undefined ? null : Number(cell.value))

function Name({ row, colour }: { row: CompareRow; colour: string }) {
  const path = pathOfLayer(useSite(), row.entity)
  return (
    <span className={styles.name}>
      <i style={{ background: `var(--${colour})` }} aria-hidden="true" />
      {path ? <Link to={path}>{row.name}</Link> : <span>{row.name}</span>}
    </span>
  )
}

function Nothing({ why }: { why: string | undefined }) {
  return (
    <span className={styles.nothing} title={why}>
      <span aria-hidden="true">–</span>
      <span className="visually-hidden">not known. {why}</span>
    </span>
  )
}

type FigureProps = {
  row: CompareRow
  cell: Cell
  label: string
  day: string | null
  range: CompareTableData['changeRange']
  colour: string
}

function Figure({ row, cell, label, day, range, colour }: FigureProps) {
  const { search } = useLocation()
  const { full } = figureText(cell.value, cell.unit)
  const isLate = cell.state === 'stale' || cell.state === 'overdue'
  const isOther = cell.day !== day || isLate
  const differs = cell.differs && figureText(cell.differs.value, cell.unit).text
  return (
    <span className={styles.figure}>
      <span className={styles.line}>
        <Link
          to={addressOfAssay(search, cell.assay, cell.day)}
          title={`${full}${tokenOf(row, cell)}, ${dayText(cell.day)}${differs ? `; ${cell.differs?.source} says ${differs}` : ''}`}
          preventScrollReset
          aria-label={`${row.name}, ${label}: ${shortText(cell.value, cell.unit)}, exactly ${full}${tokenOf(row, cell)}. Open its assay view.`}
        >
          {shortText(cell.value, cell.unit)}
        </Link>
        <small
          className={styles.rank}
          title={cell.rank === null ? undefined : `Place ${cell.rank} in this column`}
        >
          {cell.rank ?? ''}
        </small>
      </span>
      {(isOther || cell.change !== null || cell.lacks || differs) && (
        <span className={styles.under}>
          {isOther ? (
            <span data-state={cell.state}>
              {dayText(cell.day)}
              {isLate ? `, ${cell.state}` : ''}
            </span>
          ) : (
            cell.change !== null && (
              <>
                <Change change={cell.change} range={range} />
                {cell.changeOver &&
                  ` ${cell.changeOver.count} of ${cell.changeOver.of} ${cell.changeOver.name}`}
              </>
            )
          )}
          {cell.lacks && <span title={cell.lacks[1]}>{cell.lacks[0]}</span>}
          {differs && <span className={styles.differs}>≠</span>}
        </span>
      )}
      <span className={styles.bar} aria-hidden="true">
        <i style={{ inlineSize: `${(cell.bar * 100).toFixed(1)}%`, background: `var(--${colour})` }} />
      </span>
    </span>
  )
}

/** Without the unit where the head of the column says it. */
function shortText(value: number | string, unit: string): string {
  const { text, number, tail } = figureText(value, unit)
  return isCounted(tail) ? number : text
}

/** Whose figure it is, where that is not the layer itself: its token, or what its peg gives. */
function tokenOf(row: CompareRow, cell: Cell): string {
  const of = cell.assay.split('@')[1] ?? ''
  return of === row.entity ? '' : ` (${of.toUpperCase()})`
}

function totalsOf({ columns }: CompareTableData) {
  if (!columns.some(({ sum }) => sum !== null)) return undefined
  return {
    layer: 'Layers shown',
    ...Object.fromEntries(
      columns.flatMap(({ key, sum }) =>
        sum === null
          ? []
          : [
              [
                key,
                <span key={key} className={styles.figure}>
                  <span className={styles.line}>
                    <span title={figureText(sum.value, sum.unit).full}>{shortText(sum.value, sum.unit)}</span>
                    <small className={styles.rank} />
                  </span>
                  <span className={styles.under}>
                    {sum.covers} of {sum.of}
                    {sum.oldest && `, oldest ${dayText(sum.oldest)}`}
                  </span>
                </span>,
              ],
            ],
      ),
    ),
  }
}

/** What the columns leave out, and why: once, below, in place of columns without a figure. */
function Foot({ table }: { table: CompareTableData }) {
  const { search } = useLocation()
  const byReason = Map.groupBy(table.empty, ({ reason }) => reason)
  return (
    <>
      <span>
        Changes are over {RANGE_TEXT[table.changeRange]}. Sums leave Bitcoin out, and count a layer only where
        it has a figure.
      </span>
      {[...byReason].map(([reason, ones]) => (
        <span key={reason} className={styles.lack}>
          Not drawn:{' '}
          {ones.map(({ label, assay }, index) => (
            <span key={label}>
              {index > 0 && ', '}
              {assay ? (
                <Link to={addressOfAssay(search, assay)} preventScrollReset>
                  {label}
                </Link>
              ) : (
                label
              )}
            </span>
          ))}
          . {reason}
        </span>
      ))}
    </>
  )
}
