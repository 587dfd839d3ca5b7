import { z } from 'zod'
import type { FullApi } from '../api.ts'
import { type AnyRoute, json, route } from '../route.ts'
import { guideList, report, reportList, writtenPage } from '../schemas/content.ts'

const name = z.string().regex(/^[A-Za-z0-9-]{1,80}$/, 'must be letters, digits and hyphens')

/** What editors wrote: pages of text and reports. */
export const contentRoutes = (apiFor: (asker: string) => FullApi): AnyRoute[] => [
  route({
    method: 'GET',
    path: '/api/v1/reports',
    id: 'listReports',
    summary: 'Reports, newest first',
    answer: { schema: reportList },
    kept: 'data',
    handle: async ({ asker }) => json(await apiFor(asker).content.reports()),
  }),
  route({
    method: 'GET',
    path: '/api/v1/reports/:key',
    id: 'readReport',
    summary: 'One report, with each published figure next to the metric’s current value',
    params: z.strictObject({ key: name }),
    answer: { schema: report },
    problems: [404],
    kept: 'data',
    handle: async ({ params, asker }) => json(await apiFor(asker).content.report(params.key)),
  }),
  route({
    method: 'GET',
    path: '/api/v1/documentation',
    id: 'listGuides',
    summary: 'Chapters of the documentation',
    answer: { schema: guideList },
    kept: 'data',
    handle: async ({ asker }) => json(await apiFor(asker).content.guides()),
  }),
  route({
    method: 'GET',
    path: '/api/v1/documentation/:name',
    id: 'readGuide',
    summary: 'One chapter of the documentation',
    params: z.strictObject({ name }),
    answer: { schema: writtenPage },
    problems: [404],
    kept: 'data',
    handle: async ({ params, asker }) => json(await apiFor(asker).content.guide(params.name)),
  }),
  route({
    method: 'GET',
    path: '/api/v1/pages/:name',
    id: 'readPage',
    summary: 'One page of text',
    params: z.strictObject({ name }),
    answer: { schema: writtenPage },
    problems: [404],
    kept: 'data',
    handle: async ({ params, asker }) => json(await apiFor(asker).content.page(params.name)),
  }),
]
