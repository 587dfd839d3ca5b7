import { toCsv } from '#queries/index.ts'
import type { FullApi } from '../api.ts'
import type { Body } from '../cache/answerCache.ts'
import type { SqlFormat } from '../contract.ts'
import { asFile, MEDIA_TYPES } from '../format.ts'
import { type AnyRoute, json, route } from '../route.ts'
import {
  chainQuery,
  deployed,
  deployedQuery,
  deployedSummary,
  families,
  hotContracts,
  popularCalls,
  spanQuery,
} from '../schemas/across.ts'

type Cell = string | number | boolean | null
type Line = Readonly<Record<string, unknown>>

/** The items of an answer, one a line: what is nested stands as JSON. */
export function csvOf(name: string, items: readonly Line[]): Body {
  const columns = [...new Set(items.flatMap(item => Object.keys(item)))]
  const cell = (value: unknown): Cell =>
    value === null || value === undefined
      ? null
      : typeof value === 'object'
        ? JSON.stringify(value)
        : (value as Cell)
  return {
    bytes: Buffer.from(
      toCsv(
        columns,
        items.map(item => columns.map(column => cell(item[column]))),
      ),
    ),
    contentType: `${MEDIA_TYPES.csv[0]}; charset=utf-8`,
    headers: asFile(`${name}.csv`),
  }
}

/** An answer as JSON, or its items as a file. */
export const inFormat = <Answer extends { items: readonly Line[] }>(
  format: SqlFormat,
  name: string,
  answer: Answer,
): Body => (format === 'csv' ? csvOf(name, answer.items) : json(answer))

/** Contracts of all chains that have them. */
export const acrossRoutes = (apiFor: (asker: string) => FullApi): AnyRoute[] => [
  route({
    method: 'GET',
    path: '/api/v1/contracts/hot',
    id: 'listHotContracts',
    summary: 'Contracts of Stacks and the EVM layers by calls in the latest hours',
    query: spanQuery,
    answer: { schema: hotContracts, hasCsv: true },
    kept: 'data',
    handle: async ({ query: { format: _, ...query }, asker, format }) =>
      inFormat(format, 'hot-contracts', await apiFor(asker).across.hotContracts(query)),
  }),
  route({
    method: 'GET',
    path: '/api/v1/contracts/calls',
    id: 'listPopularCalls',
    summary:
      'Functions of contracts by calls in the latest hours, and contracts that work inside calls of others',
    query: spanQuery,
    answer: { schema: popularCalls, hasCsv: true },
    kept: 'data',
    handle: async ({ query: { format: _, ...query }, asker, format }) =>
      inFormat(format, 'popular-calls', await apiFor(asker).across.popularCalls(query)),
  }),
  route({
    method: 'GET',
    path: '/api/v1/contracts/deployed',
    id: 'listDeployedContracts',
    summary: 'Contracts of all chains, newest first',
    query: deployedQuery,
    answer: { schema: deployed, hasCsv: true },
    kept: 'data',
    handle: async ({ query: { format: _, ...query }, asker, format }) =>
      inFormat(format, 'contracts-deployed', await apiFor(asker).across.deployed(query)),
  }),
  route({
    method: 'GET',
    path: '/api/v1/contracts/deployed/summary',
    id: 'readDeployedSummary',
    summary: 'Contracts made by day, chain and version, and who makes most',
    query: chainQuery,
    answer: { schema: deployedSummary },
    kept: 'data',
    handle: async ({ query, asker }) => json(await apiFor(asker).across.deployedSummary(query)),
  }),
  route({
    method: 'GET',
    path: '/api/v1/contracts/families',
    id: 'listContractFamilies',
    summary: 'Similar contracts on Stacks, with their similarity',
    answer: { schema: families },
    kept: 'data',
    handle: async ({ asker }) => json(await apiFor(asker).across.families()),
  }),
]
