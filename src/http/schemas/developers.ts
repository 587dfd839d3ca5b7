import { z } from 'zod'

const ecosystem = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    page: z.string().nullable().describe('its page here'),
    repositories: z.array(
      z.strictObject({ name: z.string(), url: z.string(), licence: z.string().nullable() }),
    ),
    listed: z
      .strictObject({ repositories: z.number(), own: z.number(), asOf: z.string() })
      .nullable()
      .describe('repositories that Electric Capital’s Crypto Ecosystems (CC BY 4.0) lists'),
    programmes: z.array(
      z.strictObject({
        name: z.string(),
        from: z.string().describe('first UTC day'),
        to: z.string().nullable().describe('last UTC day; null while it runs'),
        note: z.string(),
        url: z.string(),
      }),
    ),
  })
  .meta({ id: 'Ecosystem', description: 'A developer ecosystem in the catalog.' })

export const ecosystemList = z.strictObject({ items: z.array(ecosystem) })
export type EcosystemList = z.infer<typeof ecosystemList>
