import { Link } from 'react-router'
import type { StacksTableAnswer } from '#http/contract.ts'
import { Card } from '../../blocks/Card.tsx'
import { Facts } from '../../blocks/Facts.tsx'
import { counted } from '../../format/counted.ts'
import { timeText } from '../../format/day.ts'
import { grouped } from '../../format/figure.ts'
import styles from './CycleClock.module.css'

const LENGTH = 2100
const MINUTES_A_BLOCK = 10

/** Days that so many Bitcoin blocks take, at ten minutes each. */
const daysText = (blocks: number): string => {
  const days = (blocks * MINUTES_A_BLOCK) / 1440
  return days >= 1 ? `about ${days.toFixed(1)} days` : `about ${Math.round(days * 24)} hours`
}

/** How far the reward cycle is, by the newest Bitcoin block that is known here. */
export function CycleClock({ table }: { table: StacksTableAnswer }) {
  const row = table.rows[0]
  if (row === undefined) return null
  const n = (key: string) => Number(row[key])
  const isPrepare = n('blocks_to_prepare') === 0
  return (
    <Card
      title={`Reward cycle ${grouped(String(row.cycle))}`}
      sub={
        <>
          As of Bitcoin block{' '}
          <Link to={`/bitcoin/block/${row.burn_height}`}>{grouped(String(row.burn_height))}</Link>,{' '}
          {timeText(String(row.time))}: the latest indexed, or named by a Stacks block
        </>
      }
    >
      <div className={styles.clock}>
        <progress
          className={styles.bar}
          max={LENGTH}
          value={n('place')}
          aria-label={`Block ${n('place')} of ${LENGTH} of the reward cycle`}
        />
        <p className={styles.ends}>
          <span>
            Block {grouped(String(row.place))} of {grouped(String(LENGTH))}
          </span>
          <span>{isPrepare ? 'prepare phase' : 'reward phase'}</span>
        </p>
      </div>
      <Facts
        facts={[
          {
            label: 'Prepare phase',
            value: isPrepare
              ? 'under way: the next reward set is fixed'
              : `in ${counted(String(row.blocks_to_prepare), 'block')}, ${daysText(n('blocks_to_prepare'))}`,
          },
          {
            label: 'Next cycle',
            value: `in ${counted(String(row.blocks_to_next), 'block')}, ${daysText(n('blocks_to_next'))}: from ${grouped(String(row.next_height))}`,
          },
          { label: 'Contract in force', value: String(row.contract) },
        ]}
      />
    </Card>
  )
}
