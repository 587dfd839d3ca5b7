import { z } from 'zod'
import { LAYER_OPS } from '#kernel/bitcoin.ts'
import { Day, Origin, Slug, Words } from './facts.ts'

/** Outputs of a transaction, as script in hex and satoshis: what a rule is tried on. */
const Example = z.strictObject({
  what: Words,
  isCoinbase: z.boolean(),
  outputs: z
    .array(z.tuple([z.string().regex(/^([0-9a-f]{2})*$/, 'must be hex'), z.int().nonnegative()]))
    .min(1),
})

/** How operations of a layer are told on Bitcoin: the mark, what it means, what it was tried on, what it leaves out. */
export const Rule = z.strictObject({
  id: Slug,
  layer: Slug,
  name: Words,
  /** Bytes that begin the mark, as text: the codec reads them from here. */
  tag: Words,
  place: z.enum(['first output', 'second output', 'any output', 'coinbase']),
  recognises: Words,
  /** Names under which the operations are kept. */
  operations: z.array(z.enum(LAYER_OPS)).min(1),
  /** Metrics that rest on it. */
  metrics: z.array(Words).min(1),
  since: z.strictObject({ height: z.int().nonnegative().optional(), day: Day }).optional(),
  positive: Example,
  negative: Example,
  notCovered: Words,
  origin: Origin,
})
export type CatalogRule = z.infer<typeof Rule>
