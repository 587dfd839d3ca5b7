import { figureText, percentText } from '../../format/figure.ts'
import { boxPath, type Scene, type SceneGround, type SceneMark, type SceneText, tierFor } from './scene.ts'
import { WIDTH } from './shape.ts'
import type { WholeData, WholePart } from './wholeData.ts'

export type SankeyNode = {
  name: string
  /** What comes in or goes out, whichever is more. */
  value: number
  column: number
  /** Px from the top. */
  y: number
  height: number
}

export type SankeyLink = {
  part: WholePart
  from: SankeyNode
  to: SankeyNode
  /** Where it leaves and arrives, px from the top, and how thick it is. */
  y0: number
  y1: number
  height: number
}

export type SankeyLayout = { nodes: SankeyNode[]; links: SankeyLink[]; columns: number }

const GAP = 18
const SWEEPS = 6

type Flow = WholePart & { flow: { from: string; to: string } }

/**
 * Places of the ends and of what flows between them: a column for each step, heights in proportion, ends beside those that they
 * are joined to. A flow from an end to itself is left out; one that closes a circle runs backwards.
 */
export function sankeyLayout(parts: readonly WholePart[], height: number): SankeyLayout {
  const flows = parts.filter(
    (part): part is Flow => part.flow !== undefined && part.flow.from !== part.flow.to && part.value > 0,
  )
  const names = [...new Set(flows.flatMap(({ flow }) => [flow.from, flow.to]))]
  const columnOf = columnsOf(names, flows)
  const sumOf = (name: string, end: 'from' | 'to') =>
    flows.reduce((sum, { flow, value }) => (flow[end] === name ? sum + value : sum), 0)
  const nodes = names.map((name): SankeyNode => {
    const value = Math.max(sumOf(name, 'from'), sumOf(name, 'to'))
    return { name, value, column: columnOf.get(name) ?? 0, y: 0, height: 0 }
  })
  const columns = [...Map.groupBy(nodes, ({ column }) => column)]
    .sort(([a], [b]) => a - b)
    .map(([, members]) => members.toSorted((a, b) => b.value - a.value))
  const gap = Math.min(GAP, ...columns.map(column => (height * 0.6) / Math.max(1, column.length - 1)))
  const perUnit = Math.min(
    ...columns.map(column => {
      const sum = column.reduce((all, { value }) => all + value, 0)
      return sum > 0 ? (height - gap * (column.length - 1)) / sum : Number.POSITIVE_INFINITY
    }),
  )
  for (const node of nodes) node.height = node.value * perUnit
  const byName = new Map(nodes.map(node => [node.name, node]))
  const place = () => {
    for (const column of columns) {
      const used = column.reduce((sum, node) => sum + node.height, 0) + gap * (column.length - 1)
      let y = (height - used) / 2
      for (const node of column) {
        node.y = y
        y += node.height + gap
      }
    }
  }
  place()
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    for (const column of columns) {
      const aims = new Map(column.map(node => [node, aimOf(node, flows, byName)]))
      column.sort((a, b) => (aims.get(a) ?? 0) - (aims.get(b) ?? 0))
    }
    place()
  }
  return { nodes, links: linksOf(flows, byName, perUnit), columns: columns.length }
}

/** How many steps an end lies behind the first ones; flows that close a circle do not count. */
function columnsOf(names: readonly string[], flows: readonly Flow[]): Map<string, number> {
  const columns = new Map<string, number>()
  const isOpen = new Set<string>()
  const into = Map.groupBy(flows, ({ flow }) => flow.to)
  const visit = (name: string): number => {
    const known = columns.get(name)
    if (known !== undefined) return known
    isOpen.add(name)
    const before = (into.get(name) ?? [])
      .filter(({ flow }) => !isOpen.has(flow.from))
      .map(({ flow }) => visit(flow.from) + 1)
    isOpen.delete(name)
    const column = Math.max(0, ...before)
    columns.set(name, column)
    return column
  }
  for (const name of names) visit(name)
  return columns
}

/** The middle of what an end is joined to, weighted by how much. */
function aimOf(node: SankeyNode, flows: readonly Flow[], byName: ReadonlyMap<string, SankeyNode>): number {
  let sum = 0
  let weight = 0
  for (const { flow, value } of flows) {
    const other = flow.from === node.name ? flow.to : flow.to === node.name ? flow.from : undefined
    const end = other === undefined ? undefined : byName.get(other)
    if (!end) continue
    sum += (end.y + end.height / 2) * value
    weight += value
  }
  return weight > 0 ? sum / weight : node.y
}

function linksOf(
  flows: readonly Flow[],
  byName: ReadonlyMap<string, SankeyNode>,
  perUnit: number,
): SankeyLink[] {
  const links = flows.flatMap((part): SankeyLink[] => {
    const [from, to] = [byName.get(part.flow.from), byName.get(part.flow.to)]
    return from && to ? [{ part, from, to, y0: 0, y1: 0, height: part.value * perUnit }] : []
  })
  const stack = (end: 'from' | 'to', other: 'from' | 'to', y: 'y0' | 'y1') => {
    for (const [node, members] of Map.groupBy(links, link => link[end])) {
      let at = node.y
      for (const link of members.toSorted((a, b) => a[other].y - b[other].y)) {
        link[y] = at
        at += link.height
      }
    }
  }
  stack('from', 'to', 'y0')
  stack('to', 'from', 'y1')
  return links
}

/** Share of the width that an end is wide. */
const NODE = 0.012

/** What goes from where to where: ends as posts, flows as bands between them. */
export function sankeyScene(data: WholeData, height: number): Scene {
  const { nodes, links, columns } = sankeyLayout(data.parts, height)
  const x = (column: number) => (columns < 2 ? 0 : (column / (columns - 1)) * (1 - NODE))
  const step = columns < 2 ? 1 : 1 / (columns - 1)
  const total = links.reduce((sum, { part }) => sum + part.value, 0)
  return {
    height,
    gutter: 0,
    grounds: [
      ...links.map(
        (link): SceneGround => ({
          key: link.part.key,
          path: bandOf(link, x(link.from.column) + NODE, x(link.to.column)),
          colour: link.part.colour,
          depth: 0.34,
          look: 'fill',
        }),
      ),
      ...nodes.map(
        (node): SceneGround => ({
          key: `end-${node.name}`,
          path: boxPath(x(node.column) * WIDTH, node.y, NODE * WIDTH, Math.max(1, node.height)),
          colour: 'ink-2',
          depth: 1,
          look: 'fill',
        }),
      ),
    ],
    dots: [],
    texts: nodes.flatMap((node): SceneText[] => {
      const isLast = columns > 1 && node.column === columns - 1
      const text = `${node.name} ${figureText(node.value, data.unit).text}`
      // Between the last two columns the names of both stand.
      const room = step * (node.column >= columns - 2 ? 0.48 : 0.9)
      const from = tierFor(text, room)
      const place = {
        x: isLast ? x(node.column) : x(node.column) + NODE,
        y: node.y + node.height / 2,
        anchor: isLast ? ('end' as const) : ('start' as const),
        look: 'plain' as const,
        shift: isLast ? -6 : 6,
      }
      const short = { key: `${node.name}-short`, text: node.name, ...place, room }
      if (from === undefined) return [short]
      return [
        ...(from > 0 ? [{ ...short, until: (from - 1) as 0 | 1 }] : []),
        { key: `${node.name}-full`, text, ...place, from },
      ]
    }),
    sides: [],
    feet: [],
    rules: { ys: [], xs: [] },
    marks: links.map((link): SceneMark => {
      const left = Math.min(x(link.from.column), x(link.to.column)) + NODE
      return {
        key: link.part.key,
        // What stands for a band: its middle, as thick as it is.
        x: left + step * 0.42,
        y: (link.y0 + link.y1) / 2,
        width: step * 0.16,
        height: Math.max(4, link.height),
        say: () => ({
          title: `${link.from.name} to ${link.to.name}`,
          rows: [
            { label: data.span, value: figureText(link.part.value, data.unit).text },
            { label: 'of all', value: percentText(link.part.value / total) },
          ],
        }),
        assay: link.part.assay,
        day: data.to,
      }
    }),
  }
}

const one = (value: number): string => (Math.round(value * 10) / 10).toString()

/** A band from one height to another, level at both ends. */
function bandOf({ y0, y1, height }: SankeyLink, left: number, right: number): string {
  const [x0, x1] = [left * WIDTH, right * WIDTH]
  const middle = (x0 + x1) / 2
  const curve = (a: number, to: number, b: number) =>
    `C${one(middle)} ${one(a)} ${one(middle)} ${one(b)} ${one(to)} ${one(b)}`
  return `M${one(x0)} ${one(y0)}${curve(y0, x1, y1)}V${one(y1 + height)}${curve(y1 + height, x0, y0 + height)}Z`
}
