import type { ResultFilter, SqlColumn } from '#http/contract.ts'
import { isNumberType, isTimeType } from './grid/cells.ts'
import type { Cell } from './grid/pageCache.ts'

export type Operator = ResultFilter['operator']

/** The API takes no more. */
export const MOST_FILTERS = 20

const WORDS: Readonly<Record<Operator, string>> = {
  equals: 'is',
  differs: 'is not',
  contains: 'contains',
  less: 'is less than',
  lessOrEqual: 'is at most',
  greater: 'is more than',
  greaterOrEqual: 'is at least',
  isNull: 'is NULL',
  isNotNull: 'is not NULL',
}
const TIME_WORDS: Partial<Readonly<Record<Operator, string>>> = {
  less: 'is before',
  lessOrEqual: 'is at or before',
  greater: 'is after',
  greaterOrEqual: 'is at or after',
}

export const operatorWords = (operator: Operator, type: string): string =>
  (isTimeType(type) ? TIME_WORDS[operator] : undefined) ?? WORDS[operator]

/** Operators that make sense for a type, the usual one first. */
export function operatorsFor(type: string): readonly Operator[] {
  const order = ['greaterOrEqual', 'greater', 'lessOrEqual', 'less'] as const
  const nulls = ['isNull', 'isNotNull'] as const
  if (isTimeType(type)) return [...order, 'equals', 'differs', ...nulls]
  if (isNumberType(type)) return ['equals', 'differs', ...order, ...nulls]
  return ['contains', 'equals', 'differs', ...nulls]
}

export const needsValue = (operator: Operator): boolean => operator !== 'isNull' && operator !== 'isNotNull'

/** A filter in words: `fee_sat is at least 100`. */
export function filterText({ column, operator, value }: ResultFilter, columns: readonly SqlColumn[]): string {
  const { name = '?', type = '' } = columns[column] ?? {}
  const shown = value === '' ? 'empty' : value
  return `${name} ${operatorWords(operator, type)}${needsValue(operator) ? ` ${shown}` : ''}`
}

/** The filter that keeps the rows with one value. */
export const filterFor = (column: number, value: Cell): ResultFilter =>
  value === null
    ? { column, operator: 'isNull', value: '' }
    : { column, operator: 'equals', value: String(value) }

/** Adds a filter, unless the same one is set already. */
export const withFilter = (filters: readonly ResultFilter[], filter: ResultFilter): ResultFilter[] => [
  ...filters.filter(
    ({ column, operator, value }) =>
      column !== filter.column || operator !== filter.operator || value !== filter.value,
  ),
  filter,
]
