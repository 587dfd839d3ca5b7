import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { RANGES } from '#http/contract.ts'
import { addressOfAssay } from '../assay/address.ts'
import { FileLink, IconButton, IconLink, iconClass } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Segmented } from '../ui/Segmented.tsx'
import card from './Card.module.css'
import styles from './ChartCard.module.css'
import { CrosshairLayer } from './chart/CrosshairLayer.tsx'
import type { ShownChart } from './chart/chartSpec.ts'
import { type ChartEvent, draw } from './chart/drawing.ts'
import { BandLegend, Legend } from './chart/Legend.tsx'
import { Plot } from './chart/Plot.tsx'
import { PlotTable } from './chart/PlotTable.tsx'
import type { PlotData } from './chart/plotData.ts'
import { coverageText, spanText, summaryText } from './chart/summary.ts'
import { addressWith, type ChartView, readChartView } from './view.ts'

type Props = {
  spec: ShownChart
  plot: PlotData
  /** Lines that belong here and have no figure in the range. */
  missing: readonly string[]
  events?: readonly ChartEvent[]
  csvHref: string
}

/** What stands around the drawing in full screen, px. */
const FULL_SCREEN_FRAME = 260
const HEIGHT = 264
const HEIGHT_WIDE = 320
const GRAIN_WORD: Record<string, string> = { day: 'daily', week: 'weekly', month: 'monthly' }

/** One chart with all that can be done to it. It takes figures and never fetches; its state is the address. */
export function ChartCard({ spec, plot, missing, events = [], csvHref }: Props) {
  const { search } = useLocation()
  const view = readChartView(new URLSearchParams(search), spec.id, spec.defaults)
  const section = useRef<HTMLElement>(null)
  const fullHeight = useFullScreenHeight(section)
  const height = fullHeight ?? (spec.wide ? HEIGHT_WIDE : HEIGHT)
  const drawing = draw(plot, { kind: spec.kind, view, height, events })
  const titleId = useId()
  const isTable = view.form === 'table'

  const handleFullScreen = () => {
    if (document.fullscreenElement) void document.exitFullscreen()
    else void section.current?.requestFullscreen()
  }
  const handlePicture = async () => {
    const { savePicture } = await import('./chart/picture.ts')
    await savePicture({ title: spec.title, subtitle: `${subtitle} · ${spanText(plot)}`, plot, drawing })
  }
  const subtitle = [drawing.unitWord, GRAIN_WORD[plot.grain] ?? plot.grain, MODE_WORD[view.mode]]
    .filter(Boolean)
    .join(', ')
  const assays = [...new Set(plot.lines.map(line => line.assay))]

  return (
    <section ref={section} id={spec.id} className={`${card.card} ${styles.chart}`} aria-labelledby={titleId}>
      <header className={card.head}>
        <div className={card.words}>
          <h2 id={titleId} className={card.title}>
            {spec.title}
          </h2>
          <p className={card.sub}>{subtitle}</p>
        </div>
        <div className={card.tools} data-screen>
          <Options spec={spec} view={view} lineCount={plot.lines.length} search={search} />
          <IconLink
            icon={isTable ? 'chart' : 'table'}
            label={isTable ? 'Show as a chart' : 'Show as a table'}
            to={addressWith(search, { [`${spec.id}.form`]: isTable ? undefined : 'table' })}
            preventScrollReset
            replace
          />
          <FileLink icon="download" label="Download as CSV" href={csvHref} />
          <IconButton icon="image" label="Save as a picture" onClick={handlePicture} data-needs-script />
          <IconButton icon="full" label="Full screen" onClick={handleFullScreen} data-needs-script />
        </div>
      </header>
      {spec.kind === 'band' ? (
        <BandLegend plot={plot} />
      ) : (
        // A line that stands alone only because others are missing must be named.
        (plot.lines.length > 1 || missing.length > 0) && (
          <Legend chart={spec.id} plot={plot} view={view} isStacked={spec.kind === 'stacked'} />
        )
      )}
      <figure className={styles.figure}>
        {isTable ? (
          <PlotTable title={spec.title} plot={plot} drawing={drawing} height={height + 28} />
        ) : (
          <Plot drawing={drawing}>
            <CrosshairLayer chart={spec.id} title={spec.title} plot={plot} drawing={drawing} />
          </Plot>
        )}
        <figcaption className="visually-hidden">{summaryText(spec.title, plot, drawing)}</figcaption>
      </figure>
      <footer className={card.foot}>
        {assays.map((assay, index) => (
          <Link
            key={assay}
            className={card.assay}
            to={addressOfAssay(search, assay)}
            preventScrollReset
            data-screen
          >
            {assays.length === 1
              ? 'Assay this chart'
              : `Assay ${plot.lines.find(line => line.assay === assay)?.label ?? index}`}
          </Link>
        ))}
        <span>{spanText(plot)}</span>
        <span>{coverageText(plot)}</span>
        {missing.length > 0 && (
          <span className={styles.note}>
            Not drawn, because nothing is known in this range: {missing.join(', ')}.
          </span>
        )}
        {spec.note && <span className={styles.note}>{spec.note}</span>}
      </footer>
    </section>
  )
}

/** Height for the drawing while its card fills the screen. */
function useFullScreenHeight(section: RefObject<HTMLElement | null>): number | undefined {
  const [height, setHeight] = useState<number>()
  useEffect(() => {
    const handleChange = () => {
      const isFull = section.current !== null && document.fullscreenElement === section.current
      setHeight(isFull ? Math.max(HEIGHT, window.innerHeight - FULL_SCREEN_FRAME) : undefined)
    }
    document.addEventListener('fullscreenchange', handleChange)
    return () => document.removeEventListener('fullscreenchange', handleChange)
  }, [section])
  return height
}

const MODE_WORD: Record<ChartView['mode'], string> = {
  absolute: '',
  indexed: 'first value = 100',
  share: 'share of the total',
}

type OptionsProps = { spec: ShownChart; view: ChartView; lineCount: number; search: string }

/** Scale, mode and grain: links, so that each state has an address and no script is needed. */
function Options({ spec, view, lineCount, search }: OptionsProps) {
  const to = (field: string, value: string, first: string) =>
    addressWith(search, { [`${spec.id}.${field}`]: value === first ? undefined : value })
  const firstScale = spec.defaults?.scale ?? 'linear'
  const firstMode = spec.defaults?.mode ?? 'absolute'
  const isStacked = spec.kind === 'stacked'
  const modes = isStacked ? (['absolute', 'share'] as const) : (['absolute', 'indexed'] as const)
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
        {!isStacked && (
          <Row name="Scale">
            <Segmented
              label={`${spec.title}: scale`}
              current={view.scale}
              choices={[
                { value: 'linear', label: 'Linear', to: to('scale', 'linear', firstScale) },
                { value: 'log', label: 'Log', to: to('scale', 'log', firstScale) },
              ]}
            />
          </Row>
        )}
        {(lineCount > 1 || !isStacked) && (
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
      </div>
    </details>
  )
}

const MODE_LABEL = { absolute: 'Absolute', indexed: 'Indexed', share: 'Share' } as const

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.row}>
      <span>{name}</span>
      {children}
    </div>
  )
}
