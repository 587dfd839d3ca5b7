import type { SqlColumn } from '#http/contract.ts'
import { entityColour } from '../../../../blocks/chart/entityColour.ts'
import { grouped, significant } from '../../../../format/figure.ts'
import { isNumberType, isTimeType } from '../grid/cells.ts'
import type { Cell, Row } from '../grid/pageCache.ts'
import type { ChartSettings } from './chartSettings.ts'
import {
  bucketOf,
  bucketTime,
  paceOf,
  secondsOf,
  sparseTimes,
  stepWords,
  type TimeGrid,
  timeGridOf,
  timeLabel,
} from './timeGrid.ts'

/** One line, slice or pivot column. */
export type ChartLine = {
  key: string
  label: string
  /** Name of a colour token without the dashes. */
  colour: string
  /** One value a place of the axis; null is unknown, never zero. */
  values: (number | null)[]
  /** Places whose value is not that of all rows: a sum lacks a NULL, or rows of the place are not drawn. */
  lacking: number[]
}

export type ChartAxis = {
  title: string
  labels: string[]
  /** Places in the unit of the axis (numbers, seconds), ascending; absent for names. */
  numbers?: number[]
  grid?: TimeGrid
}

/** Rows of a result, grouped for a chart. */
export type ChartTable = {
  axis: ChartAxis
  lines: ChartLine[]
  /** Rows without an x. */
  unplaced: number
  /** Names and lines that are left out, smallest first. */
  droppedNames: number
  droppedLines: number
  /** What groups of rows were made of, where rows share a place. */
  isGrouped: boolean
  groupWords: string
}

/** Most lines and most names on an axis. */
export const MOST_LINES = 12
export const MOST_NAMES = 60

const COLOURS = [
  'series-2',
  'series-3',
  'series-4',
  'series-5',
  'series-10',
  'series-9',
  'series-7',
  'series-6',
  'series-8',
  'series-1',
]
const NO_ENTITY = entityColour('')

/** Positions within a group from the server. */
export const GROUP_SERIES = 1
export const GROUP_ROWS = 2
/** Position of the aggregate of a value. The number of rows with a value follows it. */
export const groupValue = (at: number): number => 3 + 2 * at

const numberOf = (cell: Cell | undefined): number | null => {
  if (cell === null || cell === undefined || cell === '') return null
  const number = Number(cell)
  return Number.isFinite(number) ? number : null
}
const nameOf = (cell: Cell | undefined): string =>
  cell === null || cell === undefined ? 'NULL' : cell === '' ? '(empty)' : String(cell)

/** One value of many. NULLs are left out; of NULLs alone the value is unknown. */
export function aggregate(
  values: readonly (number | null)[],
  how: ChartSettings['aggregation'],
): number | null {
  const known = values.filter(value => value !== null)
  if (how === 'last') return known.at(-1) ?? null
  if (known.length === 0) return null
  switch (how) {
    case 'sum':
      return known.reduce((sum, value) => sum + value, 0)
    case 'average':
      return known.reduce((sum, value) => sum + value, 0) / known.length
    case 'min':
      return known.reduce((a, b) => Math.min(a, b))
    case 'max':
      return known.reduce((a, b) => Math.max(a, b))
    case 'count':
      return known.length
    case 'median': {
      const sorted = known.toSorted((a, b) => a - b)
      const middle = sorted.length >> 1
      const upper = sorted[middle] ?? 0
      return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? 0)) / 2
    }
  }
}

type Options = {
  lines?: number
  names?: number
  /** Whether the rows are groups computed by the server (`ResultChart`). */
  isGrouped?: boolean
  /** Which end of the axis may lack rows that are not drawn. */
  cutEnd?: 'low' | 'high' | undefined
}

/** Groups rows by x and series. Every place without rows, and every group of NULLs alone, is a gap. */
export function chartTable(
  columns: readonly SqlColumn[],
  rows: readonly Row[],
  settings: ChartSettings,
  {
    lines: mostLines = MOST_LINES,
    names: mostNames = MOST_NAMES,
    cutEnd,
    isGrouped: hasGroups,
  }: Options = {},
): ChartTable {
  const indexOf = (name: string | null | undefined) => columns.findIndex(column => column.name === name)
  const xIndex = indexOf(settings.x)
  const seriesIndex = indexOf(settings.series)
  const { aggregation } = settings
  const values = settings.values
    .map(name => ({ name, index: indexOf(name) }))
    .filter(({ index }) => index >= 0)
  const axis = axisOf(columns[xIndex], hasGroups ? 0 : xIndex, rows)

  // Values of every group, by line and place.
  const groups = new Map<string, (number | null)[][]>()
  let isGrouped = false
  let unplaced = 0
  const add = (line: string, place: number, value: number | null) => {
    let places = groups.get(line)
    if (!places) {
      places = []
      groups.set(line, places)
    }
    const found = places[place]
    if (found) {
      found.push(value)
      isGrouped = true
    } else places[place] = [value]
  }
  for (const row of rows) {
    const place = axis.placeOf(row)
    const size = hasGroups ? Number(row[GROUP_ROWS]) : 1
    if (place === undefined) {
      unplaced += size
      continue
    }
    if (hasGroups) {
      isGrouped ||= size > 1
      const own = nameOf(row[GROUP_SERIES])
      if (values.length === 0) add(seriesIndex < 0 ? 'Rows' : own, place, size)
      for (const [at, { name }] of (seriesIndex < 0 ? values : values.slice(0, 1)).entries()) {
        const value = numberOf(row[groupValue(at)])
        add(seriesIndex < 0 ? name : own, place, value)
        // Some rows of the group have no value.
        if (value !== null && Number(row[groupValue(at) + 1]) < size)
          add(seriesIndex < 0 ? name : own, place, null)
      }
      continue
    }
    if (values.length === 0) add(seriesIndex < 0 ? 'Rows' : nameOf(row[seriesIndex]), place, 1)
    else if (seriesIndex >= 0) add(nameOf(row[seriesIndex]), place, numberOf(row[values[0]?.index ?? -1]))
    else for (const { name, index } of values) add(name, place, numberOf(row[index]))
  }

  const isAdditive = aggregation === 'sum' || aggregation === 'count'
  // Group counts can be added.
  const how = hasGroups && isAdditive ? 'sum' : values.length === 0 ? 'count' : aggregation
  const weighed = [...groups].map(([label, places]) => ({
    label,
    places,
    weight: places.reduce((sum, group) => sum + Math.abs(aggregate(group ?? [], how) ?? 0), 0),
  }))
  // Columns keep their order; values of a series come by size.
  if (seriesIndex >= 0) weighed.sort((a, b) => b.weight - a.weight)
  const shown =
    weighed.length > mostLines ? weighed.slice(0, isAdditive ? mostLines - 1 : mostLines) : weighed
  const rest = weighed.slice(shown.length)
  if (rest.length > 0 && isAdditive) {
    const places: (number | null)[][] = []
    for (const each of rest)
      each.places.forEach((group, place) => {
        const found = places[place]
        if (found) found.push(...group)
        else places[place] = [...group]
      })
    shown.push({ label: `Other (${rest.length})`, places, weight: 0 })
  }
  const cutPlace = cutEnd === undefined ? undefined : cutEnd === 'low' ? 0 : axis.labels.length - 1
  const colours = coloursOf(
    shown.map(({ label }) => label),
    rest.length > 0 && isAdditive,
  )
  const lines = shown.map(
    ({ label, places }, at): ChartLine => ({
      key: `${at}:${label}`,
      label,
      colour: colours[at] ?? 'series-1',
      values: Array.from({ length: axis.labels.length }, (_, place) => aggregate(places[place] ?? [], how)),
      // Holes of the list are places without rows, which `flatMap` passes over.
      lacking: places.flatMap((group, place) =>
        (place === cutPlace || (isAdditive && group.includes(null))) && group.some(value => value !== null)
          ? [place]
          : [],
      ),
    }),
  )
  const { placeOf: _, ...shownAxis } = axis
  const table: ChartTable = {
    axis: shownAxis,
    lines,
    unplaced,
    droppedNames: 0,
    droppedLines: isAdditive ? 0 : rest.length,
    isGrouped,
    groupWords: axis.grid ? stepWords(axis.grid.step) : axis.title,
  }
  return axis.numbers === undefined ? withLargestNames(table, mostNames) : table
}

/** Names come by size, and the smallest of very many are left out. */
function withLargestNames(table: ChartTable, most: number): ChartTable {
  const { axis, lines } = table
  const weights = axis.labels.map((_, place) =>
    lines.reduce((sum, { values }) => sum + Math.abs(values[place] ?? 0), 0),
  )
  const order = axis.labels.map((_, place) => place).sort((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0))
  const kept = order.slice(0, most)
  return {
    ...table,
    axis: { ...axis, labels: kept.map(place => axis.labels[place] ?? '') },
    lines: lines.map(line => ({
      ...line,
      values: kept.map(place => line.values[place] ?? null),
      lacking: kept.flatMap((place, at) => (line.lacking.includes(place) ? [at] : [])),
    })),
    droppedNames: order.length - kept.length,
  }
}

/** Entities have their own colour everywhere; others take the next free one. */
export function coloursOf(labels: readonly string[], hasRest: boolean): string[] {
  const own = labels.map(label => {
    const colour = entityColour(label.toLowerCase())
    return colour === NO_ENTITY ? undefined : colour
  })
  let next = 0
  return own.map((colour, at) =>
    (hasRest && at === labels.length - 1) || labels[at] === 'NULL'
      ? 'series-rest'
      : (colour ?? COLOURS[next++ % COLOURS.length] ?? 'series-1'),
  )
}

type Axis = ChartAxis & { placeOf: (row: Row) => number | undefined }

export const isTimeAxis = ({ grid }: Pick<ChartAxis, 'grid'>): boolean => grid !== undefined

function axisOf(column: SqlColumn | undefined, index: number, rows: readonly Row[]): Axis {
  if (column === undefined) return { title: '', labels: ['All rows'], placeOf: () => 0 }
  const title = column.name
  if (isTimeType(column.type)) {
    const found = rows.map(row => secondsOf(row[index])).filter(time => time !== undefined)
    const grid = timeGridOf(found)
    const sparse = grid && sparseTimes(found, grid)
    if (sparse !== undefined) {
      const step = paceOf(sparse)
      const places = new Map(sparse.map((time, at) => [time, at]))
      return {
        title,
        grid: { start: sparse[0] ?? 0, step, count: sparse.length },
        numbers: sparse,
        labels: sparse.map(time => timeLabel(time, step)),
        placeOf: row => places.get(secondsOf(row[index]) ?? Number.NaN),
      }
    }
    if (grid !== undefined) {
      const times = Array.from({ length: grid.count }, (_, at) => bucketTime(grid, at))
      return {
        title,
        grid,
        numbers: times,
        labels: times.map(time => timeLabel(time, grid.step)),
        placeOf: row => {
          const time = secondsOf(row[index])
          return time === undefined ? undefined : bucketOf(grid, time)
        },
      }
    }
  }
  if (isNumberType(column.type)) {
    const numbers = [...new Set(rows.map(row => numberOf(row[index])).filter(value => value !== null))].sort(
      (a, b) => a - b,
    )
    const places = new Map(numbers.map((number, at) => [number, at]))
    return {
      title,
      numbers,
      labels: numbers.map(number =>
        Number.isInteger(number) ? grouped(String(number)) : significant(number, 6),
      ),
      placeOf: row => {
        const number = numberOf(row[index])
        return number === null ? undefined : places.get(number)
      },
    }
  }
  const places = new Map<string, number>()
  for (const row of rows) {
    const name = nameOf(row[index])
    if (!places.has(name)) places.set(name, places.size)
  }
  return { title, labels: [...places.keys()], placeOf: row => places.get(nameOf(row[index])) }
}

/** One point of a scatter: a row with an x and a y. */
export type ChartPoint = { x: number; y: number }
export type ChartPoints = {
  groups: { key: string; label: string; colour: string; points: ChartPoint[] }[]
  /** Rows that lack an x or a y. */
  unplaced: number
  isTime: boolean
}

/** Rows as points of two columns. Nothing is grouped or summed. */
export function chartPoints(
  columns: readonly SqlColumn[],
  rows: readonly Row[],
  settings: ChartSettings,
): ChartPoints {
  const indexOf = (name: string | null | undefined) => columns.findIndex(column => column.name === name)
  const [xIndex, yIndex, seriesIndex] = [
    indexOf(settings.x),
    indexOf(settings.values[0]),
    indexOf(settings.series),
  ]
  const isTime = isTimeType(columns[xIndex]?.type ?? '')
  const groups = new Map<string, ChartPoint[]>()
  let unplaced = 0
  for (const row of rows) {
    const x = isTime ? (secondsOf(row[xIndex]) ?? null) : numberOf(row[xIndex])
    const y = numberOf(row[yIndex])
    if (x === null || y === null) {
      unplaced += 1
      continue
    }
    const label = seriesIndex < 0 ? (settings.values[0] ?? '') : nameOf(row[seriesIndex])
    const points = groups.get(label)
    if (points) points.push({ x, y })
    else groups.set(label, [{ x, y }])
  }
  const sorted = [...groups].sort((a, b) => b[1].length - a[1].length)
  const rest = sorted.slice(MOST_LINES - 1)
  const isOver = sorted.length > MOST_LINES
  const shown = isOver ? sorted.slice(0, MOST_LINES - 1) : sorted
  if (isOver) shown.push([`Other (${rest.length})`, rest.flatMap(([, points]) => points)])
  const colours = coloursOf(
    shown.map(([label]) => label),
    isOver,
  )
  return {
    groups: shown.map(([label, points], at) => ({
      key: `${at}:${label}`,
      label,
      colour: colours[at] ?? 'series-1',
      points: points.toSorted((a, b) => a.x - b.x),
    })),
    unplaced,
    isTime,
  }
}
