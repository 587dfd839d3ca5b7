import type { z } from 'zod'
import type { StacksClient } from '#chains/stacks/node/index.ts'
import { type AnyRoute, route } from '../route.ts'
import * as schemas from '../schemas/stacksNode.ts'
import type { NodeDesk } from '../stacksNode.ts'

const { answers } = schemas
const AT = '/api/v1/stacks/node'
const PROBLEMS = [404, 429, 502] as const

/** Calls to a Stacks node, passed on: typed, kept for some seconds, and limited. Beside what we hold ourselves below `/api/v1/stacks`. */
export function stacksNodeRoutes(desk: NodeDesk): AnyRoute[] {
  /** A question that changes nothing; its answer is kept under path and parameters. */
  const read = <
    Params extends z.ZodType | undefined = undefined,
    Query extends z.ZodType | undefined = undefined,
  >({
    path,
    question,
    ...spec
  }: {
    path: string
    id: string
    summary: string
    params?: Params
    query?: Query
    schema: z.ZodType
    question: (node: StacksClient, asked: { params: Out<Params>; query: Out<Query> }) => Promise<unknown>
  }): AnyRoute =>
    route<Params, Query>({
      method: 'GET',
      path: `${AT}${path}`,
      id: spec.id,
      summary: spec.summary,
      ...(spec.params && { params: spec.params }),
      ...(spec.query && { query: spec.query }),
      answer: { schema: spec.schema },
      problems: PROBLEMS,
      kept: 'never',
      handle: ({ asker, params, query }) =>
        desk.read(asker, JSON.stringify([path, params, query]), node => question(node, { params, query })),
    })

  return [
    read({
      path: '/info',
      id: 'readStacksNode',
      summary: 'Sync state of a Stacks node',
      schema: answers.info,
      question: node => node.info(),
    }),
    read({
      path: '/block-times',
      id: 'readStacksBlockTimes',
      summary: 'Target times between blocks',
      schema: answers.blockTimes,
      question: node => node.blockTimes(),
    }),
    read({
      path: '/pox',
      id: 'readStacksPox',
      summary: 'Proof of Transfer as a node has it',
      schema: answers.pox,
      question: node => node.pox(),
    }),
    read({
      path: '/fees/transfer',
      id: 'readStacksTransferFee',
      summary: 'Fee of a transfer of STX, for each byte',
      schema: answers.feeTransfer,
      question: node => node.feeTransfer(),
    }),
    read({
      path: '/accounts/:principal',
      id: 'readStacksNodeAccount',
      summary: 'Balance and nonce of an account at the tip',
      params: schemas.principal,
      schema: answers.account,
      question: (node, { params }) => node.account(params.principal),
    }),
    read({
      path: '/accounts/:principal/balances',
      id: 'readStacksNodeBalances',
      summary: 'STX and tokens of an account at the tip',
      params: schemas.principal,
      schema: answers.balances,
      question: (node, { params }) => node.balances(params.principal),
    }),
    read({
      path: '/accounts/:principal/names',
      id: 'listStacksNodeNames',
      summary: 'Names of an address',
      params: schemas.owner,
      schema: answers.namesOf,
      question: (node, { params }) => node.namesOf(params.principal),
    }),
    read({
      path: '/contracts/:contract/interface',
      id: 'readStacksNodeInterface',
      summary: 'Interface of a contract',
      params: schemas.contract,
      schema: answers.contractInterface,
      question: (node, { params }) => node.contractInterface(params.contract),
    }),
    read({
      path: '/contracts/:contract/variables/:variable',
      id: 'readStacksNodeVariable',
      summary: 'A variable of a contract',
      params: schemas.variable,
      schema: answers.clarityData,
      question: (node, { params }) => node.dataVar(params.contract, params.variable),
    }),
    read({
      path: '/names/:name',
      id: 'readStacksNodeName',
      summary: 'Owner of a name',
      params: schemas.named,
      schema: answers.nameInfo,
      question: (node, { params }) => node.nameInfo(params.name),
    }),
    read({
      path: '/names/:name/zonefile',
      id: 'readStacksNodeZonefile',
      summary: 'Zone file of a name',
      params: schemas.named,
      schema: answers.zonefile,
      question: (node, { params }) => node.zonefile(params.name),
    }),
    read({
      path: '/rewards/:address',
      id: 'listStacksNodeRewards',
      summary: 'Bitcoin that an address had of stacking',
      params: schemas.bitcoinAddress,
      query: schemas.page,
      schema: answers.rewards,
      question: (node, { params, query }) => node.rewards(params.address, query),
    }),
    read({
      path: '/rewards/:address/total',
      id: 'readStacksNodeRewardsTotal',
      summary: 'Bitcoin that an address had of stacking in all',
      params: schemas.bitcoinAddress,
      schema: answers.rewardsTotal,
      question: (node, { params }) => node.rewardsTotal(params.address),
    }),
    read({
      path: '/reward-slots/:address',
      id: 'listStacksNodeRewardSlots',
      summary: 'Slots of rewards that an address holds',
      params: schemas.bitcoinAddress,
      query: schemas.page,
      schema: answers.rewardSlotHolders,
      question: (node, { params, query }) => node.rewardSlotHolders(params.address, query),
    }),
    route({
      method: 'POST',
      path: `${AT}/contracts/:contract/call`,
      id: 'callStacksNode',
      summary: 'What a read-only function of a contract answers at the tip',
      params: schemas.contract,
      body: schemas.callBody,
      answer: { schema: answers.callResult },
      problems: PROBLEMS,
      kept: 'never',
      handle: ({ asker, params: { contract }, body }) =>
        desk.read(asker, JSON.stringify(['call', contract, body]), node =>
          node.callRead(
            contract,
            body.functionName,
            body.sender ?? contract.replace(/\..*$/, ''),
            body.arguments.map(withMark),
          ),
        ),
    }),
    route({
      method: 'POST',
      path: `${AT}/contracts/:contract/maps/:map`,
      id: 'readStacksNodeMap',
      summary: 'An entry of a map of a contract',
      params: schemas.map,
      body: schemas.mapBody,
      answer: { schema: answers.clarityData },
      problems: PROBLEMS,
      kept: 'never',
      handle: ({ asker, params: { contract, map }, body: { key } }) =>
        desk.read(asker, JSON.stringify(['map', contract, map, key]), node =>
          node.mapEntry(contract, map, withMark(key)),
        ),
    }),
    route({
      method: 'POST',
      path: `${AT}/fees`,
      id: 'estimateStacksFee',
      summary: 'What a transaction would cost',
      body: schemas.feeBody,
      answer: { schema: answers.feeEstimate },
      problems: PROBLEMS,
      kept: 'never',
      handle: ({ asker, body: { payload, bytes } }) =>
        desk.act(asker, node => node.feeTransaction(payload.replace(/^0x/i, ''), bytes)),
    }),
    route({
      method: 'POST',
      path: `${AT}/transactions`,
      id: 'sendStacksTransaction',
      summary: 'Sends a signed transaction on to a node',
      body: schemas.transactionBody,
      answer: { schema: schemas.sent },
      problems: [...PROBLEMS, 422],
      kept: 'never',
      handle: ({ asker, body: { transaction } }) =>
        desk.act(asker, async node => ({
          txid: await node.broadcast(Buffer.from(transaction.replace(/^0x/i, ''), 'hex')),
        })),
    }),
  ]
}

type Out<S extends z.ZodType | undefined> = S extends z.ZodType ? z.output<S> : undefined

const withMark = (hex: string): string => `0x${hex.replace(/^0x/i, '')}`
