import { z } from 'zod'
import type { FullApi } from '../api.ts'
import { type AnyRoute, json, route } from '../route.ts'
import { applicationTable } from '../schemas/applications.ts'
import { ecosystemList } from '../schemas/developers.ts'

/** Who builds: ecosystems, their repositories, tables of counts. */
export const developerRoutes = (apiFor: (asker: string) => FullApi): AnyRoute[] => [
  route({
    method: 'GET',
    path: '/api/v1/developers',
    id: 'listEcosystems',
    summary: 'Ecosystems and their repositories',
    answer: { schema: ecosystemList },
    kept: 'data',
    handle: async ({ asker }) => json(await apiFor(asker).developers.list()),
  }),
  route({
    method: 'GET',
    path: '/api/v1/developers/tables/:table',
    id: 'readDeveloperTable',
    summary: 'One table about developers, with the statement that it came from: counts, never people',
    params: z.strictObject({ table: z.string().regex(/^[a-z][a-z0-9_-]{0,40}$/) }),
    answer: { schema: applicationTable },
    problems: [404],
    kept: 'data',
    handle: async ({ params, asker }) => json(await apiFor(asker).developers.table(params.table)),
  }),
]
