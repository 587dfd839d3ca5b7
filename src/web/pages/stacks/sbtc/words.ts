import type { SbtcDepositView, SbtcFlowStep, SbtcTypical, SbtcWithdrawalView } from '#http/contract.ts'
import { durationText } from '../../../format/day.ts'
import { grouped } from '../../../format/figure.ts'

export const depositPath = (id: string): string => `/stacks/sbtc/${id}`
export const withdrawalPath = (requestId: string): string => `/stacks/sbtc/withdrawal/${requestId}`

export const DEPOSIT_STATUS: Record<SbtcDepositView['status'], string> = {
  minted: 'minted',
  swept: 'waits for its mint',
}
export const WITHDRAWAL_STATUS: Record<SbtcWithdrawalView['status'], string> = {
  pending: 'waits for the signers',
  accepted: 'paid on Bitcoin',
  rejected: 'rejected',
}
export const ORIGIN: Record<NonNullable<SbtcDepositView['origin']>, string> = {
  user: 'a user',
  miner: 'a miner’s bid',
}

export const FLOW_KIND: Record<SbtcFlowStep['kind'], string> = {
  mint: 'minted to',
  transfer: 'paid to',
  withdrawal: 'withdrawal requested',
  returned: 'returned to',
  burn: 'destroyed',
}
export const FLOW_REST: Record<SbtcFlowStep['rest'], string> = {
  moved: '',
  held: 'still held',
  pooled: 'pooled in a contract with other users’ coins',
  waiting: 'waits for the signers',
  paid: 'paid on Bitcoin, its fee in',
  burned: 'destroyed',
  beyond: 'beyond the traced steps',
}

type What = SbtcTypical['waits'][number]['what']

/** Blocks and seconds of a wait: `2 blocks, 21 min`; undefined where neither is known. */
export function waitText(blocks: number | null, seconds: number | null): string | undefined {
  const parts = [
    ...(blocks === null
      ? []
      : [`${grouped(String(blocks))} Bitcoin ${Math.abs(blocks) === 1 ? 'block' : 'blocks'}`]),
    ...(seconds === null
      ? []
      : [seconds < 0 ? `${durationText(-seconds)} before, by its header` : durationText(seconds)]),
  ]
  return parts.length === 0 ? undefined : parts.join(', ')
}

/** What is usual: `usually 2 blocks, nine in ten within 4`; undefined where nothing is known to compare. */
export function usualText({ waits, days }: SbtcTypical, what: What): string | undefined {
  const wait = waits.find(one => one.what === what)
  if (wait === undefined) return undefined
  const text = (value: number) => valueText(what, value)
  return `median ${text(wait.median)}, nine in ten within ${text(wait.p90)} (${grouped(String(wait.count))} in ${days} days)`
}

export const valueText = (what: What, value: number): string =>
  what.endsWith('_seconds')
    ? durationText(value)
    : what.endsWith('_sat')
      ? `${grouped(String(value))} sat`
      : `${grouped(String(value))} ${value === 1 ? 'block' : 'blocks'}`

/** How the signers voted: `12 of 14 signers voted for it`; undefined while the withdrawal is pending. */
export function votesText({
  status,
  votesNotFor,
  signerCount,
}: Pick<SbtcWithdrawalView, 'status' | 'votesNotFor' | 'signerCount'>): string | undefined {
  if (status === 'pending') return undefined
  if (votesNotFor === null) return 'No votes recorded'
  return signerCount === null
    ? `${votesNotFor} ${votesNotFor === 1 ? 'signer' : 'signers'} did not vote for it (number of signers unknown)`
    : `${signerCount - votesNotFor} of ${signerCount} signers voted for it`
}
