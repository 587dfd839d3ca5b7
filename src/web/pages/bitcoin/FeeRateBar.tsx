import { significant } from '../../format/figure.ts'
import styles from './FeeRateBar.module.css'

type Rates = { p10: number; p25: number; p50: number; p75: number; p90: number }

const STEPS = [
  ['p10', 'a tenth pays less'],
  ['p25', 'a quarter'],
  ['p50', 'the middle'],
  ['p75', 'three quarters'],
  ['p90', 'nine tenths'],
] as const

/** Five percentiles as a ladder of bars. */
export function FeeRateBar({ rates }: { rates: Rates }) {
  const top = Math.max(rates.p90, 1)
  return (
    <dl className={styles.ladder}>
      {STEPS.map(([key, text]) => (
        <div key={key}>
          <dt>{text}</dt>
          <dd>
            <i style={{ inlineSize: `${Math.max(1.5, (rates[key] / top) * 100)}%` }} />
            <b>{significant(rates[key], 3)}</b>
          </dd>
        </div>
      ))}
    </dl>
  )
}
