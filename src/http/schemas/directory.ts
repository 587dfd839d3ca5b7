import { z } from 'zod'
import {
  GRADES,
  LAYER_FAMILIES,
  LAYER_STATUSES,
  MEMORY_FIELDS,
  NO_GRADES,
  TOKEN_KINDS,
  TRUST_CATEGORIES,
} from '#catalog/index.ts'
import { asOf, day, figureValue, sat } from './common.ts'

/** Every layer has one name, that of its file in the catalogue. */
export const layerSlug = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case words joined by hyphens')
  .describe('name of a layer, as /api/v1/layers lists them')

const grade = z.enum([...GRADES, ...NO_GRADES])
const gradeOrNone = grade.nullable().describe('as published; null if not graded')
const byCategory = <Schema extends z.ZodType>(schema: Schema) =>
  z.strictObject({ custody: schema, data: schema, operators: schema, finality: schema })

const newest = z
  .strictObject({
    metric: z.string().describe('id of the metric, which `/api/v1/metrics` explains'),
    unit: z.string(),
    value: figureValue,
    day,
    source: z.string().describe('id of the source'),
    asOf,
  })
  .nullable()
  .describe('latest full day; null if no data yet')

export const origin = z
  .strictObject({
    repo: z.string().exactOptional(),
    path: z.string().exactOptional(),
    commit: z.string().exactOptional(),
    url: z.string().exactOptional(),
    date: day.exactOptional(),
    licence: z.string().exactOptional(),
    note: z.string().exactOptional(),
    isFromMemory: z.literal(true).exactOptional().describe('not verified against a source'),
  })
  .meta({ id: 'Origin', description: 'Where a fact was read.' })

export const directoryItem = z
  .strictObject({
    slug: layerSlug,
    name: z.string(),
    family: z.enum(LAYER_FAMILIES),
    kind: z.string().describe('what it is, in our words'),
    status: z.enum(LAYER_STATUSES),
    statusAsOf: day.describe('day on which the status was read'),
    sentence: z.string(),
    launchedOn: day.nullable(),
    btcAsset: z.string().nullable(),
    isReviewed: z.boolean().describe('a review is published'),
    gradesAsOf: day.nullable().describe('day of the published grades'),
    grades: byCategory(gradeOrNone),
    figures: z.strictObject({ btc: newest, tvl: newest }),
    links: z.record(z.string(), z.string()),
  })
  .meta({ id: 'DirectoryLayer' })

export const directory = z
  .strictObject({
    items: z.array(directoryItem),
    totals: z.strictObject({
      btcSat: sat
        .nullable()
        .describe('sum of the latest figure of each layer that has one; null without any'),
      covers: z.int().describe('layers in that sum'),
      of: z.int().describe('layers on a main network'),
      from: day.nullable().describe('day of the oldest figure in the sum'),
      to: day.nullable().describe('day of the newest'),
    }),
    asOf,
  })
  .meta({
    id: 'LayerDirectory',
    description: 'Every Bitcoin layer in the catalog with its latest figures.',
  })

const path = z.strictObject({
  direction: z.enum(['in', 'out']),
  name: z.string(),
  steps: z.array(
    z.strictObject({
      actor: z.string(),
      does: z.string(),
      where: z.enum(['bitcoin', 'layer', 'other']),
      place: z.string().nullable().describe('name of the place where `where` is other'),
    }),
  ),
  note: z.string().nullable(),
  origin,
})

export const layerProfile = directoryItem
  .extend({
    statusNote: z.string().nullable(),
    chainId: z.int().nullable(),
    bridge: z.string().nullable(),
    launch: z.strictObject({ day, what: z.string(), origin }).nullable(),
    trust: byCategory(z.string().nullable()).nullable().describe('whom a holder trusts, in our words'),
    assessments: z.array(
      z.strictObject({
        by: z.string(),
        url: z.string(),
        day,
        isReviewed: z.boolean(),
        category: z.string().nullable(),
        grades: byCategory(gradeOrNone),
        pegs: z.array(z.strictObject({ name: z.string(), slug: z.string(), grade })),
      }),
    ),
    paths: z.array(path).describe('how bitcoin gets in and out, step by step'),
    addresses: z.array(z.strictObject({ chain: z.string(), address: z.string(), role: z.string(), origin })),
    tokens: z
      .array(
        z.strictObject({
          id: z.string(),
          symbol: z.string(),
          name: z.string(),
          kind: z.enum(TOKEN_KINDS),
          custody: z.string().nullable(),
          claimOn: z.string().nullable().describe('id of the token that it is a claim on'),
          contract: z.string(),
          decimals: z.int().nullable(),
        }),
      )
      .describe('tokens in the catalog on the layer'),
    protocols: z.array(
      z.strictObject({
        slug: z.string(),
        name: z.string(),
        category: z.string(),
        contracts: z.array(z.strictObject({ address: z.string(), role: z.string() })),
        links: z.record(z.string(), z.string()),
      }),
    ),
    incidents: z
      .array(
        z.strictObject({
          day,
          what: z.string(),
          lossUsd: z.number().nullable(),
          url: z.string(),
          protocol: z
            .string()
            .nullable()
            .describe('application on the layer that it happened to; null: the layer itself'),
        }),
      )
      .describe('oldest first'),
    rules: z
      .array(
        z.strictObject({
          id: z.string(),
          name: z.string(),
          tag: z.string().describe('bytes that begin the mark, as text'),
          place: z.string(),
          recognises: z.string(),
          metrics: z.array(z.string()),
          positive: z.string().describe('what is recognized, as an example'),
          negative: z.string().describe('what is not'),
          notCovered: z.string(),
          origin,
        }),
      )
      .describe('how its operations are identified on Bitcoin'),
    events: z.array(
      z.strictObject({
        day,
        height: z.int().nullable(),
        kind: z.string(),
        label: z.string(),
        note: z.string(),
        source: z.string(),
      }),
    ),
    changes: z
      .array(z.strictObject({ day, what: z.string(), origin: origin.nullable() }))
      .describe('what changed in these facts, oldest first; a line is never taken back'),
    fromMemory: z.array(z.enum(MEMORY_FIELDS)).describe('fields not verified against a source'),
    origin,
    asOf,
  })
  .meta({ id: 'LayerProfile', description: 'Catalog entry of one Bitcoin layer.' })

export const trustCategory = z.enum(TRUST_CATEGORIES)
