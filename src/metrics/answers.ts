import type { TRUST_CATEGORIES } from '#catalog/index.ts'
import type { AgeState, SourceState } from './age.ts'
import type {
  Aggregate,
  DayGrain,
  EntityKind,
  Parameter,
  Reference,
  SeriesGrain,
  Switch,
  Watch,
} from './metric.ts'
import type { SeriesUnit } from './seriesSql.ts'

/** What the metrics answer; the API hands these on as they are (`#http/contract.ts` has the same shapes). */
export type SourceRef = {
  id: string
  name: string
  url: string
  licence: string
  lastSuccess: string | null
  cadenceSeconds: number | null
  state: SourceState
  about: string
}

export type AsOf = { time: string; height: number | null; state: AgeState }

export type MetricEntry = {
  id: string
  name: string
  unit: string
  entityKind: EntityKind
  entities: string[]
  grain: 'day'
  grains: SeriesGrain[]
  breakdown: { name: string; values: string[]; isComplete: boolean; total?: string } | null
  members: { name: string; sql: string; isSum: boolean } | null
  /** Its publishers count differently, so a change compares figures of the same publishers. */
  isPerPublisher: boolean
  definition: string
  why: string
  how: string
  misleads: string
  sql: string
  parameters: Parameter[]
  switches: Switch[]
  sources: SourceRef[]
  cadence: string
  /** Days between two figures. */
  cadenceDays: number
  aggregate: Aggregate
  since: { height?: number; day?: string }
  direction: 'up' | 'down' | 'neither'
  references: Reference[]
  watches: Watch[]
}

export type SeriesQuery = {
  id: string
  entity: string
  from?: string | undefined
  to?: string | undefined
  grain?: string | undefined
  unit?: SeriesUnit | undefined
  breakdown?: string[] | undefined
  /** Switches of the metric to turn on. */
  switches?: string[] | undefined
  /** Without what else is said of the same days: restatements and differences stay empty. */
  figuresOnly?: boolean | undefined
}

export type FigureValue = number | string | null
export type Point = {
  day: string
  height?: number
  value: FigureValue
  key: string
  /** The source, or those of all parts by `SOURCES_BY`. */
  source: string
  state: 'whole' | 'partial' | 'incomplete'
}
export type Restatement = {
  day: string
  key: string
  oldValue: FigureValue
  newValue: FigureValue
  source: string
  observedAt: string
}
export type Difference = { day: string; key: string; source: string; value: FigureValue; chosen: FigureValue }

export type Series = {
  metric: MetricEntry
  entity: string
  grain: SeriesGrain
  unit: string
  points: Point[]
  asOf: AsOf
  sources: SourceRef[]
  sql: string
  parameters: Record<string, string>
  heights: { from: number; to: number }[]
  restatements: Restatement[]
  differences: Difference[]
}

export type ChangeRange = '7d' | '30d' | '90d' | '1y' | 'max'
export type FigureQuery = {
  id: string
  entity: string
  changeRange: ChangeRange
  /** The newest figure up to this day; of all days unless given. */
  to?: string | undefined
  /** Length of its bucket; a day unless given. */
  grain?: DayGrain | undefined
  unit?: SeriesUnit | undefined
}
/** Of the members of a figure those that a change compares. */
export type ChangeOver = {
  name: string
  count: number
  of: number
}
/** Members that a sum lacks. */
export type MissingMembers = {
  /** What a member is, in the plural. */
  name: string
  /** Members that the bucket should have. */
  of: number
  /** The members without a figure. */
  keys: string[]
}
/** How many of its parts a figure includes, the same on every day. */
export type FigureCoverage = {
  /** What a part is, in the plural. */
  name: string
  count: number
  of: number
  /** The parts that are left out. */
  missing: string[]
}
export type Figure = {
  metric: MetricEntry
  entity: string
  unit: string
  point: Point | null
  /** Of a sum the members that were reported in the days before it and not on its day; null where it lacks none. */
  missing: MissingMembers | null
  /** What the figure includes, where it may leave out parts; null where it never does. */
  coverage: FigureCoverage | null
  change: number | null
  changeOver: ChangeOver | null
  changeRange: ChangeRange
  spark: (number | null)[]
  asOf: AsOf
  absent: string | null
}

type TrustCategory = (typeof TRUST_CATEGORIES)[number]

/** One metric in a comparison, by a bucket of a length. */
export type ComparedMetric = { id: string; grain: DayGrain }
export type ComparisonQuery = {
  metrics: readonly ComparedMetric[]
  entities: readonly string[]
  changeRange: ChangeRange
  unit?: SeriesUnit | undefined
}
/** The newest figure of one metric of one entity. */
export type ComparedFigure = {
  metric: string
  grain: DayGrain
  entity: string
  /** Whose figure it is: the entity itself, its token or its peg; null where the metric knows none of them. */
  of: string | null
  unit: string
  day: string | null
  value: FigureValue
  /** As of a figure: what a sum lacks, and what the figure includes. */
  missing: MissingMembers | null
  coverage: FigureCoverage | null
  change: number | null
  changeOver: ChangeOver | null
  spark: (number | null)[]
  asOf: AsOf | null
  source: string | null
  differs: { source: string; value: FigureValue } | null
  absent: string | null
}
export type ComparedEntity = {
  entity: string
  name: string
  status: string
  kind: string
  trust: Partial<Record<TrustCategory, string>> | null
  assessment: { by: string; url: string; day: string; isReviewed: boolean } | null
}
export type Comparison = {
  changeRange: ChangeRange
  metrics: Pick<MetricEntry, 'id' | 'name' | 'unit' | 'definition' | 'misleads' | 'direction' | 'aggregate'>[]
  entities: ComparedEntity[]
  figures: ComparedFigure[]
  others: { entity: string; name: string }[]
  sources: SourceRef[]
  asOf: AsOf | null
}
