import { z } from 'zod'

/**
 * A provenance file: what a figure or a query result is, what data it rests on, and a hash of its rows. The format and the hashes
 * are described in docs/decisions/provenance.md. Every size is limited, since files come from strangers.
 */

export const PROVENANCE_FORMAT = 'assay-provenance'
export const PROVENANCE_VERSION = 1

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 hash in lower-case hex')
/** A whole number below 2^256 in decimal digits. */
const sum256 = z.string().regex(/^\d{1,78}$/, 'must be a whole number')
const count = z.int().min(0)
const height = z.int().min(0).max(4_294_967_295)
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a day such as 2026-01-31')
const name = z.string().max(200)
const parameters = z
  .record(z.string().max(200), z.string().max(60_000))
  .refine(values => Object.keys(values).length <= 200, 'must have at most 200 parameters')

/** What equals on two servers exactly if the rows behind it do, and tells which one of them differs. */
const digest = {
  count: count.describe('rows'),
  hash: sha256.describe('SHA-256 of the lines of all rows'),
  sum: sum256.describe('sum of the elements of all rows, modulo 2^256'),
  moment: sum256.describe('sum of position × element, modulo 2^256'),
}

export const BLOCK_RECORDS = ['blocks', 'headers', 'statistics'] as const

export const blocksSelector = z.strictObject({
  kind: z.literal('blocks'),
  record: z.enum(BLOCK_RECORDS).describe('statistics: figures of a node about blocks'),
  chain: z.string().regex(/^[a-z0-9-]{1,60}$/, 'must be the name of a chain'),
  from: height,
  to: height,
})
export const valuesSelector = z.strictObject({
  kind: z.literal('values'),
  table: z.enum(['observations', 'prices']),
  name: name.describe('metric id, or asset and currency such as BTC/USD'),
  source: name.describe('source id'),
  to: day.describe('last day that counts'),
})
export const recordsSelector = z.strictObject({
  kind: z.literal('records'),
  table: z.string().regex(/^[a-z0-9_]{1,100}$/, 'must be the name of a table'),
})
export const selector = z.discriminatedUnion('kind', [blocksSelector, valuesSelector, recordsSelector])

const MOST_RUNS = 1_000
const MOST_RECENT = 16

export const blocksInput = blocksSelector.extend({
  ...digest,
  runs: z
    .array(z.tuple([height, height]))
    .max(MOST_RUNS)
    .describe('ranges of heights, both ends included; with more of them, the whole span'),
  recent: z
    .array(z.tuple([height, sha256]))
    .max(MOST_RECENT)
    .describe('newest blocks with their hashes'),
})
export const valuesInput = valuesSelector.extend({
  ...digest,
  bits: sum256.describe('sum of the values, floats by their IEEE 754 bits, modulo 2^64'),
})
export const recordsInput = recordsSelector.extend(digest)
export const input = z.discriminatedUnion('kind', [blocksInput, valuesInput, recordsInput])

export const definition = z.strictObject({
  version: sha256.describe('SHA-256 of the fields beside it'),
  name: z.string().max(1000),
  unit: z.string().max(200),
  aggregate: z.string().max(50),
  definition: z.string().max(20_000),
  sql: z.string().max(200_000),
})

const seriesRequest = z.strictObject({
  entity: name,
  from: day.exactOptional(),
  to: day.exactOptional(),
  grain: z.string().max(20),
  unit: z.string().max(20).exactOptional(),
  breakdown: z.array(name).max(200).exactOptional(),
  switches: z.array(name).max(50).exactOptional(),
})

const figure = {
  metric: z.string().regex(/^[a-z0-9_.]{1,200}$/, 'must be the id of a metric'),
  request: seriesRequest,
  definition,
  sql: z.string().max(400_000),
  parameters,
}
/** Before the id of a metric among the tables of a query. */
export const METRIC_TABLE = 'metrics.'

/** Metrics of one chart. */
const MOST_FIGURES = 60

export const subject = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('query'),
    sql: z.string().max(100_000),
    parameters,
  }),
  z.strictObject({ kind: z.literal('metric'), ...figure }),
  z.strictObject({
    kind: z.literal('chart'),
    figures: z
      .array(z.strictObject({ ...figure, rowCount: count, hash: sha256, roundedHash: sha256 }))
      .min(1)
      .max(MOST_FIGURES)
      .describe('metrics of the chart, each with the hash of its own rows'),
  }),
])

export const rowsDigest = z.strictObject({
  columns: z
    .array(z.strictObject({ name: z.string().max(10_000), type: z.string().max(10_000) }))
    .max(10_000),
  rowCount: count,
  isTruncated: z.boolean().describe('true when the row limit cut the result'),
  rowLimit: count.nullable(),
  hash: sha256.describe('SHA-256 of the sorted hashes of all rows, exact values'),
  roundedHash: sha256.describe('the same with floats rounded to 9 significant digits'),
})

export const bundle = z.strictObject({
  format: z.literal(PROVENANCE_FORMAT),
  version: z.literal(PROVENANCE_VERSION),
  createdAt: z.iso.datetime(),
  server: z.strictObject({ url: z.string().max(2000), version: z.string().max(100) }),
  subject,
  dataVersion: z.string().max(200),
  result: rowsDigest,
  tables: z
    .array(z.strictObject({ name: z.string().max(200), version: sha256 }))
    .max(1_000)
    .describe(
      'tables that the SQL reads, directly and beneath, and metrics that it names (`metrics.…`), with the SHA-256 of how each is defined',
    ),
  inputs: z.array(input).max(2_000),
})

export type Bundle = z.infer<typeof bundle>
export type Subject = z.infer<typeof subject>
export type MetricBundle = Bundle & { readonly subject: Extract<Subject, { kind: 'metric' }> }
export type Selector = z.infer<typeof selector>
export type BlocksSelector = z.infer<typeof blocksSelector>
export type ValuesSelector = z.infer<typeof valuesSelector>
export type RecordsSelector = z.infer<typeof recordsSelector>
export type Input = z.infer<typeof input>
export type BlocksInput = z.infer<typeof blocksInput>
export type ValuesInput = z.infer<typeof valuesInput>
export type RowsDigest = z.infer<typeof rowsDigest>

/** Recent blocks and runs of heights that an input lists. */
export const INPUT_LIMITS = { runs: MOST_RUNS, recent: MOST_RECENT } as const
