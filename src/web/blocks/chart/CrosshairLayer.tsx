import { type CSSProperties, type PointerEvent, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { figureText } from '../../format/figure.ts'
import { useHydrated } from '../../ui/useHydrated.ts'
import { addressWith } from '../view.ts'
import styles from './CrosshairLayer.module.css'
import { useCrosshair } from './crosshair.ts'
import type { Drawing } from './drawing.ts'
import { bucketDay, bucketIndex, bucketText, type PlotData, type PlotLine } from './plotData.ts'
import { unknownParts } from './summary.ts'

type Props = { chart: string; title: string; plot: PlotData; drawing: Drawing }

/** Over the drawing: pointer, touch and arrow keys read it bucket by bucket; a drag takes a closer range. */
export function CrosshairLayer({ chart, title, plot, drawing }: Props) {
  const { crosshair, day, chart: activeChart } = useCrosshair()
  const [dragFrom, setDragFrom] = useState<number>()
  const ground = useRef<HTMLDivElement>(null)
  const navigate = useNavigate()
  const { search } = useLocation()
  const isHydrated = useHydrated()

  const index = day === undefined ? -1 : bucketIndex(plot, day)
  const isHere = index >= 0 && index < plot.count && !drawing.isEmpty
  const isActive = activeChart === chart

  const indexAt = (event: PointerEvent): number => {
    const box = ground.current?.getBoundingClientRect()
    if (!box || box.width === 0) return 0
    const share = (event.clientX - box.left) / box.width
    const usesSlots = drawing.left(0) > 0
    return Math.min(
      plot.count - 1,
      Math.max(0, usesSlots ? Math.floor(share * plot.count) : Math.round(share * (plot.count - 1))),
    )
  }
  const handleMove = (event: PointerEvent) => crosshair.move(bucketDay(plot, indexAt(event)), chart)
  const handleBlur = () => {
    crosshair.move(undefined, undefined)
    setDragFrom(undefined)
  }
  // A finger that is lifted leaves its words standing; a mouse that goes takes them along.
  const handleLeave = (event: PointerEvent) => {
    if (event.pointerType === 'mouse') handleBlur()
  }
  const handleDown = (event: PointerEvent) => {
    if (event.pointerType !== 'mouse') handleMove(event)
    else if (event.button === 0) setDragFrom(indexAt(event))
  }
  const handleUp = (event: PointerEvent) => {
    const start = dragFrom
    setDragFrom(undefined)
    if (start === undefined) return
    const [first = 0, last = 0] = [start, indexAt(event)].sort((a, b) => a - b)
    if (last - first < 2) return
    const changes = { from: bucketDay(plot, first), to: bucketDay(plot, last), range: undefined }
    navigate(addressWith(search, changes), { preventScrollReset: true })
  }

  useEffect(() => {
    if (!isActive) return
    const handlePress = (event: Event) => {
      if (!(event.target instanceof Node && ground.current?.contains(event.target)))
        crosshair.move(undefined, undefined)
    }
    document.addEventListener('pointerdown', handlePress)
    return () => document.removeEventListener('pointerdown', handlePress)
  }, [isActive, crosshair])

  const percent = (share: number) => `${(share * 100).toFixed(2)}%`
  return (
    <>
      {isHere && (
        <div
          className={styles.line}
          style={{ insetInlineStart: percent(drawing.left(index)), blockSize: drawing.height }}
        />
      )}
      {isHere && isActive && <Words plot={plot} drawing={drawing} index={index} />}
      {dragFrom !== undefined && isHere && dragFrom !== index && (
        <div
          className={styles.drag}
          style={{
            insetInlineStart: percent(drawing.left(Math.min(dragFrom, index))),
            inlineSize: percent(Math.abs(drawing.left(index) - drawing.left(dragFrom))),
            blockSize: drawing.height,
          }}
        />
      )}
      <div
        ref={ground}
        className={styles.hit}
        style={{ blockSize: drawing.height }}
        onPointerMove={handleMove}
        onPointerDown={handleDown}
        onPointerUp={handleUp}
        onPointerLeave={handleLeave}
      />
      {isHydrated && !drawing.isEmpty && (
        <input
          type="range"
          className={styles.slider}
          style={{ blockSize: drawing.height }}
          min={0}
          max={plot.count - 1}
          value={isHere ? index : plot.count - 1}
          aria-label={`${title}: move through time`}
          aria-valuetext={spoken(plot, drawing, isHere ? index : plot.count - 1)}
          onChange={event => crosshair.move(bucketDay(plot, Number(event.target.value)), chart)}
          onFocus={event => crosshair.move(bucketDay(plot, Number(event.target.value)), chart)}
          onBlur={handleBlur}
        />
      )}
    </>
  )
}

function Words({ plot, drawing, index }: { plot: PlotData; drawing: Drawing; index: number }) {
  const isRight = drawing.left(index) > 0.55
  const missing = drawing.isStacked ? unknownParts(drawing.shown, index) : []
  // The style sheet places them beside the line, or, where it is narrow, within the drawing.
  const place = { '--x': `${(drawing.left(index) * 100).toFixed(2)}%` } as CSSProperties
  return (
    <div
      className={isRight ? `${styles.words} ${styles.toLeft}` : styles.words}
      style={place}
      data-crosshair-words
    >
      <p className={styles.when}>{bucketText(plot, index)}</p>
      <ul>
        {drawing.shown
          .flatMap(line =>
            readingsOf(line, index, drawing.unit).map(({ label, text }) => (
              <li key={`${line.key}:${label}`}>
                <i style={{ background: `var(--${line.colour})` }} />
                <span>{label}</span>
                <b>{text}</b>
              </li>
            )),
          )
          .reverse()}
      </ul>
      {drawing.flags
        .filter(flag => bucketIndex(plot, flag.day) === index)
        .map(flag => (
          <p key={flag.day + flag.label} className={styles.event}>
            {flag.label}: {flag.note}
          </p>
        ))}
      {missing.length > 0 && <p className={styles.note}>Unknown: {missing.join(', ')}</p>}
      {partialNotes(plot, drawing, index).map(note => (
        <p key={note} className={styles.note}>
          {note}
        </p>
      ))}
    </div>
  )
}

/** Why the values of a bucket are not those of a whole one. */
const partialNotes = (plot: PlotData, { shown }: Drawing, index: number): string[] =>
  plot.isPartial && index === plot.count - 1
    ? ['not over yet']
    : shown.some(line => line.incomplete.includes(index))
      ? ['partial data']
      : []

/** What a line says of a bucket, and what happened on it there. */
const readingsOf = ({ label, values, sized }: PlotLine, index: number, unit: string) => [
  { label, text: figureText(values[index], unit).text },
  ...(typeof sized?.values[index] === 'number'
    ? [{ label: sized.label, text: figureText(sized.values[index], sized.unit).text }]
    : []),
]

const spoken = (plot: PlotData, drawing: Drawing, index: number): string =>
  [
    bucketText(plot, index),
    ...drawing.flags.filter(flag => bucketIndex(plot, flag.day) === index).map(flag => flag.label),
    ...drawing.shown.flatMap(line =>
      readingsOf(line, index, drawing.unit).map(({ label, text }) => `${label} ${text}`),
    ),
    ...partialNotes(plot, drawing, index),
  ].join(', ')
