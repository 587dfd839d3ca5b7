import { z } from 'zod'
import type { FullApi } from '../api.ts'
import { type AnyRoute, json, route } from '../route.ts'
import { blocksQuery, blockTxsQuery } from '../schemas/bitcoin.ts'
import {
  layerAbout,
  layerAccount,
  layerAddressId,
  layerBlock,
  layerBlockId,
  layerBlockPage,
  layerContracts,
  layerHeaderPage,
  layerId,
  layerTx,
  layerTxHash,
  layerTxPage,
} from '../schemas/layers.ts'

const layer = z.strictObject({ layer: layerId })
const block = z.strictObject({ layer: layerId, block: layerBlockId })
const listQuery = blocksQuery.omit({ origin: true })
const shared = { method: 'GET', problems: [404], kept: 'data' } as const

/** One set of routes for every EVM layer of the catalogue. */
export const layerRoutes = (apiFor: (asker: string) => FullApi): AnyRoute[] => [
  route({
    ...shared,
    path: '/api/v1/:layer/about',
    id: 'readLayer',
    summary: 'Catalog entry of an EVM layer: coin, contracts, tokens, bridges, links',
    params: layer,
    answer: { schema: layerAbout },
    handle: async ({ params, asker }) => json(await apiFor(asker).layer(params.layer).about()),
  }),
  route({
    ...shared,
    path: '/api/v1/:layer/blocks',
    id: 'listLayerBlocks',
    summary: 'Blocks of an EVM layer, newest first',
    params: layer,
    query: listQuery,
    answer: { schema: layerBlockPage },
    handle: async ({ params, query, asker }) => json(await apiFor(asker).layer(params.layer).blocks(query)),
  }),
  route({
    ...shared,
    path: '/api/v1/:layer/headers',
    id: 'listLayerHeaders',
    summary: 'Headers of an EVM layer that were recorded alone, newest first',
    params: layer,
    query: listQuery,
    answer: { schema: layerHeaderPage },
    handle: async ({ params, query, asker }) => json(await apiFor(asker).layer(params.layer).headers(query)),
  }),
  route({
    ...shared,
    path: '/api/v1/:layer/blocks/:block',
    id: 'readLayerBlock',
    summary: 'A block of an EVM layer, or its header if only that is indexed',
    params: block,
    answer: { schema: layerBlock },
    handle: async ({ params, asker }) => json(await apiFor(asker).layer(params.layer).block(params.block)),
  }),
  route({
    ...shared,
    path: '/api/v1/:layer/blocks/:block/txs',
    id: 'listLayerBlockTransactions',
    summary: 'Transactions of a block of an EVM layer, in their order',
    params: block,
    query: blockTxsQuery,
    answer: { schema: layerTxPage },
    handle: async ({ params, query, asker }) =>
      json(await apiFor(asker).layer(params.layer).blockTxs(params.block, query)),
  }),
  route({
    ...shared,
    path: '/api/v1/:layer/txs/:hash',
    id: 'readLayerTransaction',
    summary: 'A transaction of an EVM layer: calls, transfers, events and created contracts',
    params: z.strictObject({ layer: layerId, hash: layerTxHash }),
    answer: { schema: layerTx },
    handle: async ({ params, asker }) => json(await apiFor(asker).layer(params.layer).tx(params.hash)),
  }),
  route({
    ...shared,
    path: '/api/v1/:layer/addresses/:address',
    id: 'readLayerAddress',
    summary: 'An account or contract of an EVM layer, from indexed blocks',
    params: z.strictObject({ layer: layerId, address: layerAddressId }),
    answer: { schema: layerAccount },
    handle: async ({ params, asker }) =>
      json(await apiFor(asker).layer(params.layer).account(params.address)),
  }),
  route({
    ...shared,
    path: '/api/v1/:layer/contracts',
    id: 'listLayerContracts',
    summary: 'Contracts of an EVM layer: the most called and the newest',
    params: layer,
    answer: { schema: layerContracts },
    handle: async ({ params, asker }) => json(await apiFor(asker).layer(params.layer).contracts()),
  }),
]
