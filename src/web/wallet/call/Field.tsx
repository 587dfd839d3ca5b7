import { type ReactNode, useId } from 'react'
import styles from './Call.module.css'

type Props = {
  label: ReactNode
  /** What may be typed. */
  note?: string | undefined
  fault?: string | undefined
  value: string
  onChange: (value: string) => void
  isNumeric?: boolean
  /** Takes a row of its own where fields stand side by side. */
  isLong?: boolean
}

/** One line to type, with what fits and what is wrong with it. */
export function Field({ label, note, fault, value, onChange, isNumeric = false, isLong = false }: Props) {
  const id = useId()
  const said = fault ?? note
  return (
    <div className={isLong ? `${styles.field} ${styles.long}` : styles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        value={value}
        onChange={event => onChange(event.target.value)}
        inputMode={isNumeric ? 'numeric' : 'text'}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        aria-invalid={fault === undefined ? undefined : true}
        aria-describedby={said === undefined ? undefined : `${id}-said`}
      />
      {said !== undefined && (
        <small id={`${id}-said`} data-fault={fault === undefined ? undefined : true}>
          {said}
        </small>
      )}
    </div>
  )
}

type ChoiceProps = {
  label: ReactNode
  options: readonly (readonly [value: string, words: string])[]
  fault?: string | undefined
  value: string
  onChange: (value: string) => void
}

/** One of some. */
export function Choice({ label, options, fault, value, onChange }: ChoiceProps) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value}
        onChange={event => onChange(event.target.value)}
        aria-invalid={fault === undefined ? undefined : true}
        aria-describedby={fault === undefined ? undefined : `${id}-said`}
      >
        {options.map(([one, words]) => (
          <option key={one} value={one}>
            {words}
          </option>
        ))}
      </select>
      {fault !== undefined && (
        <small id={`${id}-said`} data-fault>
          {fault}
        </small>
      )}
    </div>
  )
}
