import type { SbtcSummary, SbtcTypical } from '#http/contract.ts'
import { Card } from '../../../blocks/Card.tsx'
import { Facts } from '../../../blocks/Facts.tsx'
import { dayText } from '../../../format/day.ts'
import { grouped } from '../../../format/figure.ts'
import { valueText } from './words.ts'

const LABEL: Record<SbtcTypical['waits'][number]['what'], string> = {
  deposit_to_sweep_blocks: 'Deposit to sweep',
  deposit_to_mint_blocks: 'Deposit to mint',
  deposit_to_mint_seconds: 'Deposit to mint',
  deposit_fee_sat: 'Fee of a deposit',
  request_to_payment_blocks: 'Request to payment',
  request_to_payment_seconds: 'Request to payment',
  withdrawal_fee_sat: 'Fee of a withdrawal',
}

/** What is usual, who signs, and how much was done: counts of the blocks that are held. */
export function TypicalCard({ summary }: { summary: SbtcSummary }) {
  const { typical, signers, deposits, withdrawals } = summary
  const byLabel = Map.groupBy(typical.waits, ({ what }) => LABEL[what])
  return (
    <Card
      title="What is usual"
      sub={`Median and 90th percentile over the ${typical.days} days up to the latest block`}
    >
      <Facts
        facts={[
          ...[...byLabel].map(([label, waits]) => ({
            label,
            value: `${waits.map(one => valueText(one.what, one.median)).join(', ')}; nine in ten within ${waits.map(one => valueText(one.what, one.p90)).join(', ')}`,
          })),
          ...(byLabel.size === 0
            ? [
                {
                  label: 'Delays',
                  value:
                    'None of these days is covered on both chains. Delays need Bitcoin and Stacks blocks.',
                  isWide: true,
                },
              ]
            : []),
          {
            label: 'Signers',
            value: signers
              ? `${signers.threshold} of ${signers.count} must sign, by their keys since ${dayText(signers.since)}`
              : 'The block with their keys in the registry is not indexed',
          },
          {
            label: 'Deposits indexed',
            value: countsText([deposits.minted, 'minted'], [deposits.waiting, 'swept and not minted']),
          },
          {
            label: 'Withdrawals indexed',
            value: countsText(
              [withdrawals.accepted, 'paid'],
              [withdrawals.rejected, 'rejected'],
              [withdrawals.pending, 'waiting'],
            ),
          },
        ]}
      />
    </Card>
  )
}

/** Counts that are known, in words. */
function countsText(...counts: readonly [count: number | null, what: string][]): string {
  const known = counts.flatMap(([count, what]) => (count === null ? [] : `${grouped(String(count))} ${what}`))
  return known.length === 0 ? 'No data yet' : known.join(', ')
}
