import {
  EVM_LENDING_ACTIONS,
  type EvmBridgeDirection,
  type EvmLendingAction,
  type EvmTokenStandard,
} from '#kernel/evm.ts'
import type { Hex } from '../hex.ts'
import type { AbiValue } from './decode.ts'
import type { DecodedEvent } from './events.ts'

/** One token, or an amount of it, that moved. */
export type TokenTransfer = {
  readonly standard: EvmTokenStandard
  readonly token: Hex
  readonly from: Hex
  readonly to: Hex
  /** null for ERC-20. */
  readonly tokenId: bigint | null
  /** Base units; 1 for ERC-721. */
  readonly amount: bigint
}

/** What a trade moved. A pool's own event names amounts only; then the tokens are those of the pool. */
export type Swap = {
  readonly pool: Hex
  readonly trader: Hex | null
  readonly tokenIn: Hex | null
  readonly tokenOut: Hex | null
  /** Base units into the pool and out of it; which of its two tokens each is. */
  readonly amountIn: bigint
  readonly amountOut: bigint
  readonly inIsToken0: boolean | null
}

/** What somebody did at a lender. */
export type LendingAction = {
  readonly action: EvmLendingAction
  readonly market: Hex
  readonly account: Hex
  /** null where the market has one asset and does not say it, or names a pair by an id. */
  readonly asset: Hex | null
  readonly marketId: Hex | null
  readonly amount: bigint
}

const hexAt = (roles: DecodedEvent['roles'], role: string): Hex | null => {
  const value = roles[role]
  return typeof value === 'string' && value.startsWith('0x') ? (value as Hex) : null
}
const amountAt = (roles: DecodedEvent['roles'], role: string): bigint | null => {
  const value = roles[role]
  return typeof value === 'bigint' ? value : null
}

/** The transfers of one event: one, or one an id in a batch of ERC-1155. Empty for other kinds and uneven batches. */
export function transfersOf({ kind, roles, emitter }: DecodedEvent): TokenTransfer[] {
  if (kind !== 'transfer' && kind !== 'nft_transfer' && kind !== 'multi_transfer') return []
  const from = hexAt(roles, 'from')
  const to = hexAt(roles, 'to')
  if (from === null || to === null) return []
  const move = { token: emitter, from, to } as const
  if (kind === 'transfer') {
    const amount = amountAt(roles, 'amount')
    return amount === null ? [] : [{ standard: 'erc20', ...move, tokenId: null, amount }]
  }
  if (kind === 'nft_transfer') {
    const tokenId = amountAt(roles, 'tokenId')
    return tokenId === null ? [] : [{ standard: 'erc721', ...move, tokenId, amount: 1n }]
  }
  const ids = listAt(roles.tokenId)
  const amounts = listAt(roles.amount)
  if (ids.length !== amounts.length) return []
  return ids.map((tokenId, i) => ({ standard: 'erc1155', ...move, tokenId, amount: amounts[i]! }))
}

const listAt = (value: AbiValue | undefined): bigint[] => {
  if (typeof value === 'bigint') return [value]
  return Array.isArray(value) ? value.filter(item => typeof item === 'bigint') : []
}

/**
 * The trade of a swap event. Roles are either `tokenIn, tokenOut, amountIn, amountOut`, or `amount0, amount1` as the pool
 * sees them: what it got is positive. null for other kinds, and where nothing went in or nothing out.
 */
export function swapOf({ kind, roles, emitter }: DecodedEvent): Swap | null {
  if (kind !== 'swap') return null
  const trader = hexAt(roles, 'trader')
  const amountIn = amountAt(roles, 'amountIn')
  const amountOut = amountAt(roles, 'amountOut')
  if (amountIn !== null && amountOut !== null)
    return {
      pool: emitter,
      trader,
      tokenIn: hexAt(roles, 'tokenIn'),
      tokenOut: hexAt(roles, 'tokenOut'),
      amountIn,
      amountOut,
      inIsToken0: null,
    }
  const amount0 = amountAt(roles, 'amount0')
  const amount1 = amountAt(roles, 'amount1')
  if (amount0 === null || amount1 === null || amount0 > 0n === amount1 > 0n) return null
  const inIsToken0 = amount0 > 0n
  return {
    pool: emitter,
    trader,
    tokenIn: null,
    tokenOut: null,
    amountIn: inIsToken0 ? amount0 : amount1,
    amountOut: inIsToken0 ? -amount1 : -amount0,
    inIsToken0,
  }
}

const LENDING: ReadonlySet<string> = new Set(EVM_LENDING_ACTIONS)

/** What a lending event says; null for other kinds. */
export function lendingOf({ kind, roles, emitter }: DecodedEvent): LendingAction | null {
  const account = hexAt(roles, 'account')
  const amount = amountAt(roles, 'amount')
  if (!LENDING.has(kind) || account === null || amount === null) return null
  return {
    action: kind as EvmLendingAction,
    market: emitter,
    account,
    asset: hexAt(roles, 'asset'),
    marketId: hexAt(roles, 'marketId'),
    amount,
  }
}

/** What crossed a bridge. */
export type BridgeMove = {
  readonly direction: EvmBridgeDirection
  readonly bridge: Hex
  readonly account: Hex
  /** The token that crossed; null for the chain's own coin. */
  readonly asset: Hex | null
  /** Base units of the token, wei of the coin. */
  readonly amount: bigint
}

/** A satoshi in wei, where a coin of 18 digits stands for a bitcoin. */
const WEI_PER_SAT = 10n ** 10n

/** What a bridge's event says; null for other kinds. An amount in satoshis (role `amountSat`) is given in wei. */
export function bridgeMoveOf({ kind, roles, emitter }: DecodedEvent): BridgeMove | null {
  if (kind !== 'bridge_in' && kind !== 'bridge_out') return null
  const account = hexAt(roles, 'account')
  const sat = amountAt(roles, 'amountSat')
  const amount = sat === null ? amountAt(roles, 'amount') : sat * WEI_PER_SAT
  if (account === null || amount === null || amount < 0n) return null
  const direction = kind === 'bridge_in' ? 'in' : 'out'
  return { direction, bridge: emitter, account, asset: hexAt(roles, 'asset'), amount }
}
