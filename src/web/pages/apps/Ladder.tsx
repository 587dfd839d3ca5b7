import { Form, useLocation, useNavigate } from 'react-router'
import type { ApplicationTable } from '#http/contract.ts'
import { Card } from '../../blocks/Card.tsx'
import { addressWith } from '../../blocks/view.ts'
import { figureText, grouped } from '../../format/figure.ts'
import { Button } from '../../ui/Button.tsx'
import { OtherFields } from '../../ui/OtherFields.tsx'
import { useTypedEarly } from '../../ui/useTypedEarly.ts'
import styles from './Drawings.module.css'

const WIDTH = 720
const HEIGHT = 160
const KEY = 'fall'
/** The fall that the page begins with, hundredths. */
const FIRST = 20

const usd = (value: number): string => figureText(value, 'USD').text

/** How much collateral is liquidated when its price falls, with a slider over the fall; it stays in the address. */
export function Ladder({ table }: { table: ApplicationTable }) {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const handleFall = (text: string) =>
    navigate(addressWith(search, { [KEY]: text === String(FIRST) ? undefined : text }), {
      replace: true,
      preventScrollReset: true,
    })
  const form = useTypedEarly(typed => handleFall(typed.get(KEY) ?? String(FIRST)))
  const steps = table.rows.map(row => ({
    fall: Math.round(Number(row.fall) * 100),
    positions: Number(row.positions),
    collateral: Number(row.collateral),
    debt: Number(row.debt),
    short: Number(row.short),
    all: Number(row.all_positions),
  }))
  const deepest = steps.at(-1)?.fall ?? 0
  const asked = Number.parseInt(new URLSearchParams(search).get(KEY) ?? '', 10)
  const fall = Number.isInteger(asked) && asked >= 0 && asked <= deepest ? asked : FIRST
  const at = steps.find(step => step.fall === fall)
  if (at === undefined)
    return (
      <Card title="What a fall of the price liquidates">
        <p className={styles.none}>{table.empty}</p>
      </Card>
    )
  const most = Math.max(...steps.map(({ collateral }) => collateral), 1)
  const width = WIDTH / steps.length
  return (
    <Card
      title="What a fall of the price liquidates"
      sub={table.sub}
      foot="Each bar is the collateral, at the lower price, of all positions that could be liquidated by then. Accounts without activity in indexed blocks are excluded."
    >
      <div className={styles.ladder}>
        <Form ref={form} action={pathname} preventScrollReset>
          <OtherFields search={search} except={[KEY]} />
          <label>
            <span>
              Price falls by <b>{fall} %</b>
            </span>
            <input
              type="range"
              name={KEY}
              min={0}
              max={deepest}
              step={1}
              value={fall}
              onChange={event => handleFall(event.currentTarget.value)}
            />
          </label>
          <span className={styles.submit}>
            <Button type="submit" small>
              Show
            </Button>
          </span>
        </Form>
        <p aria-live="polite">
          {grouped(String(at.positions))} of {grouped(String(at.all))} positions may be liquidated:{' '}
          {usd(at.collateral)} of collateral against {usd(at.debt)} of debt
          {at.short > 0 ? `; ${usd(at.short)} of debt has nothing behind it.` : '.'}
        </p>
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`Collateral that is liquidated at falls of 0 to ${deepest} %`}
        >
          {steps.map(step => {
            const height = (step.collateral / most) * HEIGHT
            return (
              <rect
                key={step.fall}
                x={step.fall * width + 1}
                y={HEIGHT - height}
                width={width - 2}
                height={height}
                className={step.fall <= fall ? styles.hit : styles.bar}
              >
                <title>{`${step.fall} %: ${usd(step.collateral)}`}</title>
              </rect>
            )
          })}
        </svg>
        <p className={styles.scale} aria-hidden="true">
          <span>now</span>
          <span>−{Math.round(deepest / 3)} %</span>
          <span>−{Math.round((deepest * 2) / 3)} %</span>
          <span>−{deepest} %</span>
        </p>
      </div>
    </Card>
  )
}
