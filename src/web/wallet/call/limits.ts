import { demandIdentifier, demandUint, StacksInputError } from '#kernel/stacksRules.ts'
import type { Limit, LimitCode } from '../send.ts'
import { type Faults, fault, principalOf } from './drafts.ts'

/** One post-condition while it is typed. */
export type LimitDraft = {
  /** Keeps its fields together when others go. */
  readonly key: number
  readonly from: 'you' | 'contract' | 'other'
  readonly other: string
  readonly of: 'STX' | 'token' | 'NFT'
  readonly asset: string
  readonly is: LimitCode
  /** STX in STX, tokens in their smallest units; of an NFT its number. */
  readonly amount: string
}

export const newLimit = (key: number): LimitDraft => ({
  key,
  from: 'you',
  other: '',
  of: 'STX',
  asset: '',
  is: 'at most',
  amount: '',
})

const USTX_DIGITS = 6

/** Micro-STX of an amount in STX. Throws `StacksInputError`. */
export function ustxOf(typed: string): bigint {
  const [, whole = '', part = ''] = /^(\d{1,20})(?:\.(\d{1,6}))?$/.exec(typed.trim()) ?? []
  if (whole === '') throw fault('An amount of STX, with at most six digits behind the point.', typed)
  return demandUint(String(BigInt(whole + part.padEnd(USTX_DIGITS, '0'))))
}

function uintOf(typed: string): bigint {
  if (typed === '') throw fault('Needed: a whole number, 0 or above.')
  return demandUint(typed)
}

const ASSET = /^([^.:]+\.[^.:]+)::([^:]+)$/

function assetOf(typed: string): `${string}.${string}::${string}` {
  const [, contract, token] = ASSET.exec(typed.trim()) ?? []
  if (contract === undefined || token === undefined || principalOf(contract).type !== 'contract')
    throw fault('A token is named by its contract and its name: SP….contract::token.', typed)
  return `${contract}::${demandIdentifier(token)}` as `${string}.${string}::${string}`
}

/** The post-conditions that the rows mean; undefined where one means none, and why is in `faults` by `limit.{key}.{field}`. */
export function limitsOf(
  drafts: readonly LimitDraft[],
  contract: string,
  faults: Faults,
): readonly Limit[] | undefined {
  const limits = drafts.map(draft => limitOf(draft, contract, faults))
  return limits.every(one => one !== undefined) ? limits : undefined
}

function limitOf(draft: LimitDraft, contract: string, faults: Faults): Limit | undefined {
  const field = <T>(name: string, read: () => T): T | undefined => {
    try {
      return read()
    } catch (thrown) {
      if (!(thrown instanceof StacksInputError)) throw thrown
      faults.set(`limit.${draft.key}.${name}`, thrown.message)
      return undefined
    }
  }
  const from =
    draft.from === 'you'
      ? null
      : draft.from === 'contract'
        ? contract
        : field('other', () => principalOf(draft.other.trim()).value)
  const amount = field('amount', () =>
    draft.of === 'STX' ? ustxOf(draft.amount) : uintOf(draft.amount.trim()),
  )
  const asset = draft.of === 'STX' ? null : field('asset', () => assetOf(draft.asset))
  if (from === undefined || amount === undefined || asset === undefined) return undefined
  if (asset === null) return { of: 'STX', from, is: draft.is, amount }
  return draft.of === 'NFT'
    ? { of: 'NFT', from, asset, id: amount }
    : { of: 'token', from, asset, is: draft.is, amount }
}
