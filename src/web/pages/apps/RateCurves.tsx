import type { ApplicationTable } from '#http/contract.ts'
import { Card } from '../../blocks/Card.tsx'
import { figureText } from '../../format/figure.ts'
import styles from './Drawings.module.css'

type Row = ApplicationTable['rows'][number]
type Point = { at: number; rate: number; supply: number }
type Props = {
  /** Points of the curves. */
  table: ApplicationTable
  /** Markets with their utilisation of the moment, where the page has them. */
  markets: ApplicationTable | undefined
}

const WIDTH = 300
const HEIGHT = 150
const LEFT = 4
const BOTTOM = 18
const TOP = 12

const number = (row: Row, key: string): number => Number(row[key] ?? 0)
const percent = (ratio: number): string => figureText(ratio, 'ratio').text

/** The rate that borrowers pay, and what lenders get of it, by utilisation: from the parameters that the contracts hold. */
export function RateCurves({ table, markets }: Props) {
  // Of a market that lends nothing there is no curve.
  const names = [...new Set(table.rows.filter(row => number(row, 'rate') > 0).map(row => String(row.market)))]
  if (names.length === 0)
    return (
      <Card title="Rate curves">
        <p className={styles.none}>{table.empty}</p>
      </Card>
    )
  return (
    <Card
      title="Rate curves"
      sub="Borrow rate by utilization. Dashed: supply rate. Drawn from contract parameters, each market on its own scale"
    >
      <div className={styles.curves}>
        {names.map(name => {
          const rows = table.rows.filter(row => row.market === name)
          const now = markets?.rows.find(row => row.market === name)?.utilisation
          return (
            <Curve
              key={name}
              name={name}
              points={rows.map(row => ({
                at: number(row, 'utilisation'),
                rate: number(row, 'rate'),
                supply: number(row, 'supply'),
              }))}
              now={now === null || now === undefined ? undefined : Number(now)}
              told={
                String(rows[0]?.told) === 'contract' ? 'as the contract answers' : 'as set at its opening'
              }
            />
          )
        })}
      </div>
    </Card>
  )
}

function Curve({
  name,
  points,
  now,
  told,
}: {
  name: string
  points: Point[]
  now: number | undefined
  told: string
}) {
  const most = Math.max(...points.map(({ rate }) => rate))
  const x = (at: number) => LEFT + at * (WIDTH - 2 * LEFT)
  const y = (rate: number) => HEIGHT - BOTTOM - (rate / most) * (HEIGHT - BOTTOM - TOP)
  const path = (of: (point: Point) => number) =>
    points
      .map((point, i) => `${i === 0 ? 'M' : 'L'}${x(point.at).toFixed(1)} ${y(of(point)).toFixed(1)}`)
      .join(' ')
  const last = points.at(-1)
  const here = now === undefined ? undefined : rateAt(points, now)
  const summary = `${name}: ${percent(points[0]?.rate ?? 0)} at 0% utilization, ${percent(last?.rate ?? 0)} at 100% utilization${
    here === undefined ? '' : `; now ${percent(now ?? 0)} are lent at ${percent(here)}`
  }.`
  return (
    <figure className={styles.curve}>
      <figcaption>
        <b>{name}</b> <span>{told}</span>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={summary}>
        <line x1={LEFT} x2={WIDTH - LEFT} y1={HEIGHT - BOTTOM} y2={HEIGHT - BOTTOM} className={styles.axis} />
        <path d={path(({ supply }) => supply)} className={styles.supply} />
        <path d={path(({ rate }) => rate)} className={styles.borrow} />
        {here !== undefined && <circle cx={x(now ?? 0)} cy={y(here)} r={4} className={styles.now} />}
        <text x={LEFT} y={HEIGHT - 4}>
          0 %
        </text>
        <text x={WIDTH - LEFT} y={HEIGHT - 4} textAnchor="end">
          100 % lent
        </text>
        <text x={WIDTH - LEFT} y={TOP - 2} textAnchor="end">
          {percent(most)}
        </text>
      </svg>
      <p>
        {here === undefined
          ? `${percent(points[0]?.rate ?? 0)} to ${percent(last?.rate ?? 0)}`
          : `Now ${percent(now ?? 0)} lent, ${percent(here)}`}
      </p>
    </figure>
  )
}

/** Straight between two points. */
function rateAt(points: readonly Point[], at: number): number {
  const next = points.findIndex(point => point.at >= at)
  const [before, after] = [points[next - 1], points[next]]
  if (after === undefined) return points.at(-1)?.rate ?? 0
  if (before === undefined || after.at === before.at) return after.rate
  return before.rate + ((after.rate - before.rate) * (at - before.at)) / (after.at - before.at)
}
