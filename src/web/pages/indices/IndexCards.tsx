import { Link, useLocation } from 'react-router'
import type { MarketIndex } from '#http/contract.ts'
import { Change } from '../../blocks/Change.tsx'
import { Sparkline } from '../../blocks/Sparkline.tsx'
import { addressWith } from '../../blocks/view.ts'
import { dayText } from '../../format/day.ts'
import { figureText } from '../../format/figure.ts'
import styles from './Indices.module.css'
import { BUILDER } from './specs.ts'

type Props = { items: readonly MarketIndex[]; current: string | undefined }

const SPANS = [
  { key: 'day', label: '1 d' },
  { key: 'month', label: '30 d' },
  { key: 'year', label: '1 y' },
  { key: 'launch', label: 'Launch' },
] as const

/** Every index with how it did: each leads to its figures; the last one to the builder. */
export function IndexCards({ items, current }: Props) {
  const { search } = useLocation()
  const kept = new URLSearchParams()
  for (const key of ['range', 'from', 'to']) {
    const value = new URLSearchParams(search).get(key)
    if (value) kept.set(key, value)
  }
  const to = (tab: string) => addressWith(kept.toString(), { tab })
  return (
    <nav aria-label="Indices">
      <ul className={styles.cards}>
        {items.map(index => (
          <li key={index.id}>
            <Link
              className={styles.card}
              to={to(index.id)}
              aria-current={index.id === current ? 'page' : undefined}
              preventScrollReset
              prefetch="none"
            >
              <span className={styles.name}>{index.name}</span>
              {index.level === null ? <Waiting index={index} /> : <Standing index={index} />}
            </Link>
          </li>
        ))}
        <li>
          <Link
            className={`${styles.card} ${styles.build}`}
            to={to(BUILDER)}
            aria-current={current === BUILDER ? 'page' : undefined}
            preventScrollReset
            prefetch="none"
          >
            <span className={styles.name}>Build your own</span>
            <span className={styles.words}>
              Choose tokens, weights, cap, rebalancing and costs; the whole history is computed anew.
            </span>
          </Link>
        </li>
      </ul>
    </nav>
  )
}

function Standing({ index: { level, day, change, spark } }: { index: MarketIndex }) {
  const { text, full } = figureText(level, '')
  return (
    <>
      <span className={styles.line}>
        <b className={styles.level} title={full}>
          {text}
        </b>
        <Sparkline values={spark} colour="series-8" />
      </span>
      <span className={styles.changes}>
        {SPANS.map(({ key, label }) => (
          <span key={key}>
            <small>{label}</small> <Change change={change[key]} />
          </span>
        ))}
      </span>
      <span className={styles.day}>{day && dayText(day)}</span>
    </>
  )
}

const Waiting = ({ index: { members } }: { index: MarketIndex }) => (
  <span className={styles.words}>
    Waits: of its {members.length} tokens fewer than two have prices, volumes and what weighs them.
  </span>
)
