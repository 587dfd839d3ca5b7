import { z } from 'zod'
import { RANGES, UNITS } from '../vocabulary.ts'
import { asOf, figureValue, sourceRef } from './common.ts'
import { changeOver, figureCoverage, missingMembers } from './metrics.ts'

/** Metrics and layers of one answer. */
const MOST_METRICS = 40
const MOST_ENTITIES = 80

const GRAINS = ['day', 'week', 'month'] as const
const METRIC = /^([a-z0-9_.]{1,60})(?::(day|week|month))?$/
const ENTITY = /^[a-z0-9-]{1,60}$/

const isEachOnce = (names: readonly string[]): boolean => new Set(names).size === names.length

/** `a,b` as a list of which no part stands twice. */
const list = (part: RegExp, must: string, most: number) =>
  z
    .string()
    .transform(text => text.split(','))
    .pipe(
      z
        .array(z.string().regex(part, must))
        .min(1)
        .max(most)
        .refine(isEachOnce, { error: 'must not name the same twice' }),
    )

export const compareQuery = z.strictObject({
  metrics: list(METRIC, 'must read metric or metric:grain, such as addresses.senders:week', MOST_METRICS)
    .transform(names =>
      names.map(name => {
        const [, id = '', grain] = METRIC.exec(name) ?? []
        return { id, grain: GRAINS.find(known => known === grain) ?? 'day' }
      }),
    )
    .describe(
      `up to ${MOST_METRICS} metrics, each with its bucket length (default: day), separated by commas`,
    ),
  entities: list(ENTITY, 'must be a layer as the catalog names it', MOST_ENTITIES).describe(
    `up to ${MOST_ENTITIES} layers, and bitcoin, separated by commas`,
  ),
  range: z.enum(RANGES).default('30d').describe('period of changes'),
  unit: z
    .enum(UNITS)
    .exactOptional()
    .describe('for amounts with a price; everything else keeps its own unit'),
})

const comparedFigure = z
  .strictObject({
    metric: z.string(),
    grain: z.enum(GRAINS),
    entity: z.string(),
    of: z
      .string()
      .nullable()
      .describe('subject of the figure: the layer itself, its token or its peg; null if the metric has none'),
    unit: z.string(),
    day: z.string().nullable().describe('first day of the latest full bucket'),
    value: figureValue,
    missing: missingMembers,
    coverage: figureCoverage,
    change: z
      .number()
      .nullable()
      .describe('ratio of change against the whole bucket a range before; null where that is missing'),
    changeOver,
    spark: z
      .array(z.number().nullable())
      .describe(
        'its values over the range up to it, at most 75 even steps; null if a step has no figure, or only sums with missing members',
      ),
    asOf: asOf.nullable(),
    source: z.string().nullable(),
    differs: z
      .strictObject({ source: z.string(), value: figureValue })
      .nullable()
      .describe('value from another source for the same day'),
    absent: z.string().nullable().describe('why there is no figure, if there is none'),
  })
  .meta({ id: 'ComparedFigure', description: 'The latest figure of one metric of one layer.' })

const comparedEntity = z
  .strictObject({
    entity: z.string(),
    name: z.string(),
    status: z.string(),
    kind: z.string(),
    trust: z
      .strictObject({
        custody: z.string().exactOptional(),
        data: z.string().exactOptional(),
        operators: z.string().exactOptional(),
        finality: z.string().exactOptional(),
      })
      .nullable()
      .describe('trust assumptions in words; null if not reviewed'),
    assessment: z
      .strictObject({ by: z.string(), url: z.string(), day: z.string(), isReviewed: z.boolean() })
      .nullable()
      .describe('URL of the latest published trust assessment'),
  })
  .meta({ id: 'ComparedEntity' })

export const comparison = z
  .strictObject({
    changeRange: z.enum(RANGES),
    metrics: z
      .array(
        z.strictObject({
          id: z.string(),
          name: z.string(),
          unit: z.string().describe('of its first entry; each figure has its own'),
          definition: z.string(),
          misleads: z.string(),
          direction: z.enum(['up', 'down', 'neither']),
          aggregate: z.enum(['sum', 'last', 'mean', 'distinct', 'recompute']),
        }),
      )
      .describe('in the order of the question'),
    entities: z.array(comparedEntity).describe('in the order of the question'),
    figures: z.array(comparedFigure).describe('layer by layer, each in the order of the metrics'),
    others: z
      .array(z.strictObject({ entity: z.string(), name: z.string() }))
      .describe('other layers with figures for some of these metrics'),
    sources: z.array(sourceRef),
    asOf: asOf.nullable().describe('of the latest figure; null where there is none'),
  })
  .meta({ id: 'Comparison', description: 'Latest figures of many metrics of many layers.' })
