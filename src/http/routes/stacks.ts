import { z } from 'zod'
import type { FullApi } from '../api.ts'
import { type AnyRoute, json, route } from '../route.ts'
import { applicationTable } from '../schemas/applications.ts'
import { blockId, blocksQuery, blockTxsQuery, txid } from '../schemas/bitcoin.ts'
import {
  burnBlockPage,
  contractId,
  stacksAddress,
  stacksAddressId,
  stacksBlock,
  stacksBlockPage,
  stacksContract,
  stacksName,
  stacksNameId,
  stacksTx,
  stacksTxPage,
} from '../schemas/stacks.ts'
import { coinsPage } from '../schemas/stacksCoins.ts'
import { stacksPrincipal, stacksYield } from '../schemas/yields.ts'

const block = z.strictObject({ block: blockId })
const listQuery = blocksQuery.omit({ origin: true })

export const stacksRoutes = (apiFor: (asker: string) => FullApi): AnyRoute[] => [
  route({
    method: 'GET',
    path: '/api/v1/stacks/blocks',
    id: 'listStacksBlocks',
    summary: 'Blocks of Stacks, newest first',
    query: listQuery,
    answer: { schema: stacksBlockPage },
    kept: 'data',
    handle: async ({ query, asker }) => json(await apiFor(asker).stacks.blocks(query)),
  }),
  route({
    method: 'GET',
    path: '/api/v1/stacks/blocks/:block',
    id: 'readStacksBlock',
    summary: 'A block of Stacks',
    params: block,
    answer: { schema: stacksBlock },
    problems: [404],
    kept: 'data',
    handle: async ({ params, asker }) => json(await apiFor(asker).stacks.block(params.block)),
  }),
  route({
    method: 'GET',
    path: '/api/v1/stacks/blocks/:block/txs',
    id: 'listStacksBlockTransactions',
    summary: 'Transactions of a block of Stacks, in their order',
    params: block,
    query: blockTxsQuery,
    answer: { schema: stacksTxPage },
    problems: [404],
    kept: 'data',
    handle: async ({ params, query, asker }) =>
      json(await apiFor(asker).stacks.blockTxs(params.block, query)),
  }),
  route({
    method: 'GET',
    path: '/api/v1/stacks/txs/:txid',
    id: 'readStacksTransaction',
    summary: 'A transaction of Stacks with its arguments, events and post-conditions',
    params: z.strictObject({ txid }),
    answer: { schema: stacksTx },
    problems: [404],
    kept: 'data',
    handle: async ({ params, asker }) => json(await apiFor(asker).stacks.tx(params.txid)),
  }),
  route({
    method: 'GET',
    path: '/api/v1/stacks/contracts/:contract',
    id: 'readStacksContract',
    summary: 'A contract of Stacks, as far as the blocks held tell of it',
    params: z.strictObject({ contract: contractId }),
    answer: { schema: stacksContract },
    problems: [404],
    kept: 'data',
    handle: async ({ params, asker }) => json(await apiFor(asker).stacks.contract(params.contract)),
  }),
  route({
    method: 'GET',
    path: '/api/v1/stacks/addresses/:address',
    id: 'readStacksAddress',
    summary: 'An address of Stacks, as far as the blocks held tell of it',
    params: z.strictObject({ address: stacksAddressId }),
    answer: { schema: stacksAddress },
    problems: [404],
    kept: 'data',
    handle: async ({ params, asker }) => json(await apiFor(asker).stacks.address(params.address)),
  }),
  route({
    method: 'GET',
    path: '/api/v1/stacks/coins/:kind',
    id: 'listStacksCoins',
    summary: 'Meme coins or stablecoins of Stacks: holders, trades, what their contracts allow',
    params: z.strictObject({ kind: z.enum(['meme', 'stable']) }),
    answer: { schema: coinsPage },
    kept: 'data',
    handle: async ({ params, asker }) => json(await apiFor(asker).stacks.coins(params.kind)),
  }),
  route({
    method: 'GET',
    path: '/api/v1/stacks/names/:name',
    id: 'readStacksName',
    summary: 'Who has a name of BNS',
    params: z.strictObject({ name: stacksNameId }),
    answer: { schema: stacksName },
    problems: [404],
    kept: 'data',
    handle: async ({ params, asker }) => json(await apiFor(asker).stacks.name(params.name)),
  }),
  route({
    method: 'GET',
    path: '/api/v1/stacks/yields/:address',
    id: 'readStacksYield',
    summary: 'What an address got for stacking, cycle by cycle, at the prices of its payments',
    params: z.strictObject({ address: stacksPrincipal }),
    answer: { schema: stacksYield },
    kept: 'data',
    handle: async ({ params, asker }) => json(await apiFor(asker).stacks.yield(params.address)),
  }),
  route({
    method: 'GET',
    path: '/api/v1/stacks/burn-blocks',
    id: 'listStacksBurnBlocks',
    summary: 'Bitcoin blocks as Stacks nodes report them, newest first',
    query: listQuery,
    answer: { schema: burnBlockPage },
    kept: 'data',
    handle: async ({ query, asker }) => json(await apiFor(asker).stacks.burnBlocks(query)),
  }),
  route({
    method: 'GET',
    path: '/api/v1/stacks/tables/:table',
    id: 'readStacksTable',
    summary: 'One table about Stacks, with the statement that it came from',
    params: z.strictObject({ table: z.string().regex(/^[a-z][a-z0-9_-]{0,40}$/) }),
    query: z.strictObject({
      of: z.string().max(200).exactOptional().describe('what the table is asked about, where it asks'),
    }),
    answer: { schema: applicationTable },
    problems: [404],
    kept: 'data',
    handle: async ({ params, query, asker }) =>
      json(await apiFor(asker).stacks.table(params.table, query.of)),
  }),
]
