import { z } from 'zod'
import { GRAINS, RANGES, SQL_FORMATS, UNITS } from '../vocabulary.ts'
import { asOf, day, figureValue, sourceRef } from './common.ts'

export const sqlParameter = z
  .strictObject({ name: z.string(), type: z.string(), default: z.string(), doc: z.string() })
  .meta({ id: 'SqlParameter', description: 'A `{name:Type}` of a metric’s SQL.' })

const watchBase = {
  id: z.string(),
  says: z.string().describe('ends a sentence that begins with the metric’s name'),
}
const watchKinds = [
  { when: z.enum(['above', 'below']), level: z.number().describe('in the metric’s unit') },
  {
    when: z.enum(['rises', 'falls']),
    level: z.number().describe('as a share of the figure `days` before'),
    days: z.int(),
  },
  { when: z.literal('changes') },
] as const
const watch = z
  .union([
    z.strictObject({ ...watchBase, ...watchKinds[0] }),
    z.strictObject({ ...watchBase, ...watchKinds[1] }),
    z.strictObject({ ...watchBase, ...watchKinds[2] }),
  ])
  .meta({ id: 'Watch', description: 'Something about a figure that is news when it happens.' })

const occurrences = {
  isMet: z.boolean().describe('whether it is true on the latest full day'),
  occurrences: z.array(z.strictObject({ day: z.string(), value: figureValue, before: figureValue })),
}

export const metricEntry = z
  .strictObject({
    id: z.string().describe('`<subject>.<figure>`'),
    name: z.string(),
    unit: z.string(),
    entityKind: z.string(),
    entities: z.array(z.string()).describe('supported values'),
    grain: z.enum(GRAINS).describe('default grain'),
    grains: z.array(z.enum(GRAINS)).describe('supported grains, finest first'),
    breakdown: z
      .strictObject({
        name: z.string(),
        values: z.array(z.string()),
        isComplete: z
          .boolean()
          .describe('a value without a point in a whole bucket is zero; otherwise it is unknown'),
        total: z
          .string()
          .exactOptional()
          .describe('metric of the same entity with the total, if the values can be incomplete'),
      })
      .nullable()
      .describe('its named dimension, if it has one'),
    isPerPublisher: z
      .boolean()
      .describe('its publishers count differently, so a change compares figures of the same publishers'),
    members: z
      .strictObject({
        name: z.string().describe('in the plural'),
        sql: z.string().describe('the statement by member: the same columns, the member in `key`'),
        isSum: z.boolean().describe('the figure is the sum of its members’ values'),
      })
      .nullable()
      .describe('composition of the figure, if it varies by day; changes are like for like'),
    definition: z.string().describe('what exactly, in one sentence'),
    why: z.string(),
    how: z.string(),
    misleads: z.string().describe('how it can mislead or be gamed'),
    sql: z.string().describe('runs unchanged in POST /api/v1/sql'),
    parameters: z.array(sqlParameter),
    switches: z
      .array(z.strictObject({ name: z.string(), doc: z.string() }))
      .describe('alternative counts, set with `switches`'),
    sources: z.array(sourceRef),
    cadence: z.string(),
    cadenceDays: z
      .int()
      .describe('days between two figures: older than twice that is stale, than four times overdue'),
    aggregate: z.enum(['sum', 'last', 'mean', 'distinct', 'recompute']),
    since: z.strictObject({ height: z.int().exactOptional(), day: z.string().exactOptional() }),
    direction: z.enum(['up', 'down', 'neither']).describe('whether more is better'),
    references: z.array(z.strictObject({ title: z.string(), url: z.string().exactOptional() })),
    watches: z.array(watch).describe('available alert conditions'),
  })
  .meta({ id: 'Metric', description: 'A metric, defined once.' })

export const point = z
  .strictObject({
    day: z
      .string()
      .describe('first day of the bucket; by hour its start, by block its header time, as ISO-8601 in UTC'),
    height: z.int().exactOptional().describe('of a block, where the grain is block'),
    value: figureValue,
    key: z.string().describe('value of the breakdown; empty without one'),
    source: z
      .string()
      .describe(
        'id of the source; where several are in the figure, all of them, separated by a comma and a space',
      ),
    state: z
      .enum(['whole', 'partial', 'incomplete'])
      .describe('partial: not over; incomplete: a gap in its base rows'),
  })
  .meta({ id: 'Point', description: 'One bucket of one line.' })

export const restatement = z
  .strictObject({
    day: z.string(),
    key: z.string(),
    oldValue: figureValue,
    newValue: figureValue,
    source: z.string(),
    observedAt: z.string(),
  })
  .meta({ id: 'Restatement', description: 'A published figure that its publisher changed later.' })

export const difference = z
  .strictObject({
    day: z.string(),
    key: z.string(),
    source: z.string(),
    value: figureValue,
    chosen: figureValue,
  })
  .meta({ id: 'Difference', description: 'Another source’s figure for a day that a better source covers.' })

export const series = z
  .strictObject({
    metric: metricEntry,
    entity: z.string(),
    grain: z.enum(GRAINS),
    unit: z.string().describe('unit of the values as answered'),
    points: z.array(point),
    asOf,
    sources: z.array(sourceRef),
    sql: z.string().describe('gives these points when run with `parameters`'),
    parameters: z.record(z.string(), z.string()),
    heights: z
      .array(z.strictObject({ from: z.int(), to: z.int() }))
      .describe('heights that the points rest on, as inclusive ranges; empty for outside figures'),
    restatements: z.array(restatement),
    differences: z.array(difference),
  })
  .meta({ id: 'Series', description: 'A metric over time, with what it rests on.' })

export const watched = z
  .strictObject({
    metric: z.string(),
    entity: z.string(),
    unit: z.string(),
    from: z.string().nullable().describe('first day that was looked at; null without a figure'),
    to: z.string().nullable(),
    asOf,
    watches: z
      .array(
        z.union([
          z.strictObject({ ...watchBase, ...watchKinds[0], ...occurrences }),
          z.strictObject({ ...watchBase, ...watchKinds[1], ...occurrences }),
          z.strictObject({ ...watchBase, ...watchKinds[2], ...occurrences }),
        ]),
      )
      .describe('each alert condition of the metric with the days on which it was met'),
  })
  .meta({ id: 'Watched', description: 'Past alerts on a figure.' })

export const catalogue = z.strictObject({ metrics: z.array(metricEntry) })

export const changeOver = z
  .strictObject({
    name: z.string().describe('what a member is'),
    count: z.int().describe('members that both buckets have'),
    of: z.int().describe('members of the newer bucket'),
  })
  .nullable()
  .describe('what the change compares, where it leaves out members')

export const missingMembers = z
  .strictObject({
    name: z.string().describe('what a member is, in the plural'),
    of: z.int().describe('members that it should have'),
    keys: z.array(z.string()).describe('members without a figure in its bucket'),
  })
  .nullable()
  .describe(
    'members missing from a sum: reported in the days before but not in its bucket. Its state is then `incomplete`. A recent bucket with no missing members is used first. Null if none is missing',
  )

export const figureCoverage = z
  .strictObject({
    name: z.string().describe('what a part is, in the plural'),
    count: z.int().describe('parts that the figure includes, the same on every day'),
    of: z.int().describe('parts that it should include'),
    missing: z.array(z.string()).describe('parts that are left out'),
  })
  .nullable()
  .describe('what the figure includes, where parts may be left out; null where none ever is')

export const figure = z.strictObject({
  metric: metricEntry,
  entity: z.string(),
  unit: z.string(),
  point: point.nullable(),
  missing: missingMembers,
  coverage: figureCoverage,
  change: z
    .number()
    .nullable()
    .describe(
      'ratio of change against the full bucket `changeRange` before, over members that both have; null where that is missing or has other members, or where the members of both are less than 80% of a sum',
    ),
  changeOver,
  changeRange: z.enum(RANGES),
  spark: z
    .array(z.number().nullable())
    .describe(
      'its values over `changeRange` up to it, at most 75 even steps; null if a step has no figure, or only sums with missing members',
    ),
  asOf,
  absent: z.string().nullable().describe('why there is no figure, if there is none'),
})

export const manySeries = z
  .strictObject({ series: z.array(series) })
  .meta({ id: 'ManySeries', description: 'Several metrics over the same time.' })

const MOST_FIGURES = 60
const FIGURE = /^([a-z0-9_.]+)@([a-z0-9.-]+)(?::(.+))?$/

/** `miners.hashrate@bitcoin:7d` → its metric, entity and value of the breakdown. */
const figureName = z
  .string()
  .regex(FIGURE, 'must read metric@entity or metric@entity:value, such as fees.total@bitcoin')
  .transform(text => {
    const [, id = '', entity = '', key] = FIGURE.exec(text) ?? []
    return { id, entity, ...(key !== undefined && { key }) }
  })

export const manySeriesQuery = z.strictObject({
  figures: z
    .string()
    .transform(text => text.split(',').filter(name => name !== ''))
    .pipe(z.array(figureName).min(1).max(MOST_FIGURES))
    .describe('metric@entity or metric@entity:value of the breakdown, separated by commas'),
  from: day.exactOptional().describe('first day, inclusive'),
  to: day.exactOptional().describe('last day, inclusive'),
  range: z.enum(RANGES).exactOptional().describe('a span up to each metric’s latest day, in place of `from`'),
  grain: z.enum(GRAINS).exactOptional().describe('length of a bucket; left out: a day'),
  switches: z
    .string()
    .exactOptional()
    .describe('alternative counts, for metrics that have them, separated by commas'),
  unit: z.enum(UNITS).exactOptional().describe('for amounts in satoshis; everything else keeps its own unit'),
  format: z
    .enum(['json', 'csv', 'sql'])
    .default('json')
    .describe('csv: one line a point; sql: the statements, each with its parameters'),
})

/** The question as the address puts it. */
export const seriesQuery = z.strictObject({
  entity: z.string().min(1).default('bitcoin').describe('entity of the figures'),
  from: day.exactOptional().describe('first day, inclusive'),
  to: day.exactOptional().describe('last day, inclusive'),
  range: z.enum(RANGES).exactOptional().describe('a span up to the latest day, in place of `from`'),
  grain: z
    .enum(GRAINS)
    .exactOptional()
    .describe(
      'length of a bucket; left out: the metric’s own; by block at most 31 days an answer, by hour at most 366',
    ),
  unit: z.enum(UNITS).exactOptional(),
  breakdown: z.string().exactOptional().describe('only these values of the breakdown, separated by commas'),
  switches: z
    .string()
    .exactOptional()
    .describe('alternative counts to turn on, separated by commas; see the metric’s entry'),
  format: z.enum(SQL_FORMATS).exactOptional().describe('in place of the Accept header'),
})

/** Days are watched: of longer buckets one would be told late. */
export const watchedQuery = seriesQuery.pick({ entity: true, from: true, to: true, range: true })
