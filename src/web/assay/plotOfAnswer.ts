import type { SqlAnswer } from '#http/contract.ts'
import { isDay } from '#kernel/days.ts'
import { bucketIndex, type PlotData, type PlotLine } from '../blocks/chart/plotData.ts'

const MOST_LINES = 6
const MOST_DAYS = 8000

const isNumberType = (type: string): boolean => /^(Nullable\()?(U?Int|Float|Decimal)/.test(type)

/** Rows of a day, at most one naming column and numbers, as lines on a grid of days; undefined for other shapes. */
export function plotOfAnswer({ columns, rows, asOf }: SqlAnswer): PlotData | undefined {
  const dayColumn = columns.findIndex(column => /^(Nullable\()?Date/.test(column.type))
  const numbers = columns.flatMap((column, index) =>
    isNumberType(column.type) ? [{ name: column.name, index }] : [],
  )
  const nameColumn = columns.findIndex(column =>
    /^(Nullable\(|LowCardinality\()?(String|Enum)/.test(column.type),
  )
  const days = rows.map(row => String(row[dayColumn] ?? '').slice(0, 10))
  if (dayColumn === -1 || numbers.length === 0 || rows.length < 2 || !days.every(isDay)) return undefined
  const sorted = days.toSorted()
  const [start = '', end = ''] = [sorted[0], sorted.at(-1)]
  const grid = { start, grain: 'day' as const }
  const count = bucketIndex(grid, end) + 1
  if (count < 2 || count > MOST_DAYS) return undefined
  const lines = new Map<string, PlotLine>()
  rows.forEach((row, rowIndex) => {
    for (const { name, index } of numbers.slice(0, nameColumn === -1 ? MOST_LINES : 1)) {
      const key = nameColumn === -1 ? name : String(row[nameColumn])
      let line = lines.get(key)
      if (!line) {
        if (lines.size >= MOST_LINES) continue
        line = {
          key,
          label: key,
          colour: `series-${lines.size + 1}`,
          values: new Array<number | null>(count).fill(null),
          incomplete: [],
          assay: '',
        }
        lines.set(key, line)
      }
      const value = row[index]
      line.values[bucketIndex(grid, days[rowIndex] ?? start)] =
        value === null || value === undefined ? null : Number(value)
    }
  })
  return {
    ...grid,
    count,
    isPartial: false,
    lines: [...lines.values()],
    unit: '',
    asOf: oldestOf(asOf),
    sources: [],
  }
}

/** What a chart of several chains is to say of its age: the chain that is furthest behind. Without a chain it says nothing. */
const oldestOf = (asOf: SqlAnswer['asOf']): PlotData['asOf'] =>
  asOf.toSorted((a, b) => (a.time < b.time ? -1 : 1))[0] ?? {
    time: new Date().toISOString(),
    height: null,
    state: 'recorded',
  }
