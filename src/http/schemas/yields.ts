import { z } from 'zod'
import { YIELD_BASES, YIELD_WAYS } from '#explorer/stacks/yields/vocabulary.ts'
import { asOf, day, sat } from './common.ts'

const ustx = z.string().regex(/^\d+$/).describe('micro-STX as a decimal string')
const ratio = z.number().nullable()

const yieldRow = z
  .strictObject({
    cycle: z.int(),
    way: z
      .enum(YIELD_WAYS)
      .describe(
        'pool: a pool with recorded members; direct: solo; delegated: another pool; stake and bond: PoX-5',
      ),
    via: z.string().describe('pool, signer, bond number, or payout Bitcoin address; empty if unknown'),
    startDay: day.nullable(),
    endDay: day.nullable().describe('day of the first Bitcoin block after the cycle; null until known'),
    stackedUstx: ustx.nullable(),
    stackedSat: sat.nullable().describe('bitcoin in a bond'),
    paidUstx: ustx.nullable(),
    earnedSat: sat.nullable().describe('bitcoin that the pool swapped for what it paid'),
    paidSat: sat.nullable().describe('bitcoin, or sBTC, that it got'),
    basis: z
      .enum(YIELD_BASES)
      .describe(
        'payouts on Bitcoin to its own address; shared_payouts: its share of those to an address of several; share: its share of what the pool paid; claims in PoX-5; unclaimed; unknown',
      ),
    paidUsd: z.number().nullable().describe('at the closes of the days of payment'),
    stackedUsd: z.number().nullable().describe('at the mean close of the days of the cycle'),
    yieldCycle: ratio.describe('value got ÷ value stacked; of bonds bitcoin ÷ bitcoin'),
    yieldYear: ratio.describe('× 365 ÷ the days of the cycle'),
    coinYear: ratio.describe('the same in the coin that was stacked, where it was paid in it'),
    promisedYear: ratio.describe('what a bond was set up for; pools promise nothing that is recorded'),
    networkYear: ratio.describe(
      'pox.yield of the whole network in that cycle, or of the pool if that is not available',
    ),
    networkOf: z.string().nullable().describe('source of that figure: `pox.yield@stacks` or the pool'),
  })
  .meta({ id: 'StacksYieldRow' })

export const stacksYield = z
  .strictObject({
    address: z.string(),
    rows: z.array(yieldRow).describe('latest cycle first'),
    totals: z.strictObject({
      paidUstx: ustx,
      paidSat: sat,
      paidUsd: z.number(),
      cycles: z.int(),
      cyclesPaid: z.int().describe('with known payouts'),
      cyclesPriced: z.int().describe('with closes as well'),
    }),
    asOf,
  })
  .meta({ id: 'StacksYield' })

export const stacksPrincipal = z.string().max(180).describe('address, or contract as `address.name`')
