import { useMemo } from 'react'
import type { SqlColumn } from '#http/contract.ts'
import { dashOf } from '../../../../blocks/chart/dashes.ts'
import { DEPTHS, endTexts } from '../../../../blocks/chart/depth.ts'
import { Plot } from '../../../../blocks/chart/Plot.tsx'
import { SceneView } from '../../../../blocks/chart/SceneView.tsx'
import { figureText, grouped, percentText, significant } from '../../../../format/figure.ts'
import type { Row } from '../grid/pageCache.ts'
import styles from './Chart.module.css'
import { ChartFigures, type FigureRow } from './ChartFigures.tsx'
import { type ChartSettings, unitOf } from './chartSettings.ts'
import { aggregate, type ChartTable, chartPoints, chartTable, GROUP_ROWS, groupValue } from './chartTable.ts'
import { drawPoints, drawTable, sharesOf } from './drawTable.ts'
import { HEAT_COLOUR, heatOf } from './heatScene.ts'
import { pieOf } from './pieSlices.ts'
import { Reader } from './Reader.tsx'
import { timeLabel } from './timeGrid.ts'
import type { ChartRows } from './useChartRows.ts'

type Props = {
  columns: readonly SqlColumn[]
  rows: readonly Row[]
  /** Which rows of the result these are. */
  part: ChartRows['part']
  /** Whether the rows are groups computed by the server. */
  isGrouped: boolean
  settings: ChartSettings
  isTable: boolean
}

const HEIGHT = 320

const number = (value: number | null, unit: string): string => figureText(value, unit).text
const full = (value: number | null, unit: string): string =>
  value === null ? '–' : figureText(value, unit).full

/** Rows as the chart that the settings ask for, or the same figures as a table. */
export function ChartView(props: Props) {
  switch (props.settings.kind) {
    case 'scatter':
      return <Points {...props} />
    case 'pie':
      return <Slices {...props} />
    case 'heat':
      return <Heat {...props} />
    case 'counter':
      return <Counter {...props} />
    case 'pivot':
      return <Pivot {...props} />
    default:
      return <Lines {...props} />
  }
}

/** The end of the axis beside which rows are not drawn. */
const cutEndOf = (part: ChartRows['part']) =>
  part === 'newest' ? 'low' : part === 'lowest' ? 'high' : undefined

const unitFor = ({ values, aggregation }: ChartSettings): string =>
  aggregation === 'count' || values.length === 0 ? '' : unitOf(values[0])

/** What a drawing leaves out, in one sentence each. */
function Notes({
  table,
  offScale,
  isTable = false,
  more = [],
}: {
  table?: ChartTable
  offScale?: number
  isTable?: boolean
  more?: readonly string[]
}) {
  const notes = [
    ...(table && table.unplaced > 0
      ? [`${table.unplaced} rows without ${table.axis.title} are not drawn`]
      : []),
    ...(table && table.droppedNames > 0
      ? [
          `${table.axis.labels.length} largest of ${table.axis.labels.length + table.droppedNames} values of ${table.axis.title}`,
        ]
      : []),
    ...(table && table.droppedLines > 0 ? [`${table.droppedLines} smaller series are not drawn`] : []),
    ...(table?.isGrouped && table.axis.numbers ? [`Grouped by ${table.groupWords}`] : []),
    ...(table?.lines.some(({ lacking }) => lacking.length > 0)
      ? [isTable ? '* Partial data' : 'Hollow: partial data']
      : []),
    ...(offScale ? [`${offScale} values at or below zero are not on a logarithmic axis`] : []),
    ...more,
  ]
  return notes.length === 0 ? null : <p className={styles.notes}>{notes.join('. ')}.</p>
}

const Nothing = () => <p className={styles.nothing}>No values to draw. Pick other columns.</p>

const hasValues = ({ lines }: ChartTable): boolean =>
  lines.some(({ values }) => values.some(value => value !== null))

const figureRows = ({ axis, lines }: Pick<ChartTable, 'axis' | 'lines'>, unit: string): FigureRow[] =>
  axis.labels.map((label, at) => ({
    name: label,
    cells: lines.map(
      ({ values, lacking }) => `${full(values[at] ?? null, unit)}${lacking.includes(at) ? ' *' : ''}`,
    ),
  }))

function Lines({ columns, rows, part, isGrouped, settings, isTable }: Props) {
  const table = useMemo(
    () => chartTable(columns, rows, settings, { cutEnd: cutEndOf(part), isGrouped }),
    [columns, rows, part, isGrouped, settings],
  )
  const unit = unitFor(settings)
  const kind = settings.kind === 'bar' || settings.kind === 'area' ? settings.kind : 'line'
  const { drawing, offScale, places } = useMemo(() => {
    const drawn = drawTable(table, {
      kind,
      unit,
      stacking: settings.stacking,
      scale: settings.scale,
      height: HEIGHT,
    })
    return { ...drawn, places: table.axis.labels.map((_, at) => ({ left: drawn.left(at) })) }
  }, [table, kind, unit, settings.stacking, settings.scale])
  if (!hasValues(table)) return <Nothing />
  const isShare = kind !== 'line' && settings.stacking === 'share'
  const shown = isShare ? sharesOf(table.lines) : table.lines
  const isKnownAt = (lines: ChartTable['lines'], at: number) =>
    lines.some(({ values }) => (values[at] ?? null) !== null)
  const shareless = table.axis.labels.filter(
    (_, at) => isKnownAt(table.lines, at) && !isKnownAt(shown, at),
  ).length
  const shownUnit = isShare ? 'ratio' : unit
  return (
    <figure className={styles.figure} aria-label={`${settings.kind} chart by ${table.axis.title}`}>
      {isTable ? (
        <ChartFigures
          label="Figures of the chart"
          head={[table.axis.title, ...shown.map(({ label }) => label)]}
          rows={figureRows({ axis: table.axis, lines: shown }, shownUnit)}
        />
      ) : (
        <>
          {(table.lines.length > 1 || settings.series !== null) && (
            <Legend items={table.lines} hasDash={kind === 'line'} />
          )}
          <Plot drawing={drawing}>
            <Reader
              label={`Chart by ${table.axis.title}: move through its values`}
              height={HEIGHT}
              places={places}
              words={at => ({
                title: table.axis.labels[at] ?? '',
                rows: shown.map(({ label, colour, values }) => ({
                  label,
                  colour,
                  text: number(values[at] ?? null, shownUnit),
                })),
              })}
            />
          </Plot>
        </>
      )}
      <Notes
        table={isShare ? { ...table, lines: shown } : table}
        offScale={isTable ? 0 : offScale}
        isTable={isTable}
        more={shareless > 0 ? [`${shareless} places without shares: a part is NULL, cut or negative`] : []}
      />
    </figure>
  )
}

function Points({ columns, rows, settings, isTable }: Props) {
  const found = useMemo(() => chartPoints(columns, rows, settings), [columns, rows, settings])
  const unit = unitOf(settings.values[0])
  const { drawing, offScale, points } = useMemo(
    () => drawPoints(found, { scale: settings.scale, unit, height: HEIGHT }),
    [found, settings.scale, unit],
  )
  const places = useMemo(() => points.map(({ left, top }) => ({ left, top })), [points])
  if (points.length === 0) return <Nothing />
  const xText = (x: number) => (found.isTime ? timeLabel(x, 1) : significant(x, 6))
  const more = found.unplaced > 0 ? [`${found.unplaced} rows lack an x or a y`] : []
  return (
    <figure className={styles.figure} aria-label={`Scatter of ${settings.values[0]} by ${settings.x}`}>
      {isTable ? (
        <ChartFigures
          label="Figures of the chart"
          head={[settings.x ?? '', 'Series', settings.values[0] ?? '']}
          rows={points.map(({ label, x, y }) => ({ name: xText(x), cells: [label, full(y, unit)] }))}
        />
      ) : (
        <>
          {found.groups.length > 1 && <Legend items={found.groups} hasDash={false} />}
          <Plot drawing={drawing}>
            <Reader
              label={`Scatter of ${settings.values[0]} by ${settings.x}: move from point to point`}
              height={HEIGHT}
              places={places}
              words={at => ({
                title: `${settings.x} ${xText(points[at]?.x ?? 0)}`,
                rows: [
                  {
                    label: points[at]?.label ?? '',
                    colour: points[at]?.colour ?? '',
                    text: number(points[at]?.y ?? null, unit),
                  },
                ],
              })}
            />
          </Plot>
        </>
      )}
      <Notes offScale={offScale} more={more} />
    </figure>
  )
}

function Slices({ columns, rows, isGrouped, settings, isTable }: Props) {
  const table = useMemo(
    () => chartTable(columns, rows, { ...settings, series: null }, { names: 50_000, isGrouped }),
    [columns, rows, isGrouped, settings],
  )
  const isAdditive =
    settings.values.length === 0 || settings.aggregation === 'sum' || settings.aggregation === 'count'
  const pie = useMemo(() => pieOf(table, isAdditive), [table, isAdditive])
  const unit = unitFor(settings)
  if (pie.slices.length === 0) return <Nothing />
  const more = [
    ...(pie.unknown > 0 ? [`${pie.unknown} names without a value have no slice`] : []),
    ...(pie.negative > 0 ? [`${pie.negative} negative values have no slice`] : []),
  ]
  return (
    <figure className={styles.figure} aria-label={`Pie of ${settings.x}`}>
      {isTable ? (
        <ChartFigures
          label="Figures of the chart"
          head={[settings.x ?? '', settings.values[0] ?? 'Rows', 'Share']}
          rows={pie.slices.map(({ label, value, share }) => ({
            name: label,
            cells: [full(value, unit), percentText(share)],
          }))}
        />
      ) : (
        <div className={styles.pie}>
          <svg viewBox="0 0 200 200" aria-hidden="true">
            {pie.slices.map(({ label, colour, path }) => (
              <path key={label} d={path} style={{ color: `var(--${colour})` }} />
            ))}
          </svg>
          <ul>
            {pie.slices.map(({ label, colour, value, share }) => (
              <li key={label}>
                <i style={{ background: `var(--${colour})` }} />
                <span>{label}</span>
                <b>{number(value, unit)}</b>
                <small>{percentText(share)}</small>
              </li>
            ))}
          </ul>
        </div>
      )}
      <Notes table={table} more={more} />
    </figure>
  )
}

function Heat({ columns, rows, part, isGrouped, settings, isTable }: Props) {
  const table = useMemo(
    () => chartTable(columns, rows, settings, { lines: 30, cutEnd: cutEndOf(part), isGrouped }),
    [columns, rows, part, isGrouped, settings],
  )
  const unit = unitFor(settings)
  const { scene, depth, hasGaps, places } = useMemo(() => {
    const drawn = heatOf(table, settings.scale, HEIGHT)
    const count = table.axis.labels.length
    const rowHeight = drawn.scene.height / Math.max(1, table.lines.length)
    const cells = table.lines.flatMap((_, row) =>
      Array.from({ length: count }, (_cell, at) => ({
        left: (at + 0.5) / count,
        top: (row + 0.5) * rowHeight,
      })),
    )
    return { ...drawn, places: cells }
  }, [table, settings.scale])
  if (!hasValues(table)) return <Nothing />
  const count = table.axis.labels.length
  const { low, high } = endTexts(depth, unit)
  return (
    <figure className={styles.figure} aria-label={`Heat map by ${table.axis.title}`}>
      {isTable ? (
        <ChartFigures
          label="Figures of the chart"
          head={[table.axis.title, ...table.lines.map(({ label }) => label)]}
          rows={figureRows(table, unit)}
        />
      ) : (
        <>
          <SceneView scene={scene}>
            <Reader
              label={`Heat map by ${table.axis.title}: move from cell to cell`}
              height={scene.height}
              places={places}
              down={count}
              words={at => {
                const line = table.lines[Math.floor(at / count)]
                return {
                  title: table.axis.labels[at % count] ?? '',
                  rows: [{ label: line?.label ?? '', text: number(line?.values[at % count] ?? null, unit) }],
                }
              }}
            />
          </SceneView>
          <p className={styles.depths}>
            {low}
            {DEPTHS.map(step => (
              <i key={step} style={{ background: `var(--${HEAT_COLOUR})`, opacity: step }} />
            ))}
            {high}
            {hasGaps && (
              <>
                <i className={styles.gap} /> No data
              </>
            )}
          </p>
        </>
      )}
      <Notes table={table} isTable={isTable} />
    </figure>
  )
}

function Counter({ columns, rows, isGrouped, settings }: Props) {
  const [name] = settings.values
  const { value, unknown, exact } = isGrouped
    ? groupFigure(rows[0], name !== undefined)
    : rowsFigure(columns, rows, settings)
  const unit = unitFor(settings)
  return (
    <figure className={styles.counter}>
      <strong title={exact ?? full(value, unit)}>{number(value, unit)}</strong>
      <figcaption>
        {name === undefined
          ? 'Rows'
          : `${settings.aggregation === 'last' ? 'Last' : settings.aggregation} of ${name}`}
      </figcaption>
      <Notes more={unknown > 0 ? [`${grouped(String(unknown))} NULL values are left out`] : []} />
    </figure>
  )
}

type Figure = { value: number | null; unknown: number; exact?: string }

/** The single group of all rows. Integers too large for a double come as strings with every digit. */
function groupFigure(group: Row | undefined, hasValue: boolean): Figure {
  const rows = Number(group?.[GROUP_ROWS] ?? 0)
  if (!hasValue) return { value: rows, unknown: 0 }
  const cell = group?.[groupValue(0)] ?? null
  return {
    value: cell === null ? null : Number(cell),
    unknown: rows - Number(group?.[groupValue(0) + 1] ?? 0),
    ...(typeof cell === 'string' && { exact: grouped(cell) }),
  }
}

function rowsFigure(columns: Props['columns'], rows: readonly Row[], settings: ChartSettings): Figure {
  const [name] = settings.values
  if (name === undefined) return { value: rows.length, unknown: 0 }
  const at = columns.findIndex(column => column.name === name)
  const values = rows.map(row => {
    const cell = row[at]
    return cell === null || cell === undefined || cell === '' || !Number.isFinite(Number(cell))
      ? null
      : Number(cell)
  })
  return {
    value: aggregate(values, settings.aggregation),
    unknown: values.filter(each => each === null).length,
  }
}

function Pivot({ columns, rows, part, isGrouped, settings }: Props) {
  const table = useMemo(
    () => chartTable(columns, rows, settings, { lines: 30, names: 200, cutEnd: cutEndOf(part), isGrouped }),
    [columns, rows, part, isGrouped, settings],
  )
  const unit = unitFor(settings)
  if (!hasValues(table)) return <Nothing />
  const isAdditive =
    settings.values.length === 0 || settings.aggregation === 'sum' || settings.aggregation === 'count'
  const hasTotal = isAdditive && settings.series !== null
  const total = (values: readonly (number | null)[]) => full(aggregate(values, 'sum'), unit)
  return (
    <figure className={styles.figure} aria-label={`Pivot of ${table.axis.title}`}>
      <ChartFigures
        label="Pivot"
        head={[table.axis.title, ...table.lines.map(({ label }) => label), ...(hasTotal ? ['Total'] : [])]}
        rows={figureRows(table, unit).map((row, at) => ({
          ...row,
          cells: [
            ...row.cells,
            ...(hasTotal ? [total(table.lines.map(({ values }) => values[at] ?? null))] : []),
          ],
        }))}
        foot={
          isAdditive && table.droppedNames === 0
            ? [
                ...table.lines.map(({ values }) => total(values)),
                ...(hasTotal ? [total(table.lines.flatMap(({ values }) => values))] : []),
              ]
            : undefined
        }
      />
      <Notes table={table} isTable />
    </figure>
  )
}

function Legend({
  items,
  hasDash,
}: {
  items: readonly { key: string; label: string; colour: string }[]
  hasDash: boolean
}) {
  return (
    <ul className={styles.legend} aria-label="Series">
      {items.map(({ key, label, colour }, at) => (
        <li key={key}>
          <svg viewBox="0 0 18 8" aria-hidden="true" style={{ color: `var(--${colour})` }}>
            {hasDash ? (
              <path d="M0 4h18" style={{ strokeDasharray: dashOf(at) }} />
            ) : (
              <path d="M4 4h8" style={{ strokeWidth: 8 }} />
            )}
          </svg>
          <span>{label}</span>
        </li>
      ))}
    </ul>
  )
}
