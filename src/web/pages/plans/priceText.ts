import type { Plans } from '#http/contract.ts'

export type PlanPrice = Plans['prices'][number]

/** A price as it is read: `$19.00 a month`. The amount is the provider’s own, to its last digit. */
export function priceText({ amount, currency, interval, intervalCount }: PlanPrice): string {
  const digits = amount.split('.')[1]?.length ?? 0
  const money = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(Number(amount))
  return intervalCount === 1 ? `${money} a ${interval}` : `${money} every ${intervalCount} ${interval}s`
}
