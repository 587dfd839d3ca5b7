import { useState } from 'react'
import { type DayRange, type Directives, dayRangesOf } from '#kernel/sqlDirectives.ts'
import {
  type FieldKind,
  faultOf,
  fieldKind,
  isReversed,
  itemsOf,
  listText,
  OPEN_TYPES,
  ownOf,
  type Parameter,
} from '#kernel/sqlParameters.ts'
import { parameterKey } from '../../assay/address.ts'
import { addDays } from '../../format/day.ts'
import { ChoicePicker } from './ChoicePicker.tsx'
import styles from './ParameterFields.module.css'
import type { QueryClient } from './queryClient.ts'

type Props = {
  parameters: readonly Parameter[]
  values: Readonly<Record<string, string>>
  /** Lists that values are chosen from. */
  choices: Directives['choices']
  client: QueryClient
  /** Whether missing and wrong values are marked: from the first try to run on. */
  isChecked: boolean
  /** Faults that the server found, by name. */
  faults: Readonly<Record<string, string>>
  onValues: (values: Readonly<Record<string, string>>) => void
  /** Absent: types are read-only. */
  onType?: (name: string, type: string) => void
  /** Id prefix, if the page has a second set of these fields. */
  prefix?: string
}

const INPUT: Record<FieldKind, { type: string; step?: number; inputMode?: 'decimal'; placeholder?: string }> =
  {
    text: { type: 'text' },
    number: { type: 'text', inputMode: 'decimal' },
    date: { type: 'date' },
    time: { type: 'datetime-local', step: 1 },
    list: { type: 'text', placeholder: 'Comma-separated' },
  }

/** One field for each parameter of the SQL. */
export function ParameterFields(props: Props) {
  const { parameters, values, isChecked, faults, onValues } = props
  const ranges = dayRangesOf(parameters.map(({ name, type }) => ({ name, kind: fieldKind(type) })))
  return (
    <fieldset className={styles.fields}>
      <legend className="visually-hidden">Parameters</legend>
      {parameters.map(parameter => {
        const { name } = parameter
        const range = ranges.find(({ to }) => to === name)
        const fault =
          faults[name] ??
          (isChecked ? faultOf(parameter, ownOf(values, name)) : undefined) ??
          (range && isReversed(range, values) ? `Ends before ${range.from}.` : undefined)
        return <Field key={name} {...props} parameter={parameter} fault={fault} />
      })}
      {ranges.map(range => (
        <RangePicker
          key={range.to}
          range={range}
          values={values}
          {...(props.prefix !== undefined && { prefix: props.prefix })}
          onValues={onValues}
        />
      ))}
    </fieldset>
  )
}

/** Name of the first parameter with an invalid value. */
export const firstFault = (
  parameters: readonly Parameter[],
  values: Readonly<Record<string, string>>,
): string | undefined => {
  const ranges = dayRangesOf(parameters.map(({ name, type }) => ({ name, kind: fieldKind(type) })))
  return parameters.find(
    parameter =>
      faultOf(parameter, ownOf(values, parameter.name)) !== undefined ||
      ranges.some(range => range.to === parameter.name && isReversed(range, values)),
  )?.name
}

function Field({
  parameter: { name, type, isTypeOpen },
  fault,
  values,
  choices,
  client,
  onValues,
  onType,
  prefix = '',
}: Props & { parameter: Parameter; fault: string | undefined }) {
  const [known, setKnown] = useState<ReadonlySet<string>>()
  const id = `${prefix}parameter-${name}`
  const kind = fieldKind(type)
  const value = ownOf(values, name)
  const source = ownOf(choices, name)
  const chosen = value === undefined || value === '' ? [] : kind === 'list' ? itemsOf(value) : [value]
  const foreign = source && known && chosen.find(each => !known.has(each))
  const words = fault ?? (foreign === undefined ? undefined : `${foreign} is not in the list.`)
  return (
    <div className={styles.field}>
      <div className={styles.label}>
        <label htmlFor={id}>{name}</label>
        {isTypeOpen && onType !== undefined ? (
          <select
            aria-label={`Type of ${name}`}
            value={type}
            onChange={event => onType(name, event.target.value)}
          >
            {OPEN_TYPES.map(each => (
              <option key={each}>{each}</option>
            ))}
          </select>
        ) : (
          <span>{type}</span>
        )}
      </div>
      <div className={styles.value}>
        <input
          id={id}
          name={parameterKey(name)}
          {...INPUT[kind]}
          value={shownValue(kind, value)}
          aria-invalid={words !== undefined || undefined}
          aria-describedby={words === undefined ? undefined : `${id}-fault`}
          spellCheck={false}
          autoComplete="off"
          onChange={event => onValues({ [name]: event.target.value })}
        />
        {source !== undefined && (
          <ChoicePicker
            name={name}
            source={source}
            client={client}
            isMany={kind === 'list'}
            chosen={chosen}
            onChoose={next => onValues({ [name]: kind === 'list' ? listText(next) : (next[0] ?? '') })}
            onKnown={setKnown}
          />
        )}
      </div>
      {words !== undefined && (
        <p id={`${id}-fault`} className={styles.fault}>
          {words}
        </p>
      )}
    </div>
  )
}

const SPANS = [7, 30, 90, 365] as const

function RangePicker({
  range: { from, to },
  values,
  prefix = '',
  onValues,
}: Pick<Props, 'values' | 'prefix' | 'onValues'> & { range: DayRange }) {
  const today = new Date().toISOString().slice(0, 10)
  const span = SPANS.find(days => values[to] === today && values[from] === addDays(today, 1 - days))
  return (
    <div className={styles.field}>
      <div className={styles.label}>
        <label htmlFor={`${prefix}range-${from}`}>
          {from} – {to}
        </label>
        <span>UTC</span>
      </div>
      <select
        id={`${prefix}range-${from}`}
        className={styles.range}
        value={span ?? ''}
        onChange={event => {
          const days = Number(event.target.value)
          if (days > 0) onValues({ [from]: addDays(today, 1 - days), [to]: today })
        }}
      >
        <option value="">Custom range</option>
        {SPANS.map(days => (
          <option key={days} value={days}>
            Last {days} days
          </option>
        ))}
      </select>
    </div>
  )
}

/** A browser’s field of times shows only values with a T. */
const shownValue = (kind: FieldKind, value = ''): string =>
  kind === 'time' ? value.replace(' ', 'T') : value
