import { z } from 'zod'
import { Incident, Origin, Slug, Words } from './facts.ts'

/** A published audit: of what, by whom, of which month or day, as far as that is told. */
const Audit = z.strictObject({
  when: z.string().regex(/^\d{4}(-\d{2}){1,2}$/, 'must be a month or a day: 2025-10 or 2025-10-23'),
  by: Words.optional(),
  what: Words,
  url: z.url().optional(),
})

/** An application: on which layers, of which kind, its contracts with their roles. */
export const Protocol = z.strictObject({
  slug: Slug,
  name: Words,
  category: Words,
  /** What it is, in a sentence of ours. */
  sentence: Words.optional(),
  layers: z.array(Slug).min(1),
  token: Slug.optional(),
  ids: z.strictObject({
    defillama: Words.optional(),
    /** Its name in DefiLlama's lists of volumes and fees, where it differs. */
    defillamaName: Words.optional(),
  }),
  links: z.record(z.string(), z.url()).default({}),
  contracts: z.array(z.strictObject({ layer: Slug, address: Words, role: Words })).default([]),
  audits: z.array(Audit).default([]),
  incidents: z.array(Incident).default([]),
  /** What of it has no figure here and why, a sentence each. */
  notCovered: z.array(Words).default([]),
  origin: Origin,
})
export type CatalogProtocol = z.infer<typeof Protocol>
