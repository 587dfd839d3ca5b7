import { createScrollMap, type ScrollMap, type ScrollPlace, scrolled } from './scrollMap.ts'
import { columnsInView } from './widths.ts'

/** Height of a row, px, as the style sheet has it. */
export const ROW = 30
/** Rows are drawn in steps, so that most frames of a scroll draw nothing new. */
const STEP = 8

/** What of a grid is drawn. */
export type Drawn = {
  /** First row, and the one behind the last. */
  from: number
  to: number
  fromColumn: number
  toColumn: number
  /** Px between where a row stands in the whole table and where it stands in the scrolled element. */
  shift: number
  /** Height of the scrolled element. */
  height: number
}

export type Geometry = {
  rowCount: number
  offsets: readonly number[]
  /** Px of the view that the header and the row numbers cover. */
  headHeight: number
  numberWidth: number
}

const NOTHING: Drawn = { from: 0, to: 0, fromColumn: 0, toColumn: 0, shift: 0, height: 0 }

/** Follows the scroll position of a grid and says which cells to draw. */
export type Viewport = {
  subscribe(listener: () => void): () => void
  drawn(): Drawn
  /** Rows that fit below the header. */
  rowsInView(): number
  /** First row in view, and whether the reader moves upward. */
  place(): { first: number; isUpward: boolean }
  setGeometry(geometry: Geometry): void
  attach(element: HTMLElement): () => void
  /** Scrolls as little as needed to show a cell; row −1 is the header. */
  reveal(row: number, column: number): void
  toTop(): void
}

export function createViewport(): Viewport {
  const listeners = new Set<() => void>()
  let element: HTMLElement | undefined
  let geometry: Geometry = { rowCount: 0, offsets: [0], headHeight: 0, numberWidth: 0 }
  let map: ScrollMap = createScrollMap(0, 0)
  let view = { width: 0, height: 0 }
  let place: ScrollPlace = { physical: 0, virtual: 0 }
  let isUpward = false
  let drawn = NOTHING

  const rowsHeight = () => Math.max(ROW, view.height - geometry.headHeight)
  const update = () => {
    const { rowCount, offsets, numberWidth } = geometry
    const first = Math.floor(place.virtual / ROW)
    const step = Math.floor(first / STEP) * STEP
    const columns = columnsInView(offsets, element?.scrollLeft ?? 0, Math.max(0, view.width - numberWidth))
    const next: Drawn = {
      from: Math.max(0, step - STEP),
      to: Math.min(rowCount, step + Math.ceil(rowsHeight() / ROW) + 2 * STEP),
      fromColumn: columns.from,
      toColumn: columns.to,
      shift: Math.round(place.physical - place.virtual),
      height: map.height,
    }
    if ((Object.keys(next) as (keyof Drawn)[]).every(key => next[key] === drawn[key])) return
    drawn = next
    for (const listener of listeners) listener()
  }
  const measure = () => {
    view = { width: element?.clientWidth ?? 0, height: element?.clientHeight ?? 0 }
    map = createScrollMap(geometry.rowCount * ROW, rowsHeight())
    place = { ...place, virtual: Math.min(place.virtual, map.virtualEnd) }
    update()
  }
  const moveTo = (virtual: number) => {
    const target = Math.min(map.virtualEnd, Math.max(0, virtual))
    isUpward = target < place.virtual
    place = { physical: Math.round(map.toPhysical(target)), virtual: target }
    // The rows move first: otherwise the browser would paint the old ones once at the new place.
    update()
    if (element) element.scrollTop = place.physical
  }
  const handleScroll = () => {
    if (!element) return
    const physical = element.scrollTop
    // A position that was set comes back in fractions of a pixel.
    if (Math.abs(physical - place.physical) >= 1) {
      const next = scrolled(map, place, physical, rowsHeight())
      isUpward = next.virtual < place.virtual
      place = next
    }
    update()
  }
  // At rest the scroll bar goes to where the map has it, so that its thumb says the truth and both ends stay in reach.
  const handleScrollEnd = () => {
    if (Math.abs(map.toPhysical(place.virtual) - place.physical) >= 1) moveTo(place.virtual)
  }
  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    drawn: () => drawn,
    rowsInView: () => Math.max(1, Math.floor(rowsHeight() / ROW)),
    place: () => ({ first: Math.floor(place.virtual / ROW), isUpward }),
    setGeometry(next) {
      geometry = next
      measure()
    },
    attach(found) {
      element = found
      const sized = new ResizeObserver(measure)
      sized.observe(found)
      found.addEventListener('scroll', handleScroll, { passive: true })
      found.addEventListener('scrollend', handleScrollEnd, { passive: true })
      measure()
      return () => {
        sized.disconnect()
        found.removeEventListener('scroll', handleScroll)
        found.removeEventListener('scrollend', handleScrollEnd)
        element = undefined
      }
    },
    reveal(row, column) {
      if (!element) return
      const top = row * ROW
      const bottom = top + ROW - rowsHeight()
      if (row >= 0 && top < place.virtual) moveTo(top)
      else if (row >= 0 && bottom > place.virtual) moveTo(bottom)
      const { offsets, numberWidth } = geometry
      const [left = 0, right = 0] = [offsets[column], offsets[column + 1]]
      const width = view.width - numberWidth
      if (left < element.scrollLeft) element.scrollLeft = left
      else if (right > element.scrollLeft + width) element.scrollLeft = Math.min(left, right - width)
    },
    toTop: () => moveTo(0),
  }
}
