import type { StacksEvent } from '#chains/stacks/index.ts'
import { moved, type Printable, printOf } from '../madeStacks.testing.ts'
import { ALEX_POOLS } from './madeDex.testing.ts'

type Body = StacksEvent['body']

export const STABLE_CORE = 'SM1793C4R5PZ4NS4VQ4WMP7SKKYVH8JZEWSZ9HCCR.stableswap-core-v-1-4'
export const STABLE_POOL = 'SM1793C4R5PZ4NS4VQ4WMP7SKKYVH8JZEWSZ9HCCR.stableswap-pool-stx-ststx-v-1-4'
export const STSTX = 'SP4SZE494VC2YC5JYG7AYFQ44F5Q4PYV7DVMDPBG.ststx-token'
export const BINS_CORE = 'SP1PFR4V08H1RAZXREBGFFQ59WB739XM8VVGTFSEA.dlmm-core-v-1-1'
export const BINS_POOL = 'SM1FKXGNZJWSTWDWXQZJNF7B5TV5ZB235JTCXYXKD.dlmm-pool-sbtc-usdcx-v-1-bps-10'
export const USDCX = 'SP120SBRBQJ00MCWS7TM5R8WJNTTKD5K0HFRC2CNE.usdcx'
const SBTC = 'SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4.sbtc-token'
const REGISTRY = 'SP102V8P0F7JX67ARQ77WEA3D3CFB5XW39REDT0AM.amm-registry-v2-01'
const STX_CONTRACT = 'SM1793C4R5PZ4NS4VQ4WMP7SKKYVH8JZEWSZ9HCCR.token-stx-v-1-2'

/** What ALEX’s registry prints where a pool is created: the only print that states its factor. */
export const alexCreated = (id: bigint, factor: bigint): Body[] => [
  printOf(REGISTRY, {
    object: 'pool',
    action: 'created',
    data: { 'pool-id': id, 'total-supply': 0n, 'balance-x': 0n, 'balance-y': 0n },
    'token-x': `'${ALEX_POOLS}`,
    'token-y': `'${ALEX_POOLS}`,
    factor,
  }),
]

/** Prints of Bitflow’s stable pool of STX (x) and stSTX (y): the events that a curve is told by. */
export function stablePool() {
  const print = (action: string, caller: string, data: { readonly [name: string]: Printable }): Body =>
    printOf(STABLE_CORE, {
      action,
      caller: `'${caller}`,
      data: {
        'pool-id': 3n,
        'pool-name': 'stx-ststx',
        'pool-contract': `'${STABLE_POOL}`,
        ...data,
      },
    })
  const tokens = { 'x-token': `'${STX_CONTRACT}`, 'y-token': `'${STSTX}` }
  const midpoint = (over: bigint, under: bigint) => ({
    'midpoint-numerator': over,
    'midpoint-denominator': under,
  })
  return {
    create: (caller: string, x: bigint, y: bigint, amplification: bigint): Body[] => [
      moved({ from: caller, to: STABLE_POOL, amount: x }),
      moved({ from: caller, to: STABLE_POOL, amount: y, asset: `${STSTX}::ststx` }),
      print('create-pool', caller, {
        ...tokens,
        'x-amount': x,
        'y-amount': y,
        'total-shares': x + y,
        'midpoint-primary-numerator': 1n,
        'midpoint-primary-denominator': 1n,
        'amplification-coefficient': amplification,
      }),
    ],
    midpoint: (caller: string, over: bigint, under: bigint): Body[] => [
      print('set-midpoint', caller, { 'primary-numerator': over, 'primary-denominator': under }),
    ],
    amplify: (caller: string, coefficient: bigint): Body[] => [
      print('set-amplification-coefficient', caller, { coefficient }),
    ],
    withdraw: (caller: string, shares: bigint, x: bigint, y: bigint): Body[] => [
      print('withdraw-proportional-liquidity', caller, {
        ...tokens,
        ...midpoint(1n, 1n),
        amount: shares,
        'x-amount': x,
        'y-amount': y,
      }),
    ],
  }
}

/** Bitflow’s pool of bins of sBTC (x) and USDCx (y): what its core prints after each step. */
export function binsPool(initialPrice: bigint, stepBps = 10n) {
  const about = {
    'pool-id': 1n,
    'pool-contract': `'${BINS_POOL}`,
    'x-token': `'${SBTC}`,
    'y-token': `'${USDCX}`,
    'bin-step': stepBps,
    'initial-price': initialPrice,
  }
  const print = (action: string, caller: string, data: { readonly [name: string]: Printable }): Body =>
    printOf(BINS_CORE, { action, caller: `'${caller}`, data: { ...about, ...data } })
  return {
    create: (caller: string, x: bigint, y: bigint): Body[] => [
      print('create-pool', caller, {
        'x-amount-active-bin': x,
        'y-amount-active-bin': y,
        dlp: 1_000_000n,
        'active-bin-id': 0,
      }),
    ],
    add: (caller: string, bin: bigint, price: bigint, x: bigint, y: bigint, active: number): Body[] => [
      print('add-liquidity', caller, {
        'unsigned-bin-id': bin,
        'bin-price': price,
        'x-amount': x,
        'y-amount': y,
        'updated-x-balance': x,
        'updated-y-balance': y,
        'updated-bin-shares': 1_000_000n,
        'active-bin-id': active,
      }),
    ],
    /** sBTC comes in; `left` is what the bin holds then. */
    swap: (
      caller: string,
      given: {
        bin: bigint
        price: bigint
        dx: bigint
        dy: bigint
        left: readonly [x: bigint, y: bigint]
        active: readonly [before: number, after: number]
      },
    ): Body[] => [
      print('swap-x-for-y', caller, {
        'unsigned-bin-id': given.bin,
        'bin-price': given.price,
        'x-amount': given.dx,
        'updated-x-amount': given.dx,
        'x-amount-fees-protocol': 0n,
        'x-amount-fees-provider': 0n,
        'x-amount-fees-variable': 0n,
        dx: given.dx,
        dy: given.dy,
        'updated-x-balance': given.left[0],
        'updated-y-balance': given.left[1],
        'active-bin-id': given.active[0],
        'updated-active-bin-id': given.active[1],
      }),
    ],
    move: (caller: string, from: bigint, to: bigint, price: bigint, y: bigint, active: number): Body[] => [
      print('move-liquidity', caller, {
        'unsigned-from-bin-id': from,
        'unsigned-to-bin-id': to,
        'bin-price': price,
        'updated-x-balance-a': 0n,
        'updated-y-balance-a': 0n,
        'updated-bin-shares-a': 0n,
        'updated-x-balance-b': 0n,
        'updated-y-balance-b': y,
        'updated-bin-shares-b': 1_000_000n,
        'active-bin-id': active,
      }),
    ],
  }
}
