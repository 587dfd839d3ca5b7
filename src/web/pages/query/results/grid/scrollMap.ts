/** Tallest element that every browser lays out exactly, px. Chromium stops at 33.5M, Firefox at 17.9M. */
export const TALLEST = 8_000_000
/** Beside both ends a pixel of scrolling is a pixel of rows, however long the table is. */
const EXACT = 500_000

/**
 * Maps where the scroll bar stands (`physical`, px) to where the rows stand (`virtual`, px), and back. Identical for tables that
 * fit the tallest element. Longer ones are exact near both ends and compressed between.
 */
export type ScrollMap = {
  /** Height of the element that is scrolled. */
  height: number
  /** Largest scroll positions. */
  physicalEnd: number
  virtualEnd: number
  toVirtual(physical: number): number
  toPhysical(virtual: number): number
}

export function createScrollMap(total: number, view: number): ScrollMap {
  const height = Math.min(total, TALLEST)
  const physicalEnd = Math.max(0, height - view)
  const virtualEnd = Math.max(0, total - view)
  const within = (value: number, end: number) => Math.min(end, Math.max(0, value))
  if (physicalEnd === virtualEnd)
    return {
      height,
      physicalEnd,
      virtualEnd,
      toVirtual: physical => within(physical, virtualEnd),
      toPhysical: virtual => within(virtual, physicalEnd),
    }
  const exact = Math.min(EXACT, physicalEnd / 4)
  const ratio = (virtualEnd - 2 * exact) / (physicalEnd - 2 * exact)
  return {
    height,
    physicalEnd,
    virtualEnd,
    toVirtual(physical) {
      if (physical <= exact) return within(physical, virtualEnd)
      if (physical >= physicalEnd - exact) return within(virtualEnd - (physicalEnd - physical), virtualEnd)
      return exact + (physical - exact) * ratio
    },
    toPhysical(virtual) {
      if (virtual <= exact) return within(virtual, physicalEnd)
      if (virtual >= virtualEnd - exact) return within(physicalEnd - (virtualEnd - virtual), physicalEnd)
      return exact + (virtual - exact) / ratio
    },
  }
}

/** A jump by more views than this is one of the scroll bar's thumb; less is a wheel, a finger or a key. */
const JUMP_VIEWS = 4

export type ScrollPlace = { physical: number; virtual: number }

/** Where the rows stand after the scroll bar moved: pixel by pixel for short ways, by the map for long ones. */
export function scrolled(map: ScrollMap, place: ScrollPlace, physical: number, view: number): ScrollPlace {
  const way = physical - place.physical
  if (physical <= 0) return { physical, virtual: 0 }
  if (physical >= map.physicalEnd) return { physical, virtual: map.virtualEnd }
  if (Math.abs(way) > JUMP_VIEWS * view) return { physical, virtual: map.toVirtual(physical) }
  return { physical, virtual: Math.min(map.virtualEnd, Math.max(0, place.virtual + way)) }
}
