import { useCallback, useId, useMemo, useState } from 'react'
import type { QueryResult } from '#http/contract.ts'
import { counted } from '../../../../format/counted.ts'
import { grouped } from '../../../../format/figure.ts'
import { Button } from '../../../../ui/Button.tsx'
import { isNumberType } from '../grid/cells.ts'
import { type Anchor, Popover } from '../grid/Popover.tsx'
import type { Headers, RowView } from '../rowSource.ts'
import styles from './Chart.module.css'
import { ChartView } from './ChartView.tsx'
import {
  AGGREGATIONS,
  CHART_KINDS,
  type ChartSettings,
  fittingSettings,
  hasAggregation,
  hasManyValues,
  hasScale,
  hasSeries,
  hasStacking,
  hasX,
  MOST_VALUES,
  SCALES,
  STACKINGS,
} from './chartSettings.ts'
import { type ChartRows, useChartRows } from './useChartRows.ts'

type Props = {
  result: QueryResult
  headers: Headers
  view: RowView
  settings: ChartSettings | undefined
  onSettings: (settings: ChartSettings) => void
}

const KIND_WORDS: Readonly<Record<ChartSettings['kind'], string>> = {
  line: 'Line',
  bar: 'Bar',
  area: 'Area',
  scatter: 'Scatter',
  pie: 'Pie',
  heat: 'Heat map',
  counter: 'Counter',
  pivot: 'Pivot',
}
const AGGREGATION_WORDS: Readonly<Record<ChartSettings['aggregation'], string>> = {
  sum: 'Sum',
  average: 'Average',
  median: 'Median',
  min: 'Minimum',
  max: 'Maximum',
  count: 'Count',
  last: 'Last value',
}
const STACKING_WORDS: Readonly<Record<ChartSettings['stacking'], string>> = {
  none: 'Side by side',
  stacked: 'Stacked',
  share: 'Share of total',
}
const SCALE_WORDS: Readonly<Record<ChartSettings['scale'], string>> = { linear: 'Linear', log: 'Logarithmic' }

/** Draws the rows of a result: what to draw is picked above the drawing. */
export function ChartPanel({ result, headers, view, settings: saved, onSettings }: Props) {
  const { columns, rowCount } = result
  const settings = useMemo(() => fittingSettings(saved, columns, rowCount), [saved, columns, rowCount])
  const [attempt, setAttempt] = useState(0)
  const [isTable, setTable] = useState(false)
  const found = useChartRows({ result, headers, view, settings, attempt })
  const set = (change: Partial<ChartSettings>) => onSettings({ ...settings, ...change })
  const numbers = columns.filter(({ type }) => isNumberType(type)).map(({ name }) => name)
  const names = columns.map(({ name }) => name)
  return (
    <div className={styles.panel}>
      <fieldset className={styles.kinds}>
        <legend className="visually-hidden">Kind of chart</legend>
        {CHART_KINDS.map(kind => (
          <label key={kind}>
            <input
              type="radio"
              name="chart-kind"
              className="visually-hidden"
              checked={settings.kind === kind}
              onChange={() => set({ kind })}
            />
            <span>{KIND_WORDS[kind]}</span>
          </label>
        ))}
      </fieldset>
      <div className={styles.picks}>
        {hasX(settings) && (
          <Pick
            label={settings.kind === 'pie' ? 'Slices' : settings.kind === 'pivot' ? 'Rows' : 'X axis'}
            value={settings.x ?? ''}
            options={names.map(name => [name, name])}
            onPick={x => set({ x })}
          />
        )}
        {hasSeries(settings) && (
          <Pick
            label={settings.kind === 'pivot' ? 'Columns' : 'Series'}
            value={settings.series ?? ''}
            options={[['', 'None'], ...names.map(name => [name, name] as const)]}
            onPick={name => set({ series: name === '' ? null : name })}
          />
        )}
        {hasManyValues(settings) ? (
          <ValuePicks numbers={numbers} values={settings.values} onPick={values => set({ values })} />
        ) : (
          <Pick
            label={settings.kind === 'scatter' ? 'Y axis' : 'Value'}
            value={settings.values[0] ?? ''}
            options={[
              ...(settings.kind === 'scatter' ? [] : [['', 'Number of rows'] as const]),
              ...numbers.map(name => [name, name] as const),
            ]}
            onPick={name => set({ values: name === '' ? [] : [name] })}
          />
        )}
        {hasAggregation(settings) && settings.values.length > 0 && (
          <Pick
            label="Aggregation"
            value={settings.aggregation}
            options={AGGREGATIONS.map(each => [each, AGGREGATION_WORDS[each]])}
            onPick={aggregation => set({ aggregation })}
          />
        )}
        {hasStacking(settings) && (
          <Pick
            label="Stacking"
            value={settings.stacking}
            options={STACKINGS.map(each => [
              each,
              each === 'none' && settings.kind === 'area' ? 'Overlaid' : STACKING_WORDS[each],
            ])}
            onPick={stacking => set({ stacking })}
          />
        )}
        {hasScale(settings) && (
          <Pick
            label={settings.kind === 'heat' ? 'Color scale' : 'Y scale'}
            value={settings.scale}
            options={SCALES.map(each => [each, SCALE_WORDS[each]])}
            onPick={scale => set({ scale })}
          />
        )}
        {settings.kind !== 'pivot' && settings.kind !== 'counter' && (
          <Button small aria-pressed={isTable} onClick={() => setTable(!isTable)}>
            Table
          </Button>
        )}
      </div>
      {found.state === 'loading' && (
        <p className={styles.note} role="status">
          Loading rows{found.loaded > 0 && `: ${grouped(String(found.loaded))}`}…
        </p>
      )}
      {found.state === 'failed' && (
        <p className={styles.note} role="alert">
          Couldn’t load the rows of the chart. {found.text}{' '}
          <Button small onClick={() => setAttempt(attempt + 1)}>
            Retry
          </Button>
        </p>
      )}
      {found.state === 'ready' && (
        <>
          <p className={styles.extent}>{extentText(found, result, settings)}</p>
          <ChartView
            columns={columns}
            rows={found.rows}
            part={found.part}
            isGrouped={found.isGrouped}
            settings={settings}
            isTable={isTable}
          />
        </>
      )}
    </div>
  )
}

const PART_WORDS = { newest: 'Newest', lowest: 'Lowest', first: 'First' } as const

/** How many rows are drawn, and of how many. */
function extentText({ rows, matching, part }: ChartRows, result: QueryResult, { x }: ChartSettings): string {
  const drawn =
    part === 'all'
      ? counted(matching, 'row')
      : `${PART_WORDS[part]} ${grouped(String(rows.length))} of ${counted(matching, 'row')}${x === null || part === 'first' ? '' : ` by ${x}`}. Totals cover only these rows`
  return `${drawn}${result.isTruncated ? `. Result cut at the limit of ${counted(result.rowLimit, 'row')}` : ''}`
}

type PickProps<Value extends string> = {
  label: string
  value: Value
  options: readonly (readonly [Value, string])[]
  onPick: (value: Value) => void
}

function Pick<Value extends string>({ label, value, options, onPick }: PickProps<Value>) {
  const id = useId()
  return (
    <div className={styles.pick}>
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={event => onPick(event.target.value as Value)}>
        {options.map(([each, words], at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two columns of a result may have the same name
          <option key={at} value={each}>
            {words}
          </option>
        ))}
      </select>
    </div>
  )
}

type ValuesProps = {
  numbers: readonly string[]
  values: readonly string[]
  onPick: (values: string[]) => void
}

/** Several number columns at once. */
function ValuePicks({ numbers, values, onPick }: ValuesProps) {
  const id = useId()
  const [anchor, setAnchor] = useState<Anchor>()
  const close = useCallback(() => setAnchor(undefined), [])
  const words = values.length === 0 ? 'Number of rows' : values.join(', ')
  return (
    <div className={styles.pick}>
      <span id={id}>Values</span>
      <button
        type="button"
        className={styles.values}
        aria-label={`Values: ${words}`}
        aria-haspopup="dialog"
        onClick={event => setAnchor(event.currentTarget.getBoundingClientRect())}
      >
        {words}
      </button>
      {anchor && (
        <Popover anchor={anchor} label="Values" onClose={close}>
          <fieldset className={styles.checks}>
            <legend>Values, up to {MOST_VALUES}</legend>
            {numbers.length === 0 && <p>No number column. Rows are counted.</p>}
            {numbers.map((name, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two columns of a result may have the same name
              <label key={at}>
                <input
                  type="checkbox"
                  checked={values.includes(name)}
                  disabled={values.length >= MOST_VALUES && !values.includes(name)}
                  onChange={event =>
                    onPick(event.target.checked ? [...values, name] : values.filter(each => each !== name))
                  }
                />{' '}
                {name}
              </label>
            ))}
          </fieldset>
        </Popover>
      )}
    </div>
  )
}
