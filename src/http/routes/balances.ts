import { z } from 'zod'
import type { FullApi } from '../api.ts'
import { type AnyRoute, json, route } from '../route.ts'
import { anyAddress, balances, balancesQuery, balancesRequest } from '../schemas/balances.ts'
import { csvOf } from './across.ts'

/** Balances of addresses of all chains. */
export const balanceRoutes = (apiFor: (asker: string) => FullApi): AnyRoute[] => [
  route({
    method: 'GET',
    path: '/api/v1/addresses/:address/balances',
    id: 'readBalances',
    summary: 'Balances of an address of any chain covered, now and by day',
    params: z.strictObject({ address: anyAddress }),
    query: balancesQuery,
    answer: { schema: balances, hasCsv: true },
    kept: 'data',
    handle: async ({ params, asker, format }) => {
      const answer = await apiFor(asker).across.balancesOf(params.address)
      return format === 'csv' ? csvOf('balances', answer.balances) : json(answer)
    },
  }),
  route({
    method: 'POST',
    path: '/api/v1/addresses/balances',
    id: 'readManyBalances',
    summary: 'Balances of up to 1,000 addresses on all chains; invalid lines include the reason',
    query: balancesQuery,
    body: balancesRequest,
    answer: { schema: balances, hasCsv: true },
    problems: [413, 415],
    kept: 'never',
    handle: async ({ body, asker, format }) => {
      const answer = await apiFor(asker).across.manyBalances(body)
      return format === 'csv' ? csvOf('balances', answer.balances) : json(answer)
    },
  }),
]
