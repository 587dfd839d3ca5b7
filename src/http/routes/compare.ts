import type { FullApi } from '../api.ts'
import { type AnyRoute, json, route } from '../route.ts'
import { compareQuery, comparison } from '../schemas/compare.ts'

export const compareRoutes = (apiFor: (asker: string) => FullApi): AnyRoute[] => [
  route({
    method: 'GET',
    path: '/api/v1/compare',
    id: 'compareLayers',
    summary: 'Latest figures of many metrics of many layers, with change, thirty points and age',
    query: compareQuery,
    answer: { schema: comparison },
    problems: [404],
    kept: 'data',
    handle: async ({ query: { range, ...query }, asker }) =>
      json(await apiFor(asker).compare({ ...query, changeRange: range })),
  }),
]
