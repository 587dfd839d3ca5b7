import type { FullApi } from '../api.ts'
import { type AnyRoute, route } from '../route.ts'
import {
  assetQuery,
  collections,
  fungibleTokens,
  mints,
  valueLocked,
  valueLockedQuery,
} from '../schemas/assets.ts'
import { inFormat } from './across.ts'

/** Tokens and NFTs of all chains that have contracts. */
export const assetRoutes = (apiFor: (asker: string) => FullApi): AnyRoute[] => [
  route({
    method: 'GET',
    path: '/api/v1/tokens',
    id: 'listTokens',
    summary: 'Fungible tokens of Stacks and the EVM layers: supply, holders, transfers, price',
    query: assetQuery,
    answer: { schema: fungibleTokens, hasCsv: true },
    kept: 'data',
    handle: async ({ query: { format: _, ...query }, asker, format }) =>
      inFormat(format, 'tokens', await apiFor(asker).across.tokens(query)),
  }),
  route({
    method: 'GET',
    path: '/api/v1/collections',
    id: 'listCollections',
    summary: 'Collections of NFTs with sales, floor and holders; the latest sales',
    query: assetQuery,
    answer: { schema: collections, hasCsv: true },
    kept: 'data',
    handle: async ({ query: { format: _, ...query }, asker, format }) =>
      inFormat(format, 'collections', await apiFor(asker).across.collections(query)),
  }),
  route({
    method: 'GET',
    path: '/api/v1/mints',
    id: 'listMints',
    summary: 'NFTs and tokens that are being minted: rate, minters, price, warnings',
    query: assetQuery,
    answer: { schema: mints, hasCsv: true },
    kept: 'data',
    handle: async ({ query: { format: _, ...query }, asker, format }) =>
      inFormat(format, 'mints', await apiFor(asker).across.mints(query)),
  }),
  route({
    method: 'GET',
    path: '/api/v1/tvl',
    id: 'readValueLocked',
    summary: 'TVL by chain, protocol and asset, as reported by sources',
    query: valueLockedQuery,
    answer: { schema: valueLocked, hasCsv: true },
    kept: 'data',
    handle: async ({ asker, format }) => inFormat(format, 'tvl', await apiFor(asker).across.valueLocked()),
  }),
]
