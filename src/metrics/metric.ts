import { FINE_GRAINS, type FineGrain } from './fineFigures.ts'

/** How a longer bucket follows from shorter ones. */
export const AGGREGATES = ['sum', 'last', 'mean', 'distinct', 'recompute'] as const
export type Aggregate = (typeof AGGREGATES)[number]

const DAY_GRAINS = ['day', 'week', 'month'] as const
/** Grains of answers. */
export const SERIES_GRAINS = [...FINE_GRAINS, ...DAY_GRAINS] as const
export type SeriesGrain = (typeof SERIES_GRAINS)[number]
export type DayGrain = (typeof DAY_GRAINS)[number]

export const isFine = (grain: SeriesGrain): grain is FineGrain =>
  (FINE_GRAINS as readonly string[]).includes(grain)

/** What a metric is about; the key of an entry is (`id`, `entityKind`), and its entities where chains need statements of their own. */
export const ENTITY_KINDS = [
  'chain',
  'layer',
  'protocol',
  'pool',
  'token',
  'treasury',
  'index',
  'signal',
  'ecosystem',
] as const
export type EntityKind = (typeof ENTITY_KINDS)[number]

export type Parameter = {
  readonly name: string
  readonly type: string
  readonly default: string
  readonly doc: string
}
export type Reference = { readonly title: string; readonly url?: string }
/** A choice that a reader may turn on: another way to count the same thing. Off unless asked for. */
export type Switch = { readonly name: string; readonly doc: string }

/**
 * Something about a figure that a reader may be told of when it happens: a hook for alerts. `says` ends a sentence that
 * begins with the metric’s name. `level` is a figure in the metric’s unit, of `rises` and `falls` a share over `days`.
 */
export type Watch = { readonly id: string; readonly says: string } & (
  | { readonly when: 'above' | 'below'; readonly level: number; readonly days?: never }
  | { readonly when: 'rises' | 'falls'; readonly level: number; readonly days: number }
  | { readonly when: 'changes'; readonly level?: never; readonly days?: never }
)

/** The named dimension of a metric, and its values where they are fixed. */
export type Breakdown = {
  readonly name: string
  readonly values: readonly string[]
  /**
   * A value without a row in a whole bucket is zero, since rows are counted from all records. Figures from a chain's own
   * rows always are; what a publisher leaves out is unknown.
   */
  readonly isComplete?: boolean
  /** Id of the metric of the same entity that is the total of these parts by its own source, where they may lack some. */
  readonly total?: string
}

/**
 * What a figure is made of where that differs from day to day: the holders that are known, the pools that report. Changes
 * are like for like over them (`likeForLike`).
 */
export type Members = {
  /** In the plural: `holders`. */
  readonly name: string
  /** The metric's statement by member: the same columns, with the member in `key`. */
  readonly sql: string
  /** The figure is the sum of its members' values. Otherwise two days compare only if they have the same members. */
  readonly isSum: boolean
  /** Publishers report each member of a sum by the day, so that one without a figure on a day is missing. */
  readonly isReportedDaily?: boolean
}

/**
 * What a figure should be made of, and what it includes: the repositories of an ecosystem, of which one is not read. The
 * same on every day of the figure. `sql` returns a row per part of `{entity:String}`: `key`, and `is_counted` as Bool.
 */
export type Coverage = {
  /** In the plural: `repositories`. */
  readonly name: string
  readonly sql: string
}

/**
 * A metric, defined once. Its `sql` runs as it stands on public tables and is what the page draws. It returns, by name:
 *
 * | column | what |
 * | --- | --- |
 * | `day` | first UTC day of the bucket |
 * | `key` | value of the breakdown; '' without one |
 * | `value` | the figure: a whole number where it is an amount or a count, else a float; null where it is not known |
 * | `numerator`, `denominator` | of a ratio: the sums that a longer bucket is computed from |
 * | `state` | `whole`; `partial`: the bucket is not over; `incomplete`: a gap in its base rows |
 * | `source` | id of the source that the figure comes from |
 * | `from_height`, `to_height` | blocks that it rests on; null for outside figures |
 * | `as_of` | newest block or observation behind it, UTC |
 */
export type Metric = {
  readonly id: string
  readonly name: string
  readonly unit: string
  readonly entityKind: EntityKind
  readonly entities: readonly string[]
  /** The bucket that it answers by unless asked for another. */
  readonly grain: 'day'
  readonly breakdown: Breakdown | null
  /** One sentence. */
  readonly definition: string
  readonly why: string
  readonly how: string
  /** How it can mislead or be gamed. */
  readonly misleads: string
  readonly sql: string
  /**
   * The same by block or hour: it returns `time` and `height` in place of `day`. The range is short, as base rows are
   * read: `MOST_FINE_DAYS`.
   */
  readonly fine: { readonly grains: readonly FineGrain[]; readonly sql: string } | undefined
  readonly parameters: readonly Parameter[]
  /** What its SQL can be asked to count in another way: `{name:UInt8}`, 1 where it is on. */
  readonly switches: readonly Switch[]
  /** Source ids, in the order of trust. */
  readonly sources: readonly string[]
  readonly cadence: 'block' | 'day' | 'week' | 'epoch' | 'recorded'
  readonly aggregate: Aggregate
  readonly since: { readonly height?: number; readonly day?: string }
  /** Is more better, worse, or neither. */
  readonly direction: 'up' | 'down' | 'neither'
  readonly references: readonly Reference[]
  /** What readers may be told of; none where nothing about it is news. */
  readonly watches: readonly Watch[]
  /** The figure behind one number: a value of the breakdown, or their sum. Absent: the only one. */
  readonly headline: string | undefined
  /** Absent where the figure is made of the same on every day. A sum over a breakdown has the values of the breakdown. */
  readonly members: Members | undefined
  /** Absent where the figure is made of all that it should be. */
  readonly coverage: Coverage | undefined
  /** Its publishers count differently, so a change compares two days of the same publisher. */
  readonly isPerPublisher: boolean
  /** Why a server may have no figure at all and what would bring it, as a sentence. */
  readonly needs: string
  /** `reported`: a day without a figure is no gap (trading days, samples). */
  readonly calendar: 'every day' | 'reported'
  /** The id under which outside figures of it are kept; its own unless another metric’s are read. */
  readonly observedAs: string
  /** What other sources say, in the same columns: it stands beside the chosen figure. */
  readonly besideSql: string | undefined
}

/** The sum of the breakdown's values as headline. */
export const SUM_OF_KEYS = '*'

const NEEDS_BLOCKS = 'No full day yet.'

/** The day on which Bitcoin begins. */
const GENESIS_DAY = '2009-01-03'

/** Parameters that any SQL may use; left out of a request they take these defaults. */
export const COMMON_PARAMETERS: readonly Parameter[] = [
  { name: 'from', type: 'Date', default: GENESIS_DAY, doc: 'first UTC day, inclusive' },
  { name: 'to', type: 'Date', default: '2100-01-01', doc: 'last UTC day, inclusive' },
  { name: 'grain', type: 'String', default: 'day', doc: '`day`, `week` (from Monday) or `month`' },
  { name: 'entity', type: 'String', default: '', doc: 'what the figure is about' },
]

type Optional =
  | 'parameters'
  | 'switches'
  | 'watches'
  | 'needs'
  | 'headline'
  | 'members'
  | 'coverage'
  | 'isPerPublisher'
  | 'calendar'
  | 'besideSql'
  | 'observedAs'
  | 'fine'
  | 'breakdown'
  | 'grain'
  | 'entityKind'
  | 'entities'
export type MetricDeclaration = Omit<Metric, Optional> & Partial<Pick<Metric, Optional>>

/** `{name:Type}` of a statement, in order of appearance. */
export function parametersOf(sql: string): { name: string; type: string }[] {
  const found = new Map<string, string>()
  for (const [, name, type] of sql.matchAll(/\{(\w+)\s*:\s*([\w()]+)\}/g)) found.set(name!, type!)
  return [...found].map(([name, type]) => ({ name, type }))
}

/** Whether a value of the breakdown without a row in a whole bucket is zero. */
export const isBreakdownComplete = ({ breakdown, sources }: Pick<Metric, 'breakdown' | 'sources'>): boolean =>
  breakdown?.isComplete ?? sources.every(id => id.endsWith('.chain'))

/**
 * The members of a figure: those declared, or the values of a breakdown that is summed and may lack some on a day.
 * Undefined where the figure is made of the same on every day.
 */
export function membersOf(entry: Metric): Members | undefined {
  const { members, headline, breakdown, sql } = entry
  if (members !== undefined) return members
  if (headline !== SUM_OF_KEYS || breakdown === null || isBreakdownComplete(entry)) return undefined
  return { name: 'parts', sql, isSum: true }
}

/** Grains that a metric answers by, the finest first. */
export const grainsOf = ({ fine }: Pick<Metric, 'fine'>): SeriesGrain[] => [
  ...(fine?.grains ?? []),
  ...DAY_GRAINS,
]

/** Declares a metric: Bitcoin, a day, no breakdown, unless said. Parameters follow from the SQL. */
export function metric(declaration: MetricDeclaration): Metric {
  const entities = declaration.entities ?? ['bitcoin']
  const switches = declaration.switches ?? []
  const known = [
    ...(declaration.parameters ?? []),
    ...switches.map(({ name, doc }) => ({ name, type: 'UInt8', default: '0', doc: `1: ${doc}` })),
    ...COMMON_PARAMETERS.map(parameter =>
      parameter.name === 'entity' ? { ...parameter, default: entities[0] ?? '' } : parameter,
    ),
  ]
  const { besideSql, headline, fine, members, coverage } = declaration
  return {
    entityKind: 'chain',
    grain: 'day',
    breakdown: null,
    calendar: 'every day',
    isPerPublisher: false,
    needs: NEEDS_BLOCKS,
    observedAs: declaration.id,
    watches: [],
    ...declaration,
    switches,
    entities,
    besideSql,
    headline,
    members,
    coverage,
    fine,
    parameters: parametersOf(declaration.sql).map(
      ({ name, type }) => known.find(p => p.name === name) ?? { name, type, default: '', doc: '' },
    ),
  }
}
