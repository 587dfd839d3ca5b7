import card from '../../blocks/Card.module.css'
import { counted } from '../../format/counted.ts'
import { addDays, dayText } from '../../format/day.ts'
import { grouped } from '../../format/figure.ts'
import styles from './Clocks.module.css'

type Tip = { height: number; time: string }

const HALVING_BLOCKS = 210_000
const EPOCH_BLOCKS = 2016
const BLOCKS_PER_DAY = 144

/** How far the present subsidy has come. The date is arithmetic at ten minutes a block, and says so. */
export function HalvingPanel({ tip }: { tip: Tip }) {
  const next = (Math.floor(tip.height / HALVING_BLOCKS) + 1) * HALVING_BLOCKS
  const left = next - tip.height
  const subsidy = 50 / 2 ** (next / HALVING_BLOCKS - 1)
  return (
    <Clock
      title="Next halving"
      figure={counted(left, 'block')}
      done={1 - left / HALVING_BLOCKS}
      note={`Block ${grouped(String(next))}: ${subsidy} to ${subsidy / 2} BTC. ${estimated(tip, left)}`}
    />
  )
}

/** How far the present difficulty has come. */
export function EpochPanel({ tip }: { tip: Tip }) {
  const into = tip.height % EPOCH_BLOCKS
  const left = EPOCH_BLOCKS - into
  return (
    <Clock
      title="Difficulty epoch"
      figure={`${grouped(String(into + 1))} of ${grouped(String(EPOCH_BLOCKS))} blocks`}
      done={(into + 1) / EPOCH_BLOCKS}
      note={`The next adjustment is at block ${grouped(String(tip.height + left))}. ${estimated(tip, left)}`}
    />
  )
}

/** From which block on, and when at ten minutes a block. */
const estimated = (tip: Tip, left: number): string =>
  `Estimated from block ${grouped(String(tip.height))} of ${dayText(tip.time)}: about ${dayText(addDays(tip.time.slice(0, 10), Math.round(left / BLOCKS_PER_DAY)))} at 10 minutes per block.`

type ClockProps = { title: string; figure: string; done: number; note: string }

function Clock({ title, figure, done, note }: ClockProps) {
  const percent = Math.min(100, done * 100)
  return (
    <section className={`${card.card} ${styles.clock}`} aria-label={title}>
      <div className={styles.line}>
        <h2 className={styles.title}>{title}</h2>
        <p className={styles.figure}>{figure}</p>
      </div>
      <div
        className={styles.track}
        role="progressbar"
        aria-label={title}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(percent)}
      >
        <span style={{ inlineSize: `${percent.toFixed(2)}%` }} />
      </div>
      <p className={styles.note}>{note}</p>
    </section>
  )
}
