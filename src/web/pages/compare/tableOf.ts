import type { ComparedEntity, ComparedFigure, Range } from '#http/contract.ts'
import type { TrustMark } from '../../blocks/TrustGlyph.tsx'
import { type Lacks, lacksOf } from '../../format/lacks.ts'
import { CATEGORIES, CATEGORY_KEYS, GRADED } from '../l2s/words.ts'
import type { ColumnSet, ColumnSpec } from './lists.ts'
import { withRatios } from './ratios.ts'
import { plus } from './sums.ts'

export type Cell = {
  value: number | string
  unit: string
  day: string
  state: string
  change: number | null
  changeOver: ComparedFigure['changeOver']
  /** How much of a sum there is, where it lacks members, and which it lacks. */
  lacks?: Lacks
  /** Place among the layers, from 1; Bitcoin has none. */
  rank: number | null
  /** Share of the column’s largest, 0 to 1. */
  bar: number
  differs: ComparedFigure['differs']
  assay: string
}

export type CompareRow = {
  entity: string
  name: string
  kind: string
  status: string
  trust: ComparedEntity['trust']
  assessment: ComparedEntity['assessment']
  /** The published grades in short; null where nobody graded it. */
  grades: { marks: TrustMark[]; day: string } | null
  /** By the key of the column; one without a figure is not there. */
  cells: Record<string, Cell>
  /** Why there is none, by the key of the column. */
  absent: Record<string, string>
  spark: (number | null)[]
}

/** `oldest`: day of the oldest part, where the parts are of several days. */
export type Total = {
  value: number | string
  unit: string
  covers: number
  of: number
  oldest: string | null
}

export type CompareTableData = {
  set: string
  columns: (ColumnSpec & {
    /** The day of most of its figures: cells of another say theirs. */
    day: string | null
    sum: Total | null
  })[]
  /** Columns of which no row has a figure, with the reason. */
  empty: { label: string; reason: string; assay: string | null }[]
  rows: CompareRow[]
  lead: string | undefined
  changeRange: Range
}

/** The figures as rows, one a layer, with what only the whole column knows: day, sum and ranks. */
export function tableOf(
  set: ColumnSet,
  given: readonly ComparedFigure[],
  entities: readonly ComparedEntity[],
  changeRange: Range,
): CompareTableData {
  const figures = withRatios(set.columns, given)
  const byColumn = Map.groupBy(figures, ({ metric, grain }) =>
    grain === 'day' ? metric : `${metric}:${grain}`,
  )
  const known = (key: string) => (byColumn.get(key) ?? []).filter(({ value }) => value !== null)
  const asked = set.columns.filter(({ key }) => byColumn.has(key))
  const drawn = asked.filter(({ key }) => known(key).length > 0)
  const cells = new Map(drawn.map(column => [column.key, cellsOf(column, known(column.key))]))
  const lead = drawn.find(({ key }) => key === set.lead) ?? drawn[0]
  return {
    set: set.key,
    columns: drawn.map(column => ({
      ...column,
      day: commonDay(known(column.key)),
      sum: column.total === 'sum' ? totalOf(known(column.key), entities) : null,
    })),
    empty: asked
      .filter(column => !drawn.includes(column))
      .map(({ key, label }) => {
        const cells = (byColumn.get(key) ?? []).filter(({ of }) => of !== null)
        const [first] = cells
        return { label, reason: reasonOf(cells), assay: first ? `${first.metric}@${first.of}` : null }
      }),
    rows: entities.map(({ entity, name, kind, status, trust, assessment }) => ({
      entity,
      name,
      kind,
      status,
      trust,
      assessment,
      grades: gradesOf(figures, entity),
      cells: Object.fromEntries(
        [...cells].flatMap(([key, column]) => {
          const cell = column.get(entity)
          return cell ? [[key, cell]] : []
        }),
      ),
      absent: Object.fromEntries(
        drawn.flatMap(({ key }) => {
          const figure = byColumn.get(key)?.find(one => one.entity === entity)
          return figure?.absent ? [[key, figure.absent]] : []
        }),
      ),
      spark: byColumn.get(lead?.key ?? '')?.find(figure => figure.entity === entity)?.spark ?? [],
    })),
    lead: lead?.key,
    changeRange,
  }
}

/** What publishers grade of a layer, one mark a question, with the newest day. */
function gradesOf(figures: readonly ComparedFigure[], entity: string): CompareRow['grades'] {
  const found = CATEGORY_KEYS.map(category => ({
    category,
    figure: figures.find(one => one.entity === entity && one.metric === `risk.${category}`),
  }))
  const days = found.flatMap(({ figure }) => figure?.day ?? []).sort()
  const day = days.at(-1)
  if (day === undefined) return null
  const marks = found.map(({ category, figure }) => {
    const grade = figure?.value == null ? null : Math.min(5, Math.max(1, Number(figure.value)))
    return {
      label: CATEGORIES[category].label,
      grade,
      word: grade === null ? null : (GRADED[grade - 1] ?? null),
    }
  })
  return { marks, day }
}

/** Why a column has no figure: in the words of its cells, or in what they have in common. */
function reasonOf(cells: readonly ComparedFigure[]): string {
  const reasons = [...new Set(cells.map(({ absent }) => absent ?? ''))].filter(reason => reason !== '')
  const [first] = reasons
  if (first === undefined) return 'No source reports it.'
  const [head = ''] = first.split(':')
  const isOneKind = reasons.length > 1 && reasons.every(reason => reason.startsWith(`${head}:`))
  return isOneKind ? `${head}. See each layer’s assay view for what is needed.` : first
}

/** Ranks and bars compare what is told in one unit: the unit of most. */
function cellsOf(column: ColumnSpec, figures: readonly ComparedFigure[]): Map<string, Cell> {
  const unit = unitOfMost(figures)
  const layers = figures.filter(figure => figure.unit === unit && figure.entity !== 'bitcoin')
  const sign = column.smallFirst ? 1 : -1
  const ranked = layers.toSorted((a, b) => sign * (Number(a.value) - Number(b.value)))
  const top = Math.max(...layers.map(({ value }) => Number(value)), 0)
  return new Map(
    figures.map((figure): [string, Cell] => {
      const { entity, value, day, asOf, change, changeOver, differs, metric, of } = figure
      const lacks = lacksOf(figure)
      const at = ranked.findIndex(one => Number(one.value) === Number(value) && layers.includes(figure))
      return [
        entity,
        {
          value: value ?? '',
          unit: figure.unit,
          day: day ?? '',
          state: asOf?.state ?? 'recorded',
          change,
          changeOver,
          ...(lacks && { lacks }),
          rank: at === -1 || layers.length < 2 ? null : at + 1,
          bar: top > 0 && layers.includes(figure) ? Math.max(0, Number(value) / top) : 0,
          differs,
          assay: `${metric}@${of}`,
        },
      ]
    }),
  )
}

const unitOfMost = (figures: readonly ComparedFigure[]): string | undefined =>
  [...Map.groupBy(figures, ({ unit }) => unit)].toSorted((a, b) => b[1].length - a[1].length)[0]?.[0]

/** The day of most figures; the newest of those that share the first place. */
function commonDay(figures: readonly ComparedFigure[]): string | null {
  const days = [...Map.groupBy(figures, ({ day }) => day ?? '')]
  return days.toSorted((a, b) => b[1].length - a[1].length || b[0].localeCompare(a[0]))[0]?.[0] ?? null
}

/** Over the layers, Bitcoin left out: it is what they stand on, no layer. */
function totalOf(figures: readonly ComparedFigure[], entities: readonly ComparedEntity[]): Total | null {
  const layers = figures.filter(({ entity }) => entity !== 'bitcoin')
  const unit = unitOfMost(layers)
  const parts = layers.filter(figure => figure.unit === unit)
  if (unit === undefined || parts.length < 2) return null
  const days = [...new Set(parts.map(({ day }) => day ?? ''))].sort()
  return {
    value: plus(parts.map(({ value }) => value ?? 0)),
    unit,
    covers: parts.length,
    of: entities.filter(({ entity }) => entity !== 'bitcoin').length,
    oldest: days.length > 1 ? (days[0] ?? null) : null,
  }
}
