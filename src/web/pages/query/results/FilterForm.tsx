import { type SubmitEvent, useId, useState } from 'react'
import type { ResultFilter, SqlColumn } from '#http/contract.ts'
import { Button } from '../../../ui/Button.tsx'
import { needsValue, type Operator, operatorsFor, operatorWords } from './filters.ts'
import { timeExample } from './grid/cells.ts'
import styles from './ResultPane.module.css'

type Props = {
  columns: readonly SqlColumn[]
  column: number
  onApply: (filter: ResultFilter) => void
}

/** One condition on one column. */
export function FilterForm({ columns, column: first, onApply }: Props) {
  const id = useId()
  const [column, setColumn] = useState(first)
  const type = columns[column]?.type ?? ''
  const operators = operatorsFor(type)
  const [chosen, setChosen] = useState<Operator>()
  const operator = chosen !== undefined && operators.includes(chosen) ? chosen : (operators[0] ?? 'equals')
  const [value, setValue] = useState('')
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    onApply({ column, operator, value: needsValue(operator) ? value : '' })
  }
  return (
    <form className={styles.filterForm} onSubmit={handleSubmit}>
      <label htmlFor={`${id}-column`}>Column</label>
      <select id={`${id}-column`} value={column} onChange={event => setColumn(Number(event.target.value))}>
        {columns.map(({ name }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two columns of a result may have the same name
          <option key={at} value={at}>
            {name}
          </option>
        ))}
      </select>
      <label htmlFor={`${id}-operator`}>Condition</label>
      <select
        id={`${id}-operator`}
        data-first
        value={operator}
        onChange={event => setChosen(event.target.value as Operator)}
      >
        {operators.map(each => (
          <option key={each} value={each}>
            {operatorWords(each, type)}
          </option>
        ))}
      </select>
      {needsValue(operator) && (
        <>
          <label htmlFor={`${id}-value`}>Value</label>
          <input
            id={`${id}-value`}
            value={value}
            maxLength={1000}
            autoComplete="off"
            spellCheck={false}
            placeholder={timeExample(type)}
            onChange={event => setValue(event.target.value)}
          />
        </>
      )}
      <Button type="submit" look="primary" small>
        Apply filter
      </Button>
    </form>
  )
}
