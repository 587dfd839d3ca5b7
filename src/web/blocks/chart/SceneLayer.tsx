import {
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  useContext,
  useRef,
  useState,
} from 'react'
import { useNavigate } from 'react-router'
import { useHydrated } from '../../ui/useHydrated.ts'
import crosshairStyles from './CrosshairLayer.module.css'
import { useCrosshair } from './crosshair.ts'
import { EmbedContext, useAssayAddress } from './embed.tsx'
import styles from './SceneLayer.module.css'
import { type Box, markAt, markTowards, type Scene, type SceneMark, spokenMark } from './scene.ts'

type Props = {
  chart: string
  title: string
  scene: Scene
  /** Where a day is that another chart of the page points at. */
  boxOfDay?: (day: string) => Box | undefined
}

/** How far from a mark a pointer still means it, px. */
const REACH = 24
const DIRECTIONS = { ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down' } as const

/** Over a scene: pointer, touch and arrow keys read it mark by mark; a click or Enter opens the assay view of one. */
export function SceneLayer({ chart, title, scene, boxOfDay }: Props) {
  const { marks, height } = scene
  const [own, setOwn] = useState(-1)
  const { crosshair, day, chart: activeChart } = useCrosshair()
  const navigate = useNavigate()
  const address = useAssayAddress()
  const isFramed = useContext(EmbedContext) !== undefined
  const isHydrated = useHydrated()
  const ground = useRef<HTMLDivElement>(null)
  const mark = marks[own]
  const ring = mark ?? (day !== undefined && activeChart !== chart ? boxOfDay?.(day) : undefined)

  const moveTo = (index: number) => {
    setOwn(index)
    const day = marks[index]?.day
    if (boxOfDay) crosshair.move(day, day && chart)
  }
  const handleLeave = () => moveTo(-1)
  const pointedAt = (event: PointerEvent): number => {
    const box = ground.current?.getBoundingClientRect()
    if (!box || box.width === 0) return -1
    const place = { x: (event.clientX - box.left) / box.width, y: event.clientY - box.top, width: box.width }
    return markAt(marks, place, REACH)
  }
  const open = (index: number) => {
    const { assay, day } = marks[index] ?? {}
    if (!assay) return
    if (isFramed) window.open(address(assay, day), '_blank', 'noopener')
    else navigate(address(assay, day), { preventScrollReset: true })
  }
  const handleUp = (event: PointerEvent) => {
    const index = pointedAt(event)
    // A finger reads first; it opens what it touches again.
    if (event.pointerType === 'mouse' ? event.button === 0 : index === own) open(index)
    else moveTo(index)
  }
  const handleKey = (event: KeyboardEvent<HTMLInputElement>) => {
    const current = Math.max(0, own)
    if (event.key === 'Enter') open(current)
    else if (event.key in DIRECTIONS)
      moveTo(markTowards(marks, current, DIRECTIONS[event.key as keyof typeof DIRECTIONS]))
    else if (event.key === 'Escape') moveTo(-1)
    else return
    event.preventDefault()
  }
  if (marks.length === 0) return null
  return (
    <>
      {ring && (
        <div
          className={styles.ring}
          style={{
            insetInlineStart: `${(ring.x * 100).toFixed(2)}%`,
            insetBlockStart: ring.y,
            inlineSize: `${(ring.width * 100).toFixed(2)}%`,
            blockSize: ring.height,
          }}
        />
      )}
      {mark && <Words mark={mark} height={height} />}
      <div
        ref={ground}
        className={styles.hit}
        style={{ blockSize: height }}
        onPointerMove={event => event.pointerType === 'mouse' && moveTo(pointedAt(event))}
        onPointerUp={handleUp}
        onPointerLeave={event => event.pointerType === 'mouse' && handleLeave()}
      />
      {isHydrated && (
        <input
          type="range"
          className={crosshairStyles.slider}
          style={{ blockSize: height }}
          min={0}
          max={marks.length - 1}
          value={Math.max(0, own)}
          aria-label={`${title}: move from mark to mark, Enter opens the assay view`}
          aria-valuetext={spoken(marks[Math.max(0, own)])}
          onChange={event => moveTo(Number(event.target.value))}
          onKeyDown={handleKey}
          onFocus={() => own < 0 && moveTo(0)}
          onBlur={handleLeave}
        />
      )}
    </>
  )
}

function Words({ mark, height }: { mark: SceneMark; height: number }) {
  const isRight = mark.x + mark.width / 2 > 0.55
  const edge = isRight ? mark.x : mark.x + mark.width
  const place = {
    '--x': `${(edge * 100).toFixed(2)}%`,
    insetBlockStart: Math.max(0, Math.min(mark.y, height - 60)),
  } as CSSProperties
  const { words, toLeft, when } = crosshairStyles
  const { title, rows } = mark.say()
  return (
    <div className={isRight ? `${words} ${toLeft}` : words} style={place} data-mark-words>
      <p className={when}>{title}</p>
      <ul>
        {rows.map(row => (
          <li key={row.label}>
            <span>{row.label}</span>
            <b>{row.value}</b>
          </li>
        ))}
      </ul>
    </div>
  )
}

const spoken = (mark: SceneMark | undefined): string => (mark ? spokenMark(mark.say()) : '')
