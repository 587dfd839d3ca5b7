import { Link, useLocation } from 'react-router'
import { addressWith, type ChartView } from '../view.ts'
import { dashOf } from './dashes.ts'
import styles from './Legend.module.css'
import type { PlotData, PlotLine } from './plotData.ts'

type Entry = Pick<PlotLine, 'key' | 'label' | 'colour' | 'isFaint' | 'isBars'>

type Props = { chart: string; lines: readonly Entry[]; view: ChartView; isStacked: boolean }

/** Names with their stroke; each takes its line out or brings it back, by address. */
export function Legend({ chart, lines, view, isStacked }: Props) {
  const { search } = useLocation()
  return (
    <ul className={styles.legend}>
      {lines.map((line, index) => {
        const isHidden = view.hidden.includes(line.key)
        const hidden = isHidden ? view.hidden.filter(key => key !== line.key) : [...view.hidden, line.key]
        const isLast = !isHidden && lines.length - view.hidden.length <= 1
        const label = (
          <>
            <svg
              className={styles.stroke}
              viewBox="0 0 18 8"
              aria-hidden="true"
              style={{ color: `var(--${line.colour})` }}
            >
              <path
                d={isStacked || line.isBars ? 'M4 4h10' : 'M1 4h16'}
                strokeWidth={isStacked || line.isBars ? 8 : line.isFaint ? 1 : 2}
                strokeOpacity={line.isBars ? 0.35 : undefined}
                style={{
                  strokeDasharray: isStacked || line.isFaint || line.isBars ? undefined : dashOf(index),
                }}
              />
            </svg>
            {line.label}
          </>
        )
        return (
          <li key={line.key}>
            {isLast ? (
              <span className={styles.entry}>{label}</span>
            ) : (
              <Link
                className={styles.entry}
                data-hidden={isHidden || undefined}
                to={addressWith(search, { [`${chart}.hide`]: hidden.join(',') })}
                title={isHidden ? `Bring ${line.label} back` : `Take ${line.label} out`}
                preventScrollReset
                replace
              >
                {label}
                <span className="visually-hidden">{isHidden ? ', hidden: show' : ', shown: hide'}</span>
              </Link>
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** What the line and the bands around it are; they belong together, so none is taken out alone. */
export function BandLegend({ plot }: { plot: PlotData }) {
  const { lines } = plot
  const middle = Math.floor(lines.length / 2)
  const bands = lines
    .slice(0, middle)
    .map((low, index) => `${low.label} to ${lines.at(-1 - index)?.label ?? ''}`)
  const colour = { color: `var(--${lines[middle]?.colour ?? ''})` }
  return (
    <ul className={styles.legend}>
      <li className={styles.entry}>
        <svg className={styles.stroke} viewBox="0 0 18 8" aria-hidden="true" style={colour}>
          <path d="M1 4h16" strokeWidth={2} />
        </svg>
        {lines[middle]?.label}
      </li>
      {bands.toReversed().map((band, index) => (
        <li key={band} className={styles.entry}>
          <svg className={styles.stroke} viewBox="0 0 18 8" aria-hidden="true" style={colour}>
            <path d="M4 4h10" strokeWidth={8} opacity={index === 0 ? 0.3 : 0.15} />
          </svg>
          {band}
        </li>
      ))}
    </ul>
  )
}
