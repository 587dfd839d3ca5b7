import { type CSSProperties, type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import crosshair from '../../../../blocks/chart/CrosshairLayer.module.css'

/** Where something is: a share of the width and, where its height matters too, px from the top. */
export type ReadPlace = { left: number; top?: number }
export type ReadWords = { title: string; rows: readonly { label: string; colour?: string; text: string }[] }

type Props = {
  label: string
  height: number
  places: readonly ReadPlace[]
  words: (index: number) => ReadWords
  /** How many places an arrow up or down moves. */
  down?: number
}

/** Over a drawing: pointer, touch and arrow keys read it place by place. */
export function Reader({ label, height, places, words, down = 1 }: Props) {
  const [index, setIndex] = useState<number>()
  const ground = useRef<HTMLDivElement>(null)
  const at = index === undefined ? undefined : Math.min(index, places.length - 1)
  const place = at === undefined ? undefined : places[at]
  const handlePoint = (event: PointerEvent) => {
    const box = ground.current?.getBoundingClientRect()
    if (box && box.width > 0)
      setIndex(nearest(places, (event.clientX - box.left) / box.width, event.clientY - box.top, box.width))
  }
  const handleKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return setIndex(undefined)
    if (down === 1 || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    const next = (at ?? 0) + (event.key === 'ArrowUp' ? -down : down)
    if (next >= 0 && next < places.length) setIndex(next)
  }
  if (places.length === 0) return null
  const found = at === undefined ? undefined : words(at)
  const isRight = (place?.left ?? 0) > 0.55
  return (
    <>
      {place && (
        <div
          className={crosshair.line}
          style={{ insetInlineStart: percent(place.left), blockSize: height }}
        />
      )}
      {place && found && (
        <div
          className={isRight ? `${crosshair.words} ${crosshair.toLeft}` : crosshair.words}
          style={{ '--x': percent(place.left) } as CSSProperties}
        >
          <p className={crosshair.when}>{found.title}</p>
          <ul>
            {found.rows.map(row => (
              <li key={row.label}>
                {row.colour && <i style={{ background: `var(--${row.colour})` }} />}
                <span>{row.label}</span>
                <b>{row.text}</b>
              </li>
            ))}
          </ul>
        </div>
      )}
      <div
        ref={ground}
        className={crosshair.hit}
        style={{ blockSize: height }}
        onPointerMove={handlePoint}
        onPointerDown={handlePoint}
        onPointerLeave={event => event.pointerType === 'mouse' && setIndex(undefined)}
      />
      <input
        type="range"
        className={crosshair.slider}
        style={{ blockSize: height }}
        min={0}
        max={places.length - 1}
        value={at ?? 0}
        aria-label={label}
        aria-valuetext={spoken(words(at ?? 0))}
        onChange={event => setIndex(Number(event.target.value))}
        onKeyDown={handleKey}
        onFocus={() => setIndex(at ?? 0)}
        onBlur={() => setIndex(undefined)}
      />
    </>
  )
}

const percent = (share: number): string => `${(share * 100).toFixed(2)}%`
const spoken = ({ title, rows }: ReadWords): string =>
  [title, ...rows.map(({ label, text }) => `${label} ${text}`)].join(', ')

/** The place nearest to a point. */
function nearest(places: readonly ReadPlace[], left: number, top: number, width: number): number {
  let best = 0
  let least = Number.POSITIVE_INFINITY
  places.forEach((place, index) => {
    const distance = Math.hypot((place.left - left) * width, place.top === undefined ? 0 : place.top - top)
    if (distance >= least) return
    best = index
    least = distance
  })
  return best
}
