import { z } from 'zod'
import type { FullApi } from '../api.ts'
import { type AnyRoute, json, route } from '../route.ts'
import { applicationTable } from '../schemas/applications.ts'
import { treasury, treasuryId, treasuryList } from '../schemas/treasuries.ts'

const tableId = z.string().regex(/^[a-z][a-z0-9_-]{0,40}$/)

/** Holders of bitcoin. */
export const treasuryRoutes = (apiFor: (asker: string) => FullApi): AnyRoute[] => [
  route({
    method: 'GET',
    path: '/api/v1/treasuries',
    id: 'listTreasuries',
    summary: 'Bitcoin holders in the catalog',
    answer: { schema: treasuryList },
    kept: 'data',
    handle: async ({ asker }) => json(await apiFor(asker).treasuries.list()),
  }),
  route({
    method: 'GET',
    path: '/api/v1/treasuries/tables/:table',
    id: 'readTreasuriesTable',
    summary: 'One table over all holders, with the statement that it came from',
    params: z.strictObject({ table: tableId }),
    answer: { schema: applicationTable },
    problems: [404],
    kept: 'data',
    handle: async ({ params, asker }) => json(await apiFor(asker).treasuries.table(params.table)),
  }),
  route({
    method: 'GET',
    path: '/api/v1/treasuries/:id',
    id: 'readTreasury',
    summary: 'One holder: who it is, what may dilute its shares, its addresses',
    params: z.strictObject({ id: treasuryId }),
    answer: { schema: treasury },
    problems: [404],
    kept: 'data',
    handle: async ({ params, asker }) => json(await apiFor(asker).treasuries.profile(params.id)),
  }),
  route({
    method: 'GET',
    path: '/api/v1/treasuries/:id/tables/:table',
    id: 'readTreasuryTable',
    summary: 'One table about a holder, with the statement that it came from',
    params: z.strictObject({ id: treasuryId, table: tableId }),
    answer: { schema: applicationTable },
    problems: [404],
    kept: 'data',
    handle: async ({ params, asker }) =>
      json(await apiFor(asker).treasuries.tableOf(params.id, params.table)),
  }),
]
