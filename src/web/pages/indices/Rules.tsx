import type { MarketIndex } from '#http/contract.ts'
import { Card } from '../../blocks/Card.tsx'
import { Facts } from '../../blocks/Facts.tsx'
import { dayText } from '../../format/day.ts'
import { figureText } from '../../format/figure.ts'

const WEIGHED: Readonly<Record<MarketIndex['weighting'], string>> = {
  cap: 'Circulating market value: price × circulating supply',
  equal: 'Each the same',
  fees: 'Fees that users paid on the layer within 30 days',
}

/** By which rules an index is made: its methodology. */
export function Rules({ index }: { index: MarketIndex }) {
  const {
    name,
    sentence,
    universe,
    weighting,
    maxWeight,
    minAgeDays,
    volumeFloorUsd,
    costBps,
    start,
    members,
  } = index
  return (
    <Card
      title={`${name}: the rules`}
      sub={sentence}
      foot="A rebalancing uses data available by its close and takes effect after it. Figures are used as first published, so later revisions never change the past. Level = level at the last rebalancing × Σ weight × price ÷ price then; the divisor is set so that a rebalancing moves nothing."
    >
      <Facts
        facts={[
          { label: 'Universe', value: `${universe} ${members.length} tokens`, isWide: true },
          { label: 'Weighed by', value: WEIGHED[weighting] },
          {
            label: 'Largest weight',
            value:
              maxWeight === 1
                ? 'None'
                : `${figureText(maxWeight, 'ratio').text}, or an equal part where that is more`,
          },
          { label: 'Rebalanced', value: 'After the close of the last UTC day of each month' },
          { label: 'Age', value: `At least ${minAgeDays} days of prices` },
          {
            label: 'Volume',
            value:
              volumeFloorUsd === 0
                ? 'Not required'
                : `Median of 30 days at least ${figureText(volumeFloorUsd, 'USD').text}`,
          },
          ...(weighting === 'cap' ? [{ label: 'Supply', value: 'Reported within 45 days' }] : []),
          { label: 'Cost of a trade', value: `${costBps / 100} % of the amount, in the net level alone` },
          { label: 'Begins', value: start === null ? 'Not yet' : `${dayText(start)}, at 1,000` },
        ]}
      />
    </Card>
  )
}
