import { z } from 'zod'
import { FLOW_RESTS } from '#explorer/stacks/sbtc/vocabulary.ts'
import { wholeNumber } from './bitcoin.ts'
import { asOf, hex64, isoTime, pageOf, sat } from './common.ts'

const height = z.int().nullable()
const time = isoTime.nullable()
const txid = hex64.nullable()
const blocks = z.int().nullable().describe('Bitcoin blocks; null if either end is not indexed')
const seconds = z.int().nullable().describe('null if either end is not indexed')

export const sbtcDeposit = z
  .strictObject({
    id: z.string().describe('`<Bitcoin txid>:<output>`'),
    bitcoinTxid: hex64,
    vout: z.int(),
    status: z.enum(['minted', 'swept']).describe('swept: the signers have it, not minted yet'),
    origin: z
      .enum(['user', 'miner'])
      .nullable()
      .describe('miner: minted to the contract of PoX-5; null until it is minted'),
    recipient: z.string().nullable().describe('who got the sBTC'),
    mintedSat: sat.nullable(),
    depositSat: sat.nullable().describe('value of the output; null if its block is not indexed'),
    feeSat: sat.nullable().describe('deducted for the Bitcoin fee of the sweep'),
    depositHeight: height.describe('Bitcoin height'),
    depositTime: time.describe('header time'),
    sweepTxid: txid,
    sweepHeight: height.describe('Bitcoin height'),
    sweepTime: time,
    mintTxid: txid.describe('Stacks transaction'),
    mintHeight: height.describe('Stacks height'),
    mintTime: time,
    mintBurnHeight: height.describe('Bitcoin height of the tenure of the mint'),
    blocksToSweep: blocks,
    blocksToMint: blocks,
    secondsToMint: seconds,
  })
  .meta({ id: 'SbtcDeposit' })

export const sbtcWithdrawal = z
  .strictObject({
    requestId: z.string().regex(/^\d+$/),
    status: z.enum(['pending', 'accepted', 'rejected']),
    sender: z.string().nullable(),
    amountSat: sat.nullable(),
    maxFeeSat: sat.nullable().describe('most that may be taken for the Bitcoin fee'),
    feeSat: sat.nullable().describe('taken for it'),
    recipient: z.string().nullable().describe('Bitcoin address that is to be paid'),
    requestTxid: txid,
    requestHeight: height.describe('Stacks height'),
    requestTime: time,
    requestBurnHeight: height.describe('Bitcoin height of the request'),
    settledTxid: txid,
    settledHeight: height.describe('Stacks height'),
    settledTime: time,
    votesNotFor: z
      .int()
      .nullable()
      .describe('signers that did not vote for it; null while pending and where no votes are recorded'),
    signerCount: z
      .int()
      .nullable()
      .describe('signer keys at that time; null if the registry event is not indexed'),
    bitcoinTxid: txid,
    vout: z.int().nullable(),
    sweepTxid: txid,
    sweepHeight: height.describe('Bitcoin height'),
    sweepTime: time,
    paidSat: sat.nullable(),
    isPaidAsAsked: z
      .boolean()
      .nullable()
      .describe('the paying output matches the requested script and amount'),
    blocksToPayment: blocks,
    secondsToPayment: seconds,
  })
  .meta({ id: 'SbtcWithdrawal' })

const typical = z
  .strictObject({
    days: z.int(),
    waits: z.array(
      z.strictObject({
        what: z.enum([
          'deposit_to_sweep_blocks',
          'deposit_to_mint_blocks',
          'deposit_to_mint_seconds',
          'deposit_fee_sat',
          'request_to_payment_blocks',
          'request_to_payment_seconds',
          'withdrawal_fee_sat',
        ]),
        count: z.int().describe('how many it rests on'),
        median: z.number(),
        p90: z.number(),
      }),
    ),
  })
  .meta({
    id: 'SbtcTypical',
    description: 'Delays and fees over the days up to the latest indexed block.',
  })

const flowStep = z
  .strictObject({
    id: z.int(),
    from: z.int().nullable().describe('the step that it came from; null for the mint'),
    kind: z.enum(['mint', 'transfer', 'withdrawal', 'returned', 'burn']),
    holder: z.string().nullable().describe('who has it then; null where it left Stacks'),
    sat: sat.describe('of the deposit, what took this step'),
    height: z.int(),
    time: isoTime,
    txid: hex64,
    requestId: z.string().nullable(),
    restSat: sat.describe('of these, what went no further; over all steps this adds up to what was minted'),
    rest: z
      .enum(FLOW_RESTS)
      .describe(
        'status: held; pooled in a contract; waiting for the signers; paid on Bitcoin, including its fee; burned; beyond the traced steps; moved: nothing is left here',
      ),
  })
  .meta({ id: 'SbtcFlowStep' })

export const sbtcDepositDetail = z
  .strictObject({
    deposit: sbtcDeposit,
    flow: z
      .strictObject({
        steps: z.array(flowStep),
        isWhole: z.boolean().describe('false: it has more steps than are traced'),
        throughContracts: z.boolean(),
      })
      .nullable()
      .describe('first in, first out by holder; null until it is minted, and if the mint is not indexed'),
    withdrawals: z.array(sbtcWithdrawal).describe('withdrawals funded from it'),
    typical,
    asOf,
  })
  .meta({ id: 'SbtcDepositDetail' })

export const sbtcWithdrawalDetail = z
  .strictObject({ withdrawal: sbtcWithdrawal, typical, asOf })
  .meta({ id: 'SbtcWithdrawalDetail' })

const counted = z
  .int()
  .nullable()
  .describe('null if none is indexed and blocks since the launch of sBTC are missing')

export const sbtcSummary = z
  .strictObject({
    typical,
    signers: z
      .strictObject({ count: z.int(), threshold: z.int(), since: isoTime, height: z.int() })
      .nullable()
      .describe('from the latest keys in the registry; null if that block is not indexed'),
    deposits: z.strictObject({ minted: counted, waiting: counted }),
    withdrawals: z.strictObject({ pending: counted, accepted: counted, rejected: counted }),
    asOf,
  })
  .meta({ id: 'SbtcSummary' })

export const sbtcDepositPage = pageOf(sbtcDeposit)
export const sbtcWithdrawalPage = pageOf(sbtcWithdrawal)

const of = z
  .string()
  .max(220)
  .describe('a transaction that is part of it, `txid:output`, or the Stacks address')
const before = z
  .string()
  .regex(/^\d{1,9}\.\d{1,9}$/, 'must be `next` of the part of the list before')
  .describe('`next` of the part of the list before')

export const sbtcDepositsQuery = z.strictObject({
  origin: z.enum(['user', 'miner', 'waiting']).exactOptional(),
  of: of.exactOptional(),
  before: before.exactOptional(),
  limit: wholeNumber(1, 100).exactOptional().describe('at most 100; 50 if left out'),
})
export const sbtcWithdrawalsQuery = z.strictObject({
  status: z.enum(['pending', 'accepted', 'rejected']).exactOptional(),
  of: of.exactOptional(),
  before: before.exactOptional(),
  limit: wholeNumber(1, 100).exactOptional().describe('at most 100; 50 if left out'),
})
export const depositId = z
  .string()
  .max(220)
  .describe('`<Bitcoin txid>:<output>`, or any transaction of that deposit alone')
export const sbtcDepositQuery = z.strictObject({
  through: z
    .enum(['contracts'])
    .exactOptional()
    .describe('contracts: trace coins through contracts by the same rule; otherwise the trace ends there'),
})
export const requestId = z
  .string()
  .regex(/^\d{1,18}$/, 'must be the number of a request')
  .describe('number of the request')
