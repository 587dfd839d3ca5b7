import { z } from 'zod'
import { Incident, Origin, Slug, Words } from './facts.ts'

/** An application: on which layers, of which kind, its contracts with their roles. */
export const Protocol = z.strictObject({
  slug: Slug,
  name: Words,
  category: Words,
  layers: z.array(Slug).min(1),
  token: Slug.optional(),
  ids: z.strictObject({
    defillama: Words.optional(),
    /** Its name in DefiLlama's lists of volumes and fees, where it differs. */
    defillamaName: Words.optional(),
  }),
  links: z.record(z.string(), z.url()).default({}),
  contracts: z.array(z.strictObject({ layer: Slug, address: Words, role: Words })).default([]),
  incidents: z.array(Incident).default([]),
  origin: Origin,
})
export type CatalogProtocol = z.infer<typeof Protocol>
