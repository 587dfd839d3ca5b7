import { z } from 'zod'
import type { FullApi } from '../api.ts'
import { type AnyRoute, json, route } from '../route.ts'
import { applicationTable } from '../schemas/applications.ts'
import { opportunityList } from '../schemas/opportunities.ts'

/** Ways to earn with bitcoin. */
export const opportunityRoutes = (apiFor: (asker: string) => FullApi): AnyRoute[] => [
  route({
    method: 'GET',
    path: '/api/v1/opportunities',
    id: 'listOpportunities',
    summary: 'Bitcoin yield opportunities in the catalog',
    answer: { schema: opportunityList },
    kept: 'data',
    handle: async ({ asker }) => json(await apiFor(asker).opportunities.list()),
  }),
  route({
    method: 'GET',
    path: '/api/v1/opportunities/tables/:table',
    id: 'readOpportunityTable',
    summary: 'One table on bitcoin yield opportunities, with its query',
    params: z.strictObject({ table: z.string().regex(/^[a-z][a-z0-9_-]{0,40}$/) }),
    answer: { schema: applicationTable },
    problems: [404],
    kept: 'data',
    handle: async ({ params, asker }) => json(await apiFor(asker).opportunities.table(params.table)),
  }),
]
