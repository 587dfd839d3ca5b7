import { z } from 'zod'
import type { FullApi } from '../api.ts'
import { type AnyRoute, json, route } from '../route.ts'
import {
  depositId,
  requestId,
  sbtcDepositDetail,
  sbtcDepositPage,
  sbtcDepositQuery,
  sbtcDepositsQuery,
  sbtcSummary,
  sbtcWithdrawalDetail,
  sbtcWithdrawalPage,
  sbtcWithdrawalsQuery,
} from '../schemas/sbtc.ts'

export const sbtcRoutes = (apiFor: (asker: string) => FullApi): AnyRoute[] => [
  route({
    method: 'GET',
    path: '/api/v1/stacks/sbtc',
    id: 'readSbtc',
    summary: 'sBTC: what waits, who signs, and the usual delays',
    answer: { schema: sbtcSummary },
    kept: 'data',
    handle: async ({ asker }) => json(await apiFor(asker).stacks.sbtc.summary()),
  }),
  route({
    method: 'GET',
    path: '/api/v1/stacks/sbtc/deposits',
    id: 'listSbtcDeposits',
    summary: 'sBTC deposits: pending mints first, then newest first',
    query: sbtcDepositsQuery,
    answer: { schema: sbtcDepositPage },
    kept: 'data',
    handle: async ({ query, asker }) => json(await apiFor(asker).stacks.sbtc.deposits(query)),
  }),
  route({
    method: 'GET',
    path: '/api/v1/stacks/sbtc/deposits/:deposit',
    id: 'readSbtcDeposit',
    summary: 'A deposit into sBTC, followed from Bitcoin to where it went',
    params: z.strictObject({ deposit: depositId }),
    query: sbtcDepositQuery,
    answer: { schema: sbtcDepositDetail },
    problems: [404],
    kept: 'data',
    handle: async ({ params, query, asker }) =>
      json(
        await apiFor(asker).stacks.sbtc.deposit(params.deposit, {
          throughContracts: query.through === 'contracts',
        }),
      ),
  }),
  route({
    method: 'GET',
    path: '/api/v1/stacks/sbtc/withdrawals',
    id: 'listSbtcWithdrawals',
    summary: 'sBTC withdrawals: pending first, then newest first',
    query: sbtcWithdrawalsQuery,
    answer: { schema: sbtcWithdrawalPage },
    kept: 'data',
    handle: async ({ query, asker }) => json(await apiFor(asker).stacks.sbtc.withdrawals(query)),
  }),
  route({
    method: 'GET',
    path: '/api/v1/stacks/sbtc/withdrawals/:request',
    id: 'readSbtcWithdrawal',
    summary: 'A withdrawal from sBTC: request, vote of the signers, payment',
    params: z.strictObject({ request: requestId }),
    answer: { schema: sbtcWithdrawalDetail },
    problems: [404],
    kept: 'data',
    handle: async ({ params, asker }) => json(await apiFor(asker).stacks.sbtc.withdrawal(params.request)),
  }),
]
