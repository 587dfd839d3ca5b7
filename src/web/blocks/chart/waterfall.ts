import { figureText, percentText, tickTexts } from '../../format/figure.ts'
import { linearScale } from './scale.ts'
import { boxPath, type Scene, textWidth } from './scene.ts'
import { WIDTH } from './shape.ts'
import type { WholeData } from './wholeData.ts'

const GUTTER = 118
/** Free room above and under a bar, as a share of its row. */
const INSET = 0.2
/** Least and most room for the words at the right of the longest bar, as a share of the width. */
const [LEAST_ROOM, MOST_ROOM] = [0.23, 0.4]
/** Width of the ground on a phone, px. */
const NARROW = 210
/** From a bar to its words, px. */
const SHIFT = 6
/** A step that is too small to be seen is a hairline, as a share of the width. */
const LEAST = 0.002

/**
 * A row for each step, from where the one before ended to where it leads, and a last one for what is left.
 * @param end what the last row is called
 */
export function waterfallScene(data: WholeData, height: number, end: string): Scene {
  let sum = 0
  const steps = data.parts.map(part => {
    const from = sum
    sum += part.value
    return { part, from, to: sum }
  })
  const words = [...data.parts.map(({ value }) => value), sum].map(
    value => figureText(value, data.unit).number,
  )
  const room = Math.min(
    MOST_ROOM,
    Math.max(LEAST_ROOM, ...words.map(text => (textWidth(text) + 2 * SHIFT) / NARROW)),
  )
  const low = Math.min(0, ...steps.map(({ to }) => to))
  const high = Math.max(0, ...steps.map(({ to }) => to))
  const scale = linearScale(low, (high - room * low) / (1 - room), true)
  const first = data.parts[0]?.value ?? 0
  const rows = [
    ...steps.map(({ part, from, to }, index) => ({
      key: part.key,
      label: part.label,
      from,
      to,
      value: part.value,
      colour: index === 0 ? 'ink-2' : part.value < 0 ? 'down' : 'up',
      assay: part.assay,
    })),
    {
      key: 'end',
      label: end,
      from: 0,
      to: sum,
      value: sum,
      colour: 'series-1',
      assay: data.parts[0]?.assay ?? '',
    },
  ]
  const tall = height / rows.length
  const placed = rows.map((row, index) => {
    const [left, right] = [scale.at(Math.min(row.from, row.to)), scale.at(Math.max(row.from, row.to))]
    const box = {
      x: left,
      y: (index + INSET) * tall,
      width: Math.max(LEAST, right - left),
      height: tall * (1 - 2 * INSET),
    }
    return { row, box, index }
  })
  const ticks = tickTexts(scale.ticks, data.unit)
  return {
    height,
    gutter: GUTTER,
    grounds: placed.map(({ row, box }) => ({
      key: row.key,
      path: boxPath(box.x * WIDTH, box.y, box.width * WIDTH, box.height),
      colour: row.colour,
      depth: 0.88,
      look: 'fill',
    })),
    dots: [],
    texts: placed.map(({ row, box }) => ({
      key: row.key,
      x: box.x + box.width,
      y: box.y + box.height / 2,
      text: figureText(row.value, data.unit).number,
      anchor: 'start',
      look: 'plain',
      shift: SHIFT,
    })),
    sides: placed.map(({ row, index }) => ({ y: (index + 0.5) * tall, text: row.label })),
    feet: scale.ticks.map((tick, index) => ({
      x: scale.at(tick),
      text: ticks[index] ?? '',
      isLast: scale.at(tick) > 0.96,
      isMinor: index % 2 === 1,
    })),
    rules: { ys: [], xs: scale.ticks.map(tick => scale.at(tick)) },
    marks: placed.map(({ row, box }) => ({
      key: row.key,
      ...box,
      say: () => ({
        title: row.label,
        rows: [
          { label: data.span, value: figureText(row.value, data.unit).text },
          { label: 'of the first', value: percentText(row.value / first) },
        ],
      }),
      assay: row.assay,
      day: data.to,
    })),
  }
}
