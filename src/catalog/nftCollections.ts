import { z } from 'zod'
import { Origin, Words } from './facts.ts'

/** Collections of NFTs on Stacks: `catalog/stacks/collections.json`. */
export const NftCollections = z.strictObject({
  about: z.string(),
  origin: Origin,
  collections: z
    .array(
      z.strictObject({
        name: Words,
        /** `address.name` */
        contract: z.string().regex(/^S[PM][0-9A-Z]{28,41}\.[a-zA-Z][a-zA-Z0-9_-]*$/, 'must be a contract'),
        /** Name of the asset in it. */
        asset: Words,
        /** First limit on what may be minted that its source states; null where it states none. */
        itemLimit: z.int().positive().nullable(),
      }),
    )
    .refine(
      all => new Set(all.map(({ contract, asset }) => `${contract}::${asset}`)).size === all.length,
      'must name each asset once',
    ),
})
export type CatalogCollection = z.infer<typeof NftCollections>['collections'][number]
