import { parameterKey } from '../../assay/address.ts'
import styles from './ParameterFields.module.css'
import { type FieldKind, faultOf, fieldKind, OPEN_TYPES, type Parameter } from './parameters.ts'

type Props = {
  parameters: readonly Parameter[]
  values: Readonly<Record<string, string>>
  /** Whether missing and wrong values are marked: from the first try to run on. */
  isChecked: boolean
  /** Faults that the server found, by name. */
  faults: Readonly<Record<string, string>>
  onValue: (name: string, value: string) => void
  onType: (name: string, type: string) => void
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
export function ParameterFields({ parameters, values, isChecked, faults, onValue, onType }: Props) {
  return (
    <fieldset className={styles.fields}>
      <legend className="visually-hidden">Parameters</legend>
      {parameters.map(parameter => {
        const { name, type, isTypeOpen } = parameter
        const id = `parameter-${name}`
        const value = values[name]
        const fault = faults[name] ?? (isChecked ? faultOf(parameter, value) : undefined)
        return (
          <div key={name} className={styles.field}>
            <div className={styles.label}>
              <label htmlFor={id}>{name}</label>
              {isTypeOpen ? (
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
            <input
              id={id}
              name={parameterKey(name)}
              {...INPUT[fieldKind(type)]}
              value={shownValue(fieldKind(type), value)}
              aria-invalid={fault !== undefined || undefined}
              aria-describedby={fault === undefined ? undefined : `${id}-fault`}
              spellCheck={false}
              autoComplete="off"
              onChange={event => onValue(name, event.target.value)}
            />
            {fault !== undefined && (
              <p id={`${id}-fault`} className={styles.fault}>
                {fault}
              </p>
            )}
          </div>
        )
      })}
    </fieldset>
  )
}

/** A browser’s field of times shows only values with a T. */
const shownValue = (kind: FieldKind, value = ''): string =>
  kind === 'time' ? value.replace(' ', 'T') : value
