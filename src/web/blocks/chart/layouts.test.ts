/** Treemaps and flow charts would misstate sizes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { calendarScene } from './calendar.ts'
import { DEPTHS, depthScale, endTexts } from './depth.ts'
import { entityColours } from './entityColour.ts'
import { heatScene } from './heat.ts'
import type { PlotData } from './plotData.ts'
import { type SankeyLayout, sankeyLayout } from './sankey.ts'
import { scatterScene } from './scatter.ts'
import type { ScatterData } from './scatterData.ts'
import { markAt, markTowards, type SceneText, TIERS, textWidth } from './scene.ts'
import { squarified, type Tile } from './treeMap.ts'
import type { WholePart } from './wholeData.ts'

const near = (a: number, b: number, size = Math.max(Math.abs(a), Math.abs(b), 1)) =>
  Math.abs(a - b) <= size * 1e-6

const ROOM: Tile = { x: 0, y: 0, width: 640, height: 300 }
const share = (a: Tile, b: Tile) =>
  Math.max(0, Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)) *
  Math.max(0, Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y))

test('tiles have areas in proportion, fill the room, stay in it and lie on no other', () => {
  const values = fc.array(fc.double({ min: 1e-3, max: 1e15, noNaN: true }), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(values, given => {
      const sorted = given.toSorted((a, b) => b - a)
      const total = sorted.reduce((sum, value) => sum + value, 0)
      const tiles = squarified(sorted, ROOM)
      assert.equal(tiles.length, sorted.length)
      for (const [index, tile] of tiles.entries()) {
        const area = ((sorted[index] ?? 0) / total) * ROOM.width * ROOM.height
        assert.ok(near(tile.width * tile.height, area, ROOM.width * ROOM.height), `area of ${index}`)
        assert.ok(tile.x >= -1e-6 && tile.x + tile.width <= ROOM.width + 1e-6)
        assert.ok(tile.y >= -1e-6 && tile.y + tile.height <= ROOM.height + 1e-6)
        for (const other of tiles.slice(index + 1)) assert.ok(share(tile, other) < 1e-3)
      }
    }),
  )
})

test('no parts, or parts of nothing, are no tiles; one part is the whole room', () => {
  assert.deepEqual(squarified([], ROOM), [])
  assert.deepEqual(squarified([0, 0], ROOM), [])
  assert.deepEqual(squarified([7], ROOM), [ROOM])
})

const flow = (from: string, to: string, value: number): WholePart => ({
  key: `${from}>${to}`,
  label: from,
  colour: 'series-2',
  value,
  assay: 'a@b',
  flow: { from, to },
})

const isSound = ({ nodes, links }: SankeyLayout, height: number) => {
  for (const node of nodes) {
    assert.ok(node.y >= -1e-6 && node.y + node.height <= height + 1e-6, `${node.name} leaves the ground`)
    for (const other of nodes)
      if (other !== node && other.column === node.column)
        assert.ok(
          other.y >= node.y + node.height - 1e-6 || node.y >= other.y + other.height - 1e-6,
          `${node.name} lies on ${other.name}`,
        )
    for (const [end, y] of [
      ['from', 'y0'],
      ['to', 'y1'],
    ] as const) {
      const own = links.filter(link => link[end] === node)
      const sum = own.reduce((all, link) => all + link.height, 0)
      assert.ok(sum <= node.height + 1e-6, `more leaves or reaches ${node.name} than it is high`)
      for (const link of own) assert.ok(link[y] >= node.y - 1e-6)
    }
  }
}

test('flows of any shape, circles too, are placed within the ground, ends apart, nothing thicker than its end', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', '"><script>')
  const flows = fc.array(fc.tuple(name, name, fc.double({ min: 1e-6, max: 1e12, noNaN: true })), {
    maxLength: 24,
  })
  fc.assert(
    fc.property(flows, given => {
      const layout = sankeyLayout(
        given.map(([from, to, value]) => flow(from, to, value)),
        300,
      )
      isSound(layout, 300)
      assert.equal(layout.links.length, given.filter(([from, to]) => from !== to).length)
    }),
  )
})

test('an end stands behind all that flows into it', () => {
  const { nodes, columns } = sankeyLayout([flow('a', 'b', 3), flow('b', 'c', 2), flow('a', 'c', 1)], 100)
  assert.equal(columns, 3)
  assert.deepEqual(
    nodes.toSorted((a, b) => a.column - b.column).map(({ name, value }) => [name, value]),
    [
      ['a', 4],
      ['b', 3],
      ['c', 3],
    ],
  )
})

test('more is never drawn paler than less, on either scale, whatever the values', () => {
  const values = fc.array(fc.double({ min: -1e9, max: 1e15, noNaN: true }), { minLength: 1, maxLength: 60 })
  fc.assert(
    fc.property(values, fc.constantFrom('linear' as const, 'log' as const), (given, scale) => {
      const { step, edges } = depthScale(given, scale)
      const steps = given.toSorted((a, b) => a - b).map(step)
      assert.equal(edges.length, DEPTHS.length)
      for (const [index, one] of steps.entries()) {
        assert.ok(Number.isInteger(one) && one >= 0 && one < DEPTHS.length)
        assert.ok(one >= (steps[index - 1] ?? 0))
      }
    }),
  )
})

test('a legend of depths reads from the lowest to the highest value, however odd one day is', () => {
  const days = Array.from({ length: 300 }, (_, day) => day)
  assert.deepEqual(endTexts(depthScale(days, 'linear'), 'tx'), { low: '0', high: '247 to 299 tx' })
  assert.deepEqual(endTexts(depthScale([...days, 90_000], 'linear'), 'tx'), {
    low: '0',
    high: '248 to 90,000 tx',
  })
  assert.deepEqual(endTexts(depthScale([1, 10, 100, 1000], 'log'), 'tx'), {
    low: '1',
    high: '316 to 1,000 tx',
  })
  assert.deepEqual(endTexts(depthScale([-5, 0, 5], 'linear'), 'tx'), { low: '−5', high: '3.33 to 5 tx' })
  assert.deepEqual(endTexts(depthScale([7, 7], 'linear'), 'tx'), { low: '7', high: '7 tx' })
  assert.deepEqual(endTexts(depthScale([], 'linear'), 'tx'), { low: '0', high: '0 tx' })
})

const plotOf = (start: string, values: (number | null)[], more: Partial<PlotData> = {}): PlotData => ({
  start,
  grain: 'day',
  count: values.length,
  isPartial: false,
  lines: [{ key: 'a', label: 'A', colour: 'series-1', values, incomplete: [], assay: 'a@bitcoin' }],
  unit: 'tx',
  asOf: { time: '2026-01-31T00:00:00Z', height: 1, state: 'recorded' },
  sources: [],
  ...more,
})
const boxesIn = (paths: readonly { path: string; look: string }[]) =>
  paths.filter(({ look }) => look === 'fill').reduce((sum, { path }) => sum + path.split('M').length - 1, 0)
const OPTIONS = { height: 264, scale: 'linear', colour: 'series-1' } as const

test('a calendar has each day once, on a place of its own, known or not, over leap years and one week alike', () => {
  for (const [start, count] of [
    ['2024-01-01', 1],
    ['2023-11-27', 7],
    ['2023-12-31', 420],
    ['2019-02-28', 2600],
  ] as const) {
    const scene = calendarScene(
      plotOf(
        start,
        Array.from({ length: count }, (_, day) => (day % 5 ? day : null)),
      ),
      OPTIONS,
    )
    assert.equal(boxesIn(scene.grounds), count)
    assert.equal(new Set(scene.marks.map(({ x, y }) => `${x.toFixed(6)} ${y}`)).size, count)
    assert.ok(
      scene.marks.every(
        ({ x, y, width, height }) => x >= 0 && x + width <= 1.0001 && y + height <= scene.height,
      ),
    )
    assert.equal(scene.hasGaps, count > 0)
  }
})

test('a heat map has a cell for each row and bucket; one that is not whole does not set the depth of the others', () => {
  const lines = ['a', 'b', 'c'].map(key => ({
    key,
    label: key,
    colour: 'series-2',
    values: [1, null, 3, 900],
    incomplete: [3],
    assay: `x@${key}`,
  }))
  const scene = heatScene(plotOf('2026-01-01', [1, 1, 1, 1], { lines }), { ...OPTIONS, measure: 'one' })
  assert.equal(boxesIn(scene.grounds), 12)
  assert.ok((scene.depth.edges.at(-1) ?? 0) < 3)
  assert.equal(scene.marks[1]?.say().rows[0]?.value, '–')
})

test('a calendar or a heat map of nothing has nothing to point at', () => {
  assert.equal(calendarScene(plotOf('2026-01-01', [], { lines: [] }), OPTIONS).marks.length, 0)
  assert.equal(
    heatScene(plotOf('2026-01-01', [], { lines: [] }), { ...OPTIONS, measure: 'each' }).marks.length,
    0,
  )
})

const scatterOf = (points: { label: string; x: number; y: number; size: number | null }[]): ScatterData => ({
  start: '2026-01-01',
  grain: 'month',
  count: 1,
  isPartial: false,
  points: points.map(({ label, x, y, size }, index) => ({
    key: String(index),
    label,
    colour: 'series-2',
    x: [x],
    y: [y],
    size: [size],
    assay: { x: 'x@a', y: 'y@a' },
  })),
  units: { x: 'USD', y: 'ratio', size: 'sat' },
  asOf: { time: '2026-01-31T00:00:00Z', height: 1, state: 'recorded' },
  sources: [],
})
const AXES = { x: 'Value', y: 'Users', size: 'Bitcoin' }
const SCALES = { index: 0, height: 300, axes: AXES, hidden: [] } as const

test('names beside the points of a scatter never cover one another at any width', () => {
  const label = fc.oneof(
    fc.string({ maxLength: 24 }),
    fc.constantFrom('B² Network', '</span><b>', '‮gnihtyna'),
  )
  const positive = fc.double({ min: 1e-6, max: 1e12, noNaN: true })
  const point = fc.record({ label, x: positive, y: positive, size: fc.option(positive) })
  fc.assert(
    fc.property(
      fc.array(point, { maxLength: 40 }),
      fc.constantFrom('linear' as const, 'log' as const),
      (points, scale) => {
        const { texts, shown } = scatterScene(scatterOf(points), { ...SCALES, x: scale, y: scale })
        assert.equal(shown.length, points.length)
        for (const width of [230, 400, 520, 700, 880, 1400]) {
          const tier = TIERS.findLastIndex(from => width >= from)
          const boxes = texts
            .filter(({ from, until }) => from !== undefined && from <= tier && (until ?? 2) >= tier)
            .map(text => boxOf(text, width))
          for (const [index, box] of boxes.entries())
            for (const other of boxes.slice(index + 1))
              assert.ok(
                box.right <= other.left + 0.01 ||
                  other.right <= box.left + 0.01 ||
                  Math.abs(box.y - other.y) >= 14.99,
                `at ${width}`,
              )
        }
      },
    ),
    { numRuns: 60 },
  )
})

function boxOf({ x, y, text, anchor, shift = 0 }: SceneText, width: number) {
  const room = textWidth(text)
  const at = x * width + shift
  const left = anchor === 'start' ? at : anchor === 'end' ? at - room : at - room / 2
  return { left, right: left + room, y }
}

test('what a logarithm does not have is named, not drawn at the edge', () => {
  const points = [
    { label: 'zero', x: 0, y: 1, size: 1 },
    { label: 'one', x: 1, y: 1, size: null },
  ]
  const scene = scatterScene(scatterOf(points), { ...SCALES, x: 'log', y: 'linear' })
  assert.deepEqual([scene.offScale, scene.dots.map(({ isHollow }) => isHollow)], [['zero'], [true]])
})

test('an axis of points has steps of one, two or five, and no point lies beyond its last tick', () => {
  const feetOf = (low: number, high: number) => {
    const data = scatterOf([
      { label: 'a', x: low, y: 1, size: 1 },
      { label: 'b', x: high, y: 2, size: 1 },
    ])
    const points = { ...data, units: { ...data.units, x: 'n' } }
    return scatterScene(points, { ...SCALES, x: 'linear', y: 'linear' })
  }
  const hundredths = fc.integer({ min: 0, max: 1000 })
  fc.assert(
    fc.property(hundredths, hundredths, (a, b) => {
      // Within half a point an axis may well show hundredths.
      fc.pre(Math.abs(a - b) >= 50)
      const { feet, dots } = feetOf(a / 100, b / 100)
      const words = feet.map(({ text }) => text)
      assert.ok(!words.some(text => /[.](?:25|75)$/.test(text)), words.join(' '))
      assert.ok((feet.at(-1)?.x ?? 0) >= Math.max(...dots.map(({ x }) => x)) - 1e-9, words.join(' '))
    }),
  )
  assert.deepEqual(
    feetOf(6.3, 7.2).feet.map(({ text }) => text),
    ['6', '6.5', '7', '7.5'],
  )
})

test('arrow keys lead to the neighbour in their direction, and stay where there is none', () => {
  const marks = [0, 1, 2].flatMap(row =>
    [0, 1, 2].map(column => ({
      key: `${row}${column}`,
      x: column / 3,
      y: row * 20,
      width: 1 / 3,
      height: 20,
      say: () => ({ title: '', rows: [] }),
      assay: '',
    })),
  )
  assert.deepEqual(
    (['left', 'right', 'up', 'down'] as const).map(direction => markTowards(marks, 4, direction)),
    [3, 5, 1, 7],
  )
  assert.equal(markTowards(marks, 0, 'up'), 0)
  assert.equal(markAt(marks, { x: 0.5, y: 30, width: 600 }, 10), 4)
  assert.equal(markAt(marks, { x: 0.5, y: 300, width: 600 }, 10), -1)
})

test('an entity keeps its colour when others come and go, and few of them share one', () => {
  const alone = entityColours(['citrea']).get('citrea')
  assert.equal(entityColours(['citrea', 'stacks', 'core']).get('citrea'), alone)
  const colours = entityColours(['hemi', 'citrea', 'mezo', 'botanix', 'goat', 'stacks', 'bob'])
  assert.equal(new Set(colours.values()).size, 7)
  assert.equal(colours.get('stacks'), 'series-stacks')
})
