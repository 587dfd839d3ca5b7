import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import { RANGES } from '#http/contract.ts'
import { iconClass } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import { addressWith, type ChartView } from '../view.ts'
import styles from './ChartFrame.module.css'
import type { ShownChart } from './chartSpec.ts'

type Props = {
  spec: ShownChart
  view: ChartView
  /** What can be chosen beside the range and the ways of counting. */
  scales?: readonly ScaleChoice[]
  modes?: readonly ChartView['mode'][]
  hasGrain?: boolean
  /** Small charts and rows: one measure for all, or one for each. */
  measures?: { one: string; each: string; first: ChartView['measure'] }
}

/** A scale of the chart by its key in the address. */
type ScaleChoice = {
  field: 'scale' | 'x' | 'y'
  label: string
  current: ChartView['scale']
  first: ChartView['scale']
}

const MODE_LABEL = { absolute: 'Absolute', indexed: 'Indexed', share: 'Share' } as const

/** What can be chosen of one chart: links, so that each state has an address and no script is needed. */
export function ChartOptions({ spec, view, scales = [], modes = [], hasGrain = false, measures }: Props) {
  const { search } = useLocation()
  const to = (field: string, value: string, first: string) =>
    addressWith(search, { [`${spec.id}.${field}`]: value === first ? undefined : value })
  const firstMode = spec.defaults?.mode ?? 'absolute'
  return (
    <details className={styles.options} name="chart-options">
      <summary
        className={iconClass}
        aria-label="Range, scale, values and grain"
        title="Range, scale, values and grain"
      >
        <Icon name="options" />
      </summary>
      <div className={styles.panel}>
        {!spec.isFixed && (
          <Row name="Range">
            <Segmented
              label={`${spec.title}: range`}
              current={view.range}
              choices={(['page', ...RANGES] as const).map(range => ({
                value: range,
                label: range === 'page' ? 'Page' : range,
                to: to('range', range, 'page'),
              }))}
            />
          </Row>
        )}
        {scales.map(({ field, label, current, first }) => (
          <Row key={field} name={label}>
            <Segmented
              label={`${spec.title}: ${label.toLowerCase()}`}
              current={current}
              choices={[
                { value: 'linear', label: 'Linear', to: to(field, 'linear', first) },
                { value: 'log', label: 'Log', to: to(field, 'log', first) },
              ]}
            />
          </Row>
        ))}
        {modes.length > 1 && (
          <Row name="Values">
            <Segmented
              label={`${spec.title}: values`}
              current={view.mode}
              choices={modes.map(mode => ({
                value: mode,
                label: MODE_LABEL[mode],
                to: to('mode', mode, firstMode),
              }))}
            />
          </Row>
        )}
        {measures && (
          <Row name="Measure">
            <Segmented
              label={`${spec.title}: measure`}
              current={view.measure}
              choices={[
                { value: 'one', label: measures.one, to: to('measure', 'one', measures.first) },
                { value: 'each', label: measures.each, to: to('measure', 'each', measures.first) },
              ]}
            />
          </Row>
        )}
        {(spec.switches ?? []).map(({ name, label, off, on }) => {
          const others = view.switchedOn.filter(each => each !== name)
          const isOn = others.length < view.switchedOn.length
          const address = (names: readonly string[]) =>
            addressWith(search, { [`${spec.id}.with`]: names.join(',') })
          return (
            <Row key={name} name={label}>
              <Segmented
                label={`${spec.title}: ${label}`}
                current={isOn ? 'on' : 'off'}
                choices={[
                  { value: 'off', label: off, to: address(others) },
                  { value: 'on', label: on, to: address([...others, name]) },
                ]}
              />
            </Row>
          )
        })}
        {hasGrain && (
          <Row name="Grain">
            <Segmented
              label={`${spec.title}: grain`}
              current={view.grain}
              choices={(['auto', 'day', 'week', 'month'] as const).map(grain => ({
                value: grain,
                label: grain === 'auto' ? 'Auto' : `${grain[0]?.toUpperCase()}${grain.slice(1)}`,
                to: to('grain', grain, 'auto'),
              }))}
            />
          </Row>
        )}
      </div>
    </details>
  )
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.row}>
      <span>{name}</span>
      {children}
    </div>
  )
}
