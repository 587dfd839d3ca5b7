import { z } from 'zod'
import type { FullApi } from '../api.ts'
import { type AnyRoute, json, route } from '../route.ts'
import { application, applicationSlug, applicationTable } from '../schemas/applications.ts'

/** The catalogue's applications. */
export const applicationRoutes = (apiFor: (asker: string) => FullApi): AnyRoute[] => [
  route({
    method: 'GET',
    path: '/api/v1/applications/:slug',
    id: 'readApplication',
    summary: 'One application: contracts with their roles, audits, incidents, what is not covered',
    params: z.strictObject({ slug: applicationSlug }),
    answer: { schema: application },
    problems: [404],
    kept: 'data',
    handle: async ({ params, asker }) => json(await apiFor(asker).applications.profile(params.slug)),
  }),
  route({
    method: 'GET',
    path: '/api/v1/applications/:slug/tables/:table',
    id: 'readApplicationTable',
    summary: 'One table about an application, with the statement that it came from',
    params: z.strictObject({ slug: applicationSlug, table: z.string().regex(/^[a-z][a-z0-9_-]{0,40}$/) }),
    answer: { schema: applicationTable },
    problems: [404],
    kept: 'data',
    handle: async ({ params, asker }) =>
      json(await apiFor(asker).applications.table(params.slug, params.table)),
  }),
]
