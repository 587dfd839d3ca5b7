import { useId } from 'react'
import { Link, useLocation } from 'react-router'
import { sharesOf } from '#kernel/share.ts'
import { addressOfAssay } from '../../assay/address.ts'
import { AGE_WORD } from '../../blocks/ageWord.ts'
import { Change } from '../../blocks/Change.tsx'
import kpi from '../../blocks/Kpi.module.css'
import { Sparkline } from '../../blocks/Sparkline.tsx'
import { dayText } from '../../format/day.ts'
import { figureText, percentText } from '../../format/figure.ts'
import { IconButton } from '../../ui/Button.tsx'
import { STRIP } from './compareView.ts'
import type { LayerKpi } from './kpis.ts'
import styles from './LayerStrip.module.css'

/** The most that the page says at a glance. Each figure is a sum: it opens to its parts, and each part to its assay view. */
export function LayerStrip({ figures }: { figures: readonly LayerKpi[] }) {
  return (
    <ul
      id={STRIP}
      className={`${kpi.strip} ${styles.strip}`}
      data-count={figures.length}
      aria-label="Key figures"
    >
      {figures.map(figure => (
        <One key={figure.key} figure={figure} />
      ))}
    </ul>
  )
}

function One({ figure }: { figure: LayerKpi }) {
  const id = useId()
  const { label, sum, note, absent } = figure
  if (sum === undefined)
    return (
      <li className={`${kpi.kpi} ${styles.none}`}>
        <span className={kpi.label}>{label}</span>
        <span className={styles.nothing}>No data yet</span>
        <span className={kpi.meta}>{absent}</span>
      </li>
    )
  const { number, tail, full } = figureText(sum.value, sum.unit)
  const unit = tail === 'addresses' ? '' : tail
  return (
    <li className={kpi.kpi}>
      <span className={kpi.label}>{label}</span>
      <button
        type="button"
        className={kpi.figure}
        popoverTarget={id}
        title={full}
        aria-label={`${label}: ${number} ${unit}, exactly ${full}. Open its parts.`}
      >
        {number}
        {unit && <small> {unit}</small>}
      </button>
      <span className={kpi.meta}>
        {sum.change !== null && <Change change={sum.change} range={sum.changeRange} />}
        {note && <span className={styles.note}>{note}</span>}
        <span>
          covers {sum.addends.length} of {figure.of}
        </span>
        <span data-state={sum.state}>
          {daysText(sum.from, sum.to)}
          {AGE_WORD[sum.state]}
        </span>
      </span>
      <span className={kpi.spark}>
        <Sparkline values={sum.spark} colour="accent" isWide />
      </span>
      <Parts id={id} figure={figure} sum={sum} />
    </li>
  )
}

/** A sum is as old as its oldest part. */
const daysText = (from: string, to: string): string =>
  from === to ? dayText(to) : `oldest part: ${dayText(from)}`

type PartsProps = { id: string; figure: LayerKpi; sum: NonNullable<LayerKpi['sum']> }

function Parts({ id, figure, sum }: PartsProps) {
  const { search } = useLocation()
  // Parts of different days have no common whole, and layers without a figure leave the whole unknown.
  const shares =
    sum.from === sum.to && sum.addends.length === figure.of
      ? sharesOf(
          sum.addends.map(({ value }) => Number(value)),
          'parts',
        )
      : null
  return (
    <div
      id={id}
      popover="auto"
      className={styles.parts}
      role="dialog"
      aria-label={`${figure.label}, its parts`}
    >
      <header className={styles.head}>
        <h2>{figure.label}</h2>
        <IconButton icon="close" label="Close" popoverTarget={id} popoverTargetAction="hide" />
      </header>
      <p className={styles.method}>{figure.method}</p>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Layer</th>
            <th scope="col">Figure</th>
            <th scope="col">Share</th>
            <th scope="col">As of</th>
          </tr>
        </thead>
        <tbody>
          {sum.addends.map((part, index) => (
            <tr key={part.entity}>
              <th scope="row">{part.name}</th>
              <td>
                <Link
                  to={addressOfAssay(search, part.assay, part.day)}
                  preventScrollReset
                  aria-label={`${part.name}: ${figureText(part.value, part.unit).text}, exactly ${figureText(part.value, part.unit).full}. Open its assay view.`}
                >
                  {figureText(part.value, part.unit).text}
                </Link>
              </td>
              <td>{shares === null ? '–' : percentText(shares.shares[index] ?? 0)}</td>
              <td data-state={part.state}>
                {dayText(part.day)}
                {part.lacks && <span title={part.lacks[1]}> · {part.lacks[0]}</span>}
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Sum</th>
            <td>{figureText(sum.value, sum.unit).text}</td>
            <td />
            <td>
              {sum.addends.length} of {figure.of}
            </td>
          </tr>
        </tfoot>
      </table>
    </div>
  )
}
