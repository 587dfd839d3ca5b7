import type { FullApi } from '../api.ts'
import { type AnyRoute, json, route } from '../route.ts'
import { searchAnswer, searchQuery } from '../schemas/search.ts'

/** Everything that has a name or an id. */
export const searchRoutes = (apiFor: (asker: string) => FullApi): AnyRoute[] => [
  route({
    method: 'GET',
    path: '/api/v1/search',
    id: 'search',
    summary: 'Pages, layers, tokens, metrics, reports, tables by name; blocks, transactions, addresses by id',
    query: searchQuery,
    answer: { schema: searchAnswer },
    // Each letter that somebody types is a question: kept answers would drive out those of pages.
    kept: 'never',
    handle: async ({ query, asker }) => json(await apiFor(asker).search(query)),
  }),
]
