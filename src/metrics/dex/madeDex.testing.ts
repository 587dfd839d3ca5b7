import type { StacksEvent } from '#chains/stacks/index.ts'
import { moved, type Printable, printOf } from '../madeStacks.testing.ts'

type Body = StacksEvent['body']

/** Exchanges of the main network as their contracts count, for tests: pools with state whose events are what a node would post. */
export const CORE = 'SM1793C4R5PZ4NS4VQ4WMP7SKKYVH8JZEWSZ9HCCR.xyk-core-v-1-2'
export const BITFLOW_POOL = 'SM1793C4R5PZ4NS4VQ4WMP7SKKYVH8JZEWSZ9HCCR.xyk-pool-sbtc-stx-v-1-1'
export const BITFLOW_STX = 'SM1793C4R5PZ4NS4VQ4WMP7SKKYVH8JZEWSZ9HCCR.token-stx-v-1-2'
export const SBTC = 'SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4.sbtc-token'
export const ALEX_POOLS = 'SP102V8P0F7JX67ARQ77WEA3D3CFB5XW39REDT0AM.amm-pool-v2-01'
export const ALEX_VAULT = 'SP102V8P0F7JX67ARQ77WEA3D3CFB5XW39REDT0AM.amm-vault-v2-01'
export const WELSH = 'SP3NE50GEXFG9SZGTT51P40X2CKYSZ5CC4ZTZ7A2G.welshcorgicoin-token'
export const VELAR_POOL = 'SP1Y5YSTAHZ88XYK1VPDH24GY0HPX5J4JECTMY4A1.univ2-pool-v1_0_0-0003'
export const VELAR_STX = 'SP1Y5YSTAHZ88XYK1VPDH24GY0HPX5J4JECTMY4A1.wstx'
export const ARKADIKO = 'SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.arkadiko-swap-v2-1'
export const USDA = 'SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.usda-token'

const STX = 'STX'
/** A token that moves: STX, or a token under the name that its contract gives the asset. */
const move = (token: string, from: string, to: string, amount: bigint): Body =>
  moved({ from, to, amount, ...(token !== STX && { asset: `${token}::${token.split('.')[1]}` }) })

/** A constant-product pool of sBTC (x) and STX (y) on Bitflow: 10 basis points to the exchange, 20 to providers. */
export function bitflowPool(pool = BITFLOW_POOL, tokens: readonly [x: string, y: string] = [SBTC, STX]) {
  let [x, y] = [0n, 0n]
  const printed = (token: string): Printable => `'${token === STX ? BITFLOW_STX : token}`
  const about = (): { readonly [name: string]: Printable } => ({
    'pool-id': 1n,
    'pool-name': 'sBTC-STX-LP',
    'pool-contract': `'${pool}`,
    'x-token': printed(tokens[0]),
    'y-token': printed(tokens[1]),
  })
  const print = (action: string, caller: string, data: { readonly [name: string]: Printable }): Body =>
    printOf(CORE, { action, caller: `'${caller}`, data: { ...about(), ...data } })
  return {
    create(caller: string, amountX: bigint, amountY: bigint): Body[] {
      ;[x, y] = [amountX, amountY]
      return [
        move(tokens[0], caller, pool, amountX),
        move(tokens[1], caller, pool, amountY),
        print('create-pool', caller, {
          'x-protocol-fee': 10n,
          'x-provider-fee': 20n,
          'y-protocol-fee': 10n,
          'y-provider-fee': 20n,
          'x-amount': amountX,
          'y-amount': amountY,
          'burn-amount': 1000n,
          'total-shares': 1_000_000n,
          'pool-symbol': 'sBTC-STX',
          'pool-uri': 'uri',
          'pool-status': true,
          'creation-height': 1n,
          'fee-address': `'${caller}`,
        }),
      ]
    },
    /** `side` is what comes in. */
    swap(caller: string, side: 'x' | 'y', amountIn: bigint): Body[] {
      const protocolFee = (amountIn * 10n) / 10_000n
      const lpFee = (amountIn * 20n) / 10_000n
      const net = amountIn - protocolFee - lpFee
      const [rIn, rOut] = side === 'x' ? [x, y] : [y, x]
      const out = (rOut * net) / (rIn + net)
      const [nextIn, nextOut] = [rIn + net + lpFee, rOut - out]
      ;[x, y] = side === 'x' ? [nextIn, nextOut] : [nextOut, nextIn]
      const [tokenIn, tokenOut] = side === 'x' ? tokens : [tokens[1], tokens[0]]
      const other = side === 'x' ? 'y' : 'x'
      return [
        move(tokenIn, caller, pool, net + lpFee),
        move(tokenOut, pool, caller, out),
        print(`swap-${side}-for-${other}`, caller, {
          [`${side}-amount`]: amountIn,
          [`${side}-amount-fees-protocol`]: protocolFee,
          [`${side}-amount-fees-provider`]: lpFee,
          [`d${other}`]: out,
          [`min-d${other}`]: 1n,
        }),
      ]
    },
    reserves: (): [bigint, bigint] => [x, y],
  }
}

const ONE_8 = 100_000_000n
const mulUp = (a: bigint, b: bigint): bigint => (a * b + ONE_8 - 1n) / ONE_8

/** A pool of STX (x) and another token (y) on ALEX's AMM v2.01 with factor 1: half a percent, half of it to providers. */
export function alexPool(token = WELSH, decimals = 6, id = 7n) {
  const scale = 10n ** BigInt(8 - decimals)
  let [x, y, shares] = [0n, 0n, 0n]
  const data = () => ({
    'pool-id': id,
    'total-supply': shares,
    'balance-x': x,
    'balance-y': y,
    'pool-owner': `'${ALEX_VAULT}`,
    'fee-rate-x': 500_000n,
    'fee-rate-y': 500_000n,
    'fee-rebate': 50_000_000n,
    'oracle-enabled': true,
    'oracle-average': 0n,
    'oracle-resilient': 0n,
    'start-block': 0n,
    'end-block': 340282366920938463463374607431768211455n,
    'threshold-x': 0n,
    'threshold-y': 0n,
    'max-in-ratio': 60_000_000n,
    'max-out-ratio': 60_000_000n,
  })
  const wrapped = `'${ALEX_VAULT.split('.')[0]}.token-w${token.split('.')[1]}`
  const tokens = { 'token-x': "'SP102V8P0F7JX67ARQ77WEA3D3CFB5XW39REDT0AM.token-wstx-v2", 'token-y': wrapped }
  const print = (action: string, sender: string, more: { readonly [name: string]: Printable }): Body =>
    printOf(ALEX_POOLS, { object: 'pool', action, data: data(), ...tokens, sender: `'${sender}`, ...more })
  return {
    /** Amounts in 10⁻⁸ of a token, as ALEX counts. */
    add(sender: string, dx: bigint, dy: bigint): Body[] {
      ;[x, y, shares] = [x + dx, y + dy, shares + dx]
      return [
        move(STX, sender, ALEX_VAULT, dx / 100n),
        move(token, sender, ALEX_VAULT, dy / scale),
        print('liquidity-added', sender, { dx, dy }),
      ]
    },
    swap(sender: string, side: 'x' | 'y', amountIn: bigint): Body[] {
      const fee = mulUp(amountIn, 500_000n)
      const rebate = (fee * 50_000_000n) / ONE_8
      const net = amountIn - fee
      const [rIn, rOut] = side === 'x' ? [x, y] : [y, x]
      const out = (rOut * net) / (rIn + net)
      const [nextIn, nextOut] = [rIn + net + rebate, rOut - out]
      ;[x, y] = side === 'x' ? [nextIn, nextOut] : [nextOut, nextIn]
      const [dx, dy] = side === 'x' ? [amountIn, out] : [out, amountIn]
      const moves =
        side === 'x'
          ? [move(STX, sender, ALEX_VAULT, amountIn / 100n), move(token, ALEX_VAULT, sender, out / scale)]
          : [move(token, sender, ALEX_VAULT, amountIn / scale), move(STX, ALEX_VAULT, sender, out / 100n)]
      return [
        ...moves,
        print(`swap-${side}-for-${side === 'x' ? 'y' : 'x'}`, sender, { dx, dy, fee, 'fee-rebate': rebate }),
      ]
    },
    reserves: (): [bigint, bigint] => [x, y],
  }
}

/** A pool of STX (0) and another token (1) on Velar: 0.3 %, a quarter of it to the exchange. */
export function velarPool(token = WELSH, pool = VELAR_POOL) {
  let [r0, r1, supply] = [0n, 0n, 0n]
  const state = (): Printable => ({
    symbol: 'STX-WELSH',
    token0: `'${VELAR_STX}`,
    token1: `'${token}`,
    'lp-token': `'${pool}`,
    fees: `'${pool}`,
    reserve0: r0,
    reserve1: r1,
    'block-height': 1n,
    'burn-block-height': 1n,
  })
  const print = (op: string, user: string, more: { readonly [name: string]: Printable }): Body =>
    printOf(pool, { op, user: `'${user}`, pool: state(), ...more })
  return {
    mint(user: string, amt0: bigint, amt1: bigint): Body[] {
      const before = print('mint', user, { amt0, amt1, liquidity: amt0, 'total-supply': supply })
      ;[r0, r1, supply] = [r0 + amt0, r1 + amt1, supply + amt0]
      return [move(STX, user, pool, amt0), move(token, user, pool, amt1), before]
    },
    swap(user: string, side: 0 | 1, amountIn: bigint): Body[] {
      const adjusted = (amountIn * 997n) / 1000n
      const total = amountIn - adjusted
      const protocolFee = total / 4n
      const lpFee = total - protocolFee
      const [rIn, rOut] = side === 0 ? [r0, r1] : [r1, r0]
      const out = (rOut * adjusted) / (rIn + adjusted)
      const before = print('swap', user, {
        'amt-in': amountIn,
        'amt-out-desired': 1n,
        'amt-out': out,
        'amt-in-adjusted': adjusted,
        'amt-fee-lps': lpFee,
        'amt-fee-protocol': protocolFee,
      })
      const [nextIn, nextOut] = [rIn + adjusted + lpFee, rOut - out]
      ;[r0, r1] = side === 0 ? [nextIn, nextOut] : [nextOut, nextIn]
      const [tokenIn, tokenOut] = side === 0 ? [STX, token] : [token, STX]
      return [
        move(tokenIn, user, pool, amountIn),
        move(tokenOut, pool, user, out),
        // What the exchange takes leaves the pool in the same transaction.
        move(tokenIn, pool, 'SP1Y5YSTAHZ88XYK1VPDH24GY0HPX5J4JECTMY4A1.univ2-fees-v1_0_0-0003', protocolFee),
        before,
      ]
    },
    reserves: (): [bigint, bigint] => [r0, r1],
  }
}
