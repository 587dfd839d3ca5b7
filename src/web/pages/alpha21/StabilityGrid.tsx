import type { CSSProperties } from 'react'
import type { SignalDetail } from '#http/contract.ts'
import { Card } from '../../blocks/Card.tsx'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import styles from './Alpha21.module.css'
import { daysText, shareText, thresholdText } from './words.ts'

type Cell = SignalDetail['grid'][number]

/** What the record would have been with parameters near the rule's own: an edge that hangs on one of them is luck. */
export function StabilityGrid({ signal }: { signal: SignalDetail }) {
  const { grid, unit } = signal
  const keyOf = ({ bullish, bearish }: Cell) => `${bullish}/${bearish}`
  const rows = [...new Map(grid.map(cell => [cell.days.join(), cell.days])).values()]
  const columns = [...new Map(grid.map(cell => [keyOf(cell), cell])).values()]
  const most = Math.max(0.01, ...grid.map(({ excess }) => Math.abs(excess ?? 0)))
  const known = grid.filter(({ excess, events }) => excess !== null && events >= LEAST)
  const above = known.filter(({ excess }) => (excess ?? 0) > 0).length
  return (
    <Card
      title="Stability of parameters"
      sub={`30-day excess return up to the day the rule was fixed, with other windows and thresholds. ${above} of ${known.length} with at least five events are above zero.`}
    >
      <ScrollRegion label="Windows by thresholds" className={styles.gridScroll}>
        <table className={styles.grid}>
          <thead>
            <tr>
              <th scope="col">Windows</th>
              {columns.map(cell => (
                <th key={keyOf(cell)} scope="col">
                  {cell.bullish !== null && <span>▲ {thresholdText(cell.bullish, unit)}</span>}
                  {cell.bearish !== null && <span>▼ {thresholdText(cell.bearish, unit)}</span>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(days => (
              <tr key={days.join()}>
                <th scope="row">{daysText(days)}</th>
                {columns.map(column => {
                  const cell = grid.find(
                    each => each.days.join() === days.join() && keyOf(each) === keyOf(column),
                  )
                  return cell && <GridCell key={keyOf(column)} cell={cell} most={most} />
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      <p className={styles.note}>
        Outlined: the rule as it is fixed. Below each figure the number of independent events; with fewer than
        five it is gray. A rule with failing neighbors was lucky.
      </p>
    </Card>
  )
}

const LEAST = 5

function GridCell({ cell, most }: { cell: Cell; most: number }) {
  const { excess, events, isRule } = cell
  const depth = excess === null || events < LEAST ? 0 : Math.abs(excess) / most
  return (
    <td
      data-side={depth === 0 ? undefined : (excess ?? 0) > 0 ? 'up' : 'down'}
      data-rule={isRule || undefined}
      data-quiet={events < LEAST || undefined}
      style={{ '--depth': `${Math.round(depth * 60)}%` } as CSSProperties}
    >
      <b>
        {excess !== null && excess > 0 ? '+' : ''}
        {shareText(excess)}
      </b>
      <small>{events}</small>
    </td>
  )
}
