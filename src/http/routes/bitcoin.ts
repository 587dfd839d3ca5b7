import { z } from 'zod'
import type { FullApi } from '../api.ts'
import { type AnyRoute, json, route } from '../route.ts'
import {
  blockDetail,
  blockId,
  blockPage,
  blocksQuery,
  blockTxsQuery,
  txDetail,
  txid,
  txPage,
} from '../schemas/bitcoin.ts'

const block = z.strictObject({ block: blockId })

export const bitcoinRoutes = (apiFor: (asker: string) => FullApi): AnyRoute[] => [
  route({
    method: 'GET',
    path: '/api/v1/bitcoin/blocks',
    id: 'listBlocks',
    summary: 'Blocks, newest first, with the gaps between them',
    query: blocksQuery,
    answer: { schema: blockPage },
    kept: 'data',
    handle: async ({ query, asker }) => json(await apiFor(asker).blocks(query)),
  }),
  route({
    method: 'GET',
    path: '/api/v1/bitcoin/blocks/:block',
    id: 'readBlock',
    summary: 'A block',
    params: block,
    answer: { schema: blockDetail },
    problems: [404],
    kept: 'data',
    handle: async ({ params, asker }) => json(await apiFor(asker).block(params.block)),
  }),
  route({
    method: 'GET',
    path: '/api/v1/bitcoin/blocks/:block/txs',
    id: 'listBlockTransactions',
    summary: 'Transactions of a block, in their order',
    params: block,
    query: blockTxsQuery,
    answer: { schema: txPage },
    problems: [404],
    kept: 'data',
    handle: async ({ params, query, asker }) => json(await apiFor(asker).blockTxs(params.block, query)),
  }),
  route({
    method: 'GET',
    path: '/api/v1/bitcoin/txs/:txid',
    id: 'readTransaction',
    summary: 'A transaction with its inputs, outputs and decoded parts',
    params: z.strictObject({ txid }),
    answer: { schema: txDetail },
    problems: [404],
    kept: 'data',
    handle: async ({ params, asker }) => json(await apiFor(asker).tx(params.txid)),
  }),
]
