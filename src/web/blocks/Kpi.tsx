import { Fragment } from 'react'
import { Link, useLocation } from 'react-router'
import type { AsOf, Figure, Range } from '#http/contract.ts'
import { addressOfAssay } from '../assay/address.ts'
import { isCounted } from '../format/counted.ts'
import { dayText } from '../format/day.ts'
import { figureText, type Value } from '../format/figure.ts'
import type { Lacks } from '../format/lacks.ts'
import { AGE_WORD } from './ageWord.ts'
import { Change } from './Change.tsx'
import styles from './Kpi.module.css'
import { Sparkline } from './Sparkline.tsx'

export type KpiFigure = {
  /** `fees.total@bitcoin` */
  assay: string
  label: string
  value: Value
  unit: string
  day: string | null
  /** A bucket that is not whole says so. */
  state: 'whole' | 'partial' | 'incomplete'
  change: number | null
  /** What the change compares, where it leaves out members of the figure. */
  changeOver?: Figure['changeOver']
  /** How much of a sum there is, where it lacks members, and which it lacks. */
  lacks?: Lacks | undefined
  changeRange: Range
  /** Its course over the range of the change. */
  spark: (number | null)[]
  /** Name of the colour token of its shape. */
  colour: string
  /** How old it is; absent where it could not be read. */
  asOf: AsOf | undefined
  /** Why there is no figure. */
  absent: string | null
  /** Grey: it says less than its like elsewhere. */
  isQuiet?: boolean
}

/** The most that a page says at a glance. The figure is the way into its assay view. */
export function KpiStrip({ figures }: { figures: readonly KpiFigure[] }) {
  if (figures.length === 0) return null
  if (figures.every(({ value }) => value === null || value === undefined))
    return <NoneKnown figures={figures} />
  return (
    <ul className={styles.strip} data-count={figures.length} aria-label="Key figures">
      {figures.map(figure => (
        <Kpi key={figure.assay} figure={figure} />
      ))}
    </ul>
  )
}

/** Reasons that are said at once; those of the others are in their assay views. */
const MOST_REASONS = 2

/** In place of a strip of dashes: which figures would stand there, and why none does. */
function NoneKnown({ figures }: { figures: readonly KpiFigure[] }) {
  const { search } = useLocation()
  const reasons = [...new Set(figures.flatMap(({ absent }) => (absent === null ? [] : firstOf(absent))))]
  return (
    <div className={styles.none}>
      <p>
        No data yet:{' '}
        {figures.map(({ assay, label }, index) => (
          <Fragment key={assay}>
            {index > 0 && ', '}
            <Link to={addressOfAssay(search, assay)} preventScrollReset>
              {label}
            </Link>
          </Fragment>
        ))}
        .
      </p>
      {reasons.slice(0, MOST_REASONS).map(reason => (
        <p key={reason}>{sentenceOf(reason)}</p>
      ))}
    </div>
  )
}

/** What is missing; what would bring it stands below, by the charts, and in the assay view. */
const firstOf = (reason: string): string => reason.split(/: |(?<=\.) /)[0] ?? reason

const sentenceOf = (reason: string): string =>
  `${reason.charAt(0).toUpperCase()}${reason.slice(1)}${/[.!?]$/.test(reason) ? '' : '.'}`

function Kpi({ figure }: { figure: KpiFigure }) {
  const { search } = useLocation()
  const { number, tail, full } = figureText(figure.value, figure.unit)
  const said = tail && !isCounted(tail) ? `${number} ${tail}` : number
  const to = addressOfAssay(search, figure.assay)
  if (figure.value === null || figure.value === undefined) {
    return (
      <li className={styles.kpi}>
        <span className={styles.label}>{figure.label}</span>
        <Link
          className={styles.figure}
          to={to}
          preventScrollReset
          aria-label={`${figure.label}: no data yet. Open its assay view.`}
        >
          –
        </Link>
        <span className={`${styles.meta} ${styles.absent}`} title={figure.absent ?? undefined}>
          {figure.absent?.split(': ')[0] ?? 'No data yet'}
        </span>
      </li>
    )
  }
  return (
    <li className={styles.kpi}>
      <span className={styles.label}>{figure.label}</span>
      <Link
        className={figure.isQuiet ? `${styles.figure} ${styles.quiet}` : styles.figure}
        to={to}
        title={full}
        preventScrollReset
        aria-label={`${figure.label}: ${said}, exactly ${full}. Open its assay view.`}
      >
        {number}
        {tail && !isCounted(tail) && <small> {tail}</small>}
      </Link>
      <span className={styles.meta}>
        {figure.change !== null && <Change change={figure.change} range={figure.changeRange} />}
        {figure.change !== null && figure.changeOver && (
          <span title="Change of those with a figure on both days">
            {figure.changeOver.count} of {figure.changeOver.of} {figure.changeOver.name}
          </span>
        )}
        {figure.day && (
          <span data-state={figure.asOf?.state}>
            {dayText(figure.day)}
            {AGE_WORD[figure.asOf?.state ?? 'live']}
            {figure.state === 'partial'
              ? ', not over'
              : figure.state === 'incomplete' && !figure.lacks
                ? ', with gaps'
                : ''}
          </span>
        )}
        {figure.lacks && <span title={figure.lacks[1]}>{figure.lacks[0]}</span>}
      </span>
      <span className={styles.spark}>
        <Sparkline values={figure.spark} colour={figure.colour} isWide />
      </span>
    </li>
  )
}
