import type { CSSProperties } from 'react'
import type { LayerProfile } from '#http/contract.ts'
import { entityColour } from '../../blocks/chart/entityColour.ts'
import styles from './PathDiagram.module.css'
import { Source } from './Source.tsx'

type Path = LayerProfile['paths'][number]
type Step = Path['steps'][number]
type Props = { path: Path; layer: Pick<LayerProfile, 'slug' | 'name'> }

/** From the top: bitcoin enters from below and leaves downwards. */
const LANES = ['layer', 'other', 'bitcoin'] as const

/**
 * One way of bitcoin into a layer or out of it: a lane for each place, the steps in their order from left to right. On a
 * narrow screen the same list stands upright, each step with the name of its place.
 */
export function PathDiagram({ path, layer }: Props) {
  const { direction, name, steps, note, origin } = path
  const lanes = LANES.filter(lane => steps.some(({ where }) => where === lane))
  const rowOf = (step: Step): number => lanes.indexOf(step.where) + 1
  const placeOf = (lane: Step['where']): string =>
    lane === 'bitcoin'
      ? 'Bitcoin'
      : lane === 'layer'
        ? layer.name
        : (steps.find(({ where }) => where === 'other')?.place ?? 'Elsewhere')
  return (
    <figure
      className={styles.path}
      style={{ '--layer': `var(--${entityColour(layer.slug)})`, '--count': steps.length } as CSSProperties}
    >
      <figcaption className={styles.caption}>
        <span className={styles.direction} data-direction={direction}>
          {direction === 'in' ? 'In' : 'Out'}
        </span>
        {name}
      </figcaption>
      <div className={styles.lanes}>
        {lanes.map((lane, index) => (
          <div
            key={lane}
            className={styles.lane}
            data-where={lane}
            style={{ gridRow: index + 1 }}
            aria-hidden="true"
          >
            {placeOf(lane)}
          </div>
        ))}
        {steps.slice(1).map((step, index) => {
          const from = rowOf(steps[index] ?? step)
          const to = rowOf(step)
          const span = Math.abs(from - to) + 1
          return (
            <div
              // biome-ignore lint/suspicious/noArrayIndexKey: steps have an order and no name
              key={index}
              className={styles.link}
              data-goes={from === to ? 'on' : from < to ? 'down' : 'up'}
              style={
                {
                  gridRow: `${Math.min(from, to)} / span ${span}`,
                  gridColumn: index + 3,
                  '--middle': `${50 / span}%`,
                  '--edge': `${100 / span}%`,
                } as CSSProperties
              }
              aria-hidden="true"
            />
          )
        })}
        <ol className={styles.steps}>
          {steps.map((step, index) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: steps have an order and no name
              key={index}
              className={styles.step}
              data-where={step.where}
              style={{ '--row': rowOf(step), '--column': index + 2 } as CSSProperties}
            >
              <span className={styles.place}>{placeOf(step.where)}</span>
              <strong>{step.actor}</strong>
              <span>{step.does}</span>
            </li>
          ))}
        </ol>
      </div>
      <div className={styles.foot}>
        {note && <p>{note}</p>}
        <Source origin={origin} label="After" />
      </div>
    </figure>
  )
}
