import type { FullApi } from '../api.ts'
import { type AnyRoute, json, route } from '../route.ts'
import { queryExamples } from './schema.ts'

/** Public examples of the query tool. */
export const queryExampleRoutes = (apiFor: (caller: string) => FullApi): AnyRoute[] => [
  route({
    method: 'GET',
    path: '/api/v1/queries/examples',
    id: 'listQueryExamples',
    summary: 'Example queries by topic, each with defaults for its parameters',
    answer: { schema: queryExamples },
    kept: 'data',
    handle: async ({ asker }) => json({ examples: await apiFor(asker).content.queryExamples() }),
  }),
]
