import { z } from 'zod'
import { STRATEGIES } from '#catalog/index.ts'

export const opportunity = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    project: z.string().describe('its application, as lists of pools have it'),
    layer: z.string().describe('layer in the catalog, or another chain by its name in lists of pools'),
    coins: z.array(z.string()).describe('symbols of the assets'),
    strategy: z.enum(STRATEGIES),
    pool: z.string().nullable().describe('its id in DefiLlama’s list of pools'),
  })
  .meta({ id: 'Opportunity', description: 'Catalog entry of a bitcoin yield opportunity.' })

export const opportunityList = z.strictObject({ items: z.array(opportunity) })
