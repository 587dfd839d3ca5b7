import { Link, useLocation } from 'react-router'
import { addressWith, type ChartView } from '../../blocks/view.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import styles from './ChartControls.module.css'
import { addressOfPick, CHART, type CompareView, changesFor } from './compareView.ts'
import { DIVISORS, type Divisor, MOST_LAYERS, QUICK } from './lists.ts'

type Choice = { id: string; label: string; hasFigures: boolean }
type Group = { label: string; metrics: Choice[] }

export type ControlsProps = {
  metric: string
  groups: Group[]
  picks: readonly string[]
  layers: { entity: string; name: string; colour: string }[]
  mode: ChartView['mode']
  /** How the metric is told unless asked for another way. */
  firstMode: ChartView['mode']
  by: Divisor | undefined
  look: CompareView['look']
  /** The other metric of a scatter. */
  against: string | undefined
}

/** What is compared and how: links, so that every comparison has an address and no script is needed. */
export function ChartControls({
  metric,
  groups,
  picks,
  layers,
  mode,
  firstMode,
  by,
  look,
  against,
}: ControlsProps) {
  const { search } = useLocation()
  const all = groups.flatMap(group => group.metrics)
  const quick = quickOf(all, metric)
  const toMetric = (id: string) => addressWith(search, { metric: id, [`${CHART}.hide`]: undefined })
  return (
    <div className={styles.controls}>
      <div className={styles.row}>
        <Segmented
          label="Metric"
          current={metric}
          choices={quick.map(({ id, label }) => ({ value: id, label, to: toMetric(id) }))}
        />
        <Metrics title={`${all.length} metrics`} groups={groups} current={metric} addressOf={toMetric} />
        <Picks picks={picks} layers={layers} search={search} />
      </div>
      <div className={styles.row}>
        {look === 'scatter' ? (
          <Metrics
            title={`against ${all.find(({ id }) => id === against)?.label ?? ''}`}
            groups={groups}
            current={against}
            addressOf={id => addressWith(search, { against: id })}
          />
        ) : (
          <Segmented
            label="Values"
            current={by ?? mode}
            choices={(['absolute', 'indexed', 'share', 'user', 'tvl'] as const).map(value => ({
              value,
              label: value === 'user' || value === 'tvl' ? DIVISORS[value].label : MODE_LABEL[value],
              to: addressWith(search, changesFor(value, firstMode)),
            }))}
          />
        )}
        <Segmented
          label="Form"
          current={look}
          choices={[
            {
              value: 'lines',
              label: 'Lines',
              to: addressWith(search, {
                ...(mode === 'share' && changesFor('absolute', firstMode)),
                [`${CHART}.look`]: undefined,
              }),
            },
            {
              value: 'stacked',
              label: 'Stacked',
              to: addressWith(search, {
                [`${CHART}.look`]: 'stacked',
                [`${CHART}.by`]: undefined,
                ...(mode === 'indexed' && changesFor('absolute', firstMode)),
              }),
            },
            {
              value: 'scatter',
              label: 'Scatter',
              to: addressWith(search, {
                metric,
                ...changesFor('absolute', firstMode),
                [`${CHART}.mode`]: undefined,
                [`${CHART}.look`]: 'scatter',
                [`${CHART}.hide`]: undefined,
              }),
            },
          ]}
        />
      </div>
    </div>
  )
}

const MODE_LABEL = { absolute: 'Absolute', indexed: 'Indexed', share: 'Share' } as const

/** The questions asked most, the chosen metric among them. */
function quickOf(all: readonly Choice[], metric: string): Choice[] {
  const first = QUICK.flatMap(id => all.find(choice => choice.id === id) ?? [])
  if (first.some(({ id }) => id === metric)) return first
  return [...first.slice(0, -1), ...all.filter(({ id }) => id === metric)]
}

type MetricsProps = {
  title: string
  groups: readonly Group[]
  current: string | undefined
  addressOf: (id: string) => string
}

/** All metrics that can be compared, by what they are about. */
function Metrics({ title, groups, current, addressOf }: MetricsProps) {
  return (
    <details className={styles.more} name="compare-chart">
      <summary>
        {title} <Icon name="down" />
      </summary>
      <div className={styles.panel}>
        {groups.map(group => (
          <section key={group.label} aria-label={group.label}>
            <h3>{group.label}</h3>
            <ul>
              {group.metrics.map(({ id, label, hasFigures }) => (
                <li key={id}>
                  <Link
                    to={addressOf(id)}
                    aria-current={id === current ? 'true' : undefined}
                    data-empty={hasFigures ? undefined : true}
                    preventScrollReset
                    replace
                  >
                    {label}
                    {!hasFigures && <small>no figure yet</small>}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </details>
  )
}

type PicksProps = Pick<ControlsProps, 'picks' | 'layers'> & { search: string }

function Picks({ picks, layers, search }: PicksProps) {
  const isFull = picks.length >= MOST_LAYERS
  return (
    <details className={styles.more} name="compare-chart">
      <summary>
        {picks.length} {picks.length === 1 ? 'layer' : 'layers'} <Icon name="down" />
      </summary>
      <div className={styles.panel}>
        <section aria-label="Layers">
          <h3>{isFull ? `${MOST_LAYERS} layers are drawn at most` : `Up to ${MOST_LAYERS} layers`}</h3>
          <ul className={styles.layers}>
            {layers.map(({ entity, name, colour }) => {
              const isPicked = picks.includes(entity)
              const inside = (
                <>
                  <span
                    className={styles.box}
                    data-on={isPicked || undefined}
                    style={
                      isPicked
                        ? { background: `var(--${colour})`, borderColor: `var(--${colour})` }
                        : undefined
                    }
                  >
                    {isPicked && <Icon name="check" />}
                  </span>
                  {name}
                  <span className="visually-hidden">{isPicked ? ', drawn: take out' : ', take in'}</span>
                </>
              )
              const isStuck = (isPicked && picks.length === 1) || (!isPicked && isFull)
              return (
                <li key={entity}>
                  {isStuck ? (
                    <span data-empty>{inside}</span>
                  ) : (
                    <Link to={addressOfPick(search, picks, entity)} preventScrollReset replace>
                      {inside}
                    </Link>
                  )}
                </li>
              )
            })}
          </ul>
        </section>
      </div>
    </details>
  )
}
