import { z } from 'zod'
import { BLOCK_RECORDS, bundle, input, selector } from '#queries/index.ts'
import { manySeriesQuery, seriesQuery } from '../schemas/metrics.ts'

/** Schemas of provenance files and of the data that they rest on. */

export const provenanceFile = bundle.meta({
  id: 'ProvenanceFile',
  description: 'What a figure or query result is, what data it rests on, and a hash of its rows.',
})

export const metricProvenanceQuery = seriesQuery.omit({ format: true })

export const chartProvenanceQuery = manySeriesQuery.omit({ format: true })

export const inputsRequest = z.strictObject({
  inputs: z
    .array(selector)
    .max(2_000)
    // Of each chain at most three records are hashed.
    .refine(
      inputs => inputs.filter(({ kind }) => kind === 'blocks').length <= 60,
      'must name at most 60 ranges of blocks',
    )
    .describe('parts of the data, as a provenance file names them'),
})
export const inputsAnswer = z
  .strictObject({
    inputs: z.array(input.nullable()).describe('in the order of the request; null for an unknown part'),
  })
  .meta({ id: 'DataHashes' })

const height = z.coerce.number().int().min(0).max(4_294_967_295)
export const blockHashesQuery = z.strictObject({
  record: z.enum(BLOCK_RECORDS).default('blocks'),
  chain: z.string().min(1).max(60).describe('bitcoin, stacks, stacks-burn or the id of a layer'),
  from: height.describe('lowest height'),
  to: height.describe('highest height, inclusive'),
})
export const blockHashes = z
  .strictObject({
    blocks: z
      .array(z.strictObject({ height: z.int(), hash: z.string() }))
      .describe('by height; the first 1,000 of the range'),
  })
  .meta({ id: 'BlockHashes' })

export const sourceValueQuery = z.strictObject({
  table: z.enum(['observations', 'prices']),
  name: z.string().min(1).max(200).describe('metric id, or asset and currency such as BTC/USD'),
  source: z.string().min(1).max(200),
  to: z.iso.date().describe('last day that counts'),
  position: z.coerce.number().int().min(1).max(1_000_000_000).describe('from 1, by entity, key and day'),
})
export const sourceValue = z
  .strictObject({
    value: z
      .strictObject({
        entity: z.string(),
        key: z.string().describe('value of the breakdown; empty without one'),
        day: z.string(),
        value: z.string().nullable(),
        isFloat: z.boolean(),
      })
      .nullable()
      .describe('null if there is none at the position'),
  })
  .meta({ id: 'SourceValue' })

export const jsonSchema = z.record(z.string(), z.unknown())
