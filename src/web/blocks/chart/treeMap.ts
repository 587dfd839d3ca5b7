import { figureText, percentText } from '../../format/figure.ts'
import { boxPath, type Scene, type SceneText, TIER_NUMBERS, TIERS } from './scene.ts'
import { WIDTH } from './shape.ts'
import type { WholeData } from './wholeData.ts'

export type Tile = { x: number; y: number; width: number; height: number }

/**
 * Areas in proportion to values, as near to squares as they come (Bruls, Huizing, van Wijk, "Squarified treemaps", 2000).
 * @param values above zero, the largest first
 * @returns one tile a value, in the same order, which together fill the room
 */
export function squarified(values: readonly number[], room: Tile): Tile[] {
  const total = values.reduce((sum, value) => sum + value, 0)
  if (!(total > 0)) return []
  const areas = values.map(value => (value / total) * room.width * room.height)
  // Sums from the smallest up: what is left is never found by taking away, which would lose small tiles beside huge ones.
  const left = [0]
  for (const area of areas.toReversed()) left.push((left.at(-1) ?? 0) + area)
  left.reverse()
  const tiles: Tile[] = []
  let rest = { ...room }
  for (let start = 0; start < areas.length; ) {
    const side = Math.min(rest.width, rest.height)
    let end = start + 1
    while (
      end < areas.length &&
      worst(areas.slice(start, end + 1), side) <= worst(areas.slice(start, end), side)
    )
      end += 1
    const row = areas.slice(start, end)
    const part = end === areas.length ? 1 : row.reduce((all, area) => all + area, 0) / (left[start] ?? 1)
    if (rest.width >= rest.height) {
      const width = rest.width * part
      tiles.push(
        ...laid(row, rest.height).map(([at, size]) => ({ x: rest.x, y: rest.y + at, width, height: size })),
      )
      rest = { ...rest, x: rest.x + width, width: rest.width - width }
    } else {
      const height = rest.height * part
      tiles.push(
        ...laid(row, rest.width).map(([at, size]) => ({ x: rest.x + at, y: rest.y, width: size, height })),
      )
      rest = { ...rest, y: rest.y + height, height: rest.height - height }
    }
    start = end
  }
  return tiles
}

/** The least square of a row’s tiles: its longer side to its shorter one. */
function worst(row: readonly number[], side: number): number {
  const sum = row.reduce((all, area) => all + area, 0)
  const depth = sum / side
  return Math.max(...row.map(area => Math.max(depth / (area / depth), area / depth / depth)))
}

/** Places and sizes of a row along a side. */
function laid(row: readonly number[], side: number): [at: number, size: number][] {
  const sum = row.reduce((all, area) => all + area, 0)
  let at = 0
  return row.map(area => {
    const size = (area / sum) * side
    const place: [number, number] = [at, size]
    at += size
    return place
  })
}

/** The width that tiles are laid out for: between a phone’s and a wide card’s. */
const NOMINAL_WIDTH = 640
const LINE = 17
/** Tiles narrower than this carry no name, px. */
const LEAST_NAMED = 48

/** Parts of a whole as areas, the largest at the left. */
export function treeScene(data: WholeData, height: number): Scene {
  const total = data.parts.reduce((sum, { value }) => sum + value, 0)
  const room = { x: 0, y: 0, width: NOMINAL_WIDTH, height }
  const tiles = squarified(
    data.parts.map(({ value }) => value),
    room,
  )
  const placed = data.parts.map((part, index) => {
    const tile = tiles[index] ?? { x: 0, y: 0, width: 0, height: 0 }
    return { part, box: { ...tile, x: tile.x / NOMINAL_WIDTH, width: tile.width / NOMINAL_WIDTH } }
  })
  return {
    height,
    gutter: 0,
    grounds: placed.map(({ part, box }) => ({
      key: part.key,
      path: boxPath(
        box.x * WIDTH + 1,
        box.y + 1,
        Math.max(0, box.width * WIDTH - 2),
        Math.max(0, box.height - 2),
      ),
      colour: part.colour,
      depth: 1,
      look: 'hollow',
    })),
    dots: [],
    texts: placed.flatMap(({ part, box }): SceneText[] => {
      const lines = [part.label, percentText(part.value / total)]
      const from = TIER_NUMBERS.find(tier => box.width * TIERS[tier] >= LEAST_NAMED)
      return lines.flatMap((text, line): SceneText[] => {
        if (from === undefined || box.height < LINE * (line + 1) + 8) return []
        return [
          {
            key: `${part.key}-${line}`,
            x: box.x,
            y: box.y + 14 + line * LINE,
            text,
            anchor: 'start',
            look: line === 0 ? 'strong' : 'plain',
            shift: 8,
            from,
            // A name that is longer than its tile ends in dots.
            room: box.width,
          },
        ]
      })
    }),
    sides: [],
    feet: [],
    rules: { ys: [], xs: [] },
    marks: placed.map(({ part, box }) => ({
      key: part.key,
      ...box,
      say: () => ({
        title: part.label,
        rows: [
          { label: data.span, value: figureText(part.value, data.unit).text },
          { label: 'of the whole', value: percentText(part.value / total) },
        ],
      }),
      assay: part.assay,
      day: data.to,
    })),
  }
}
