/** Values to SVG path text. The drawing is `WIDTH` units wide, stretched to its card; heights are real pixels. */

export const WIDTH = 1000

export type Place = (index: number) => number
export type Height = (value: number) => number

const one = (value: number): string => (Math.round(value * 10) / 10).toString()

/** A line that breaks at every gap; a lone value becomes a dot through the round cap. */
export function linePath(values: readonly (number | null)[], x: Place, y: Height): string {
  let path = ''
  let open = false
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index]
    if (value === null || value === undefined) {
      open = false
      continue
    }
    path += `${open ? 'L' : 'M'}${one(x(index))} ${one(y(value))}`
    if (!open && (values[index + 1] ?? null) === null) path += 'h0'
    open = true
  }
  return path
}

/** A dot at each value. */
export const dotsPath = (values: readonly (number | null)[], x: Place, y: Height): string =>
  values.map((value, index) => (value === null ? '' : `M${one(x(index))} ${one(y(value))}h0`)).join('')

/** Only the values without a neighbour: a line alone would draw them as small as it is thin. */
export const loneValues = (values: readonly (number | null)[]): (number | null)[] =>
  values.map((value, index) =>
    (values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null ? value : null,
  )

/** A lone bucket keeps half its slot, within these: seen where buckets are many, a mark and no field where they are few. */
const LEAST_LONE = 3
const MOST_LONE = 24

/** The ground between two edges, broken where either is unknown. */
export function bandPath(
  low: readonly (number | null)[],
  high: readonly (number | null)[],
  x: Place,
  y: Height,
): string {
  const half = Math.min(MOST_LONE, Math.max(LEAST_LONE, WIDTH / high.length / 2)) / 2
  let path = ''
  let run: number[] = []
  const close = () => {
    const places = run.length === 1 ? [-half, half] : [0]
    // At an end of the range a lone bucket keeps to the drawing.
    const at = (index: number, shift: number) => Math.min(WIDTH, Math.max(0, x(index) + shift))
    const edge = (values: readonly (number | null)[]) =>
      run.flatMap(index => places.map(shift => `${one(at(index, shift))} ${one(y(values[index] ?? 0))}`))
    if (run.length > 0) path += `M${edge(high).join('L')}L${edge(low).reverse().join('L')}Z`
    run = []
  }
  for (let index = 0; index < high.length; index += 1) {
    if ((high[index] ?? null) === null || (low[index] ?? null) === null) close()
    else run.push(index)
  }
  close()
  return path
}

/** Wider, a bar passes for a field. */
const MOST_BAR = 64

/** Bars as one path; `only` picks buckets. Without gaps between them where they are too many to be told apart. */
export function barPath(
  low: readonly (number | null)[],
  high: readonly (number | null)[],
  y: Height,
  only: (index: number) => boolean,
): string {
  const count = high.length
  const slot = WIDTH / count
  const inset = count > 140 ? 0 : Math.max(slot * 0.14, (slot - MOST_BAR) / 2)
  let path = ''
  for (let index = 0; index < count; index += 1) {
    const top = high[index]
    if (top === null || top === undefined || !only(index)) continue
    path += `M${one(index * slot + inset)} ${one(y(low[index] ?? 0))}V${one(y(top))}H${one((index + 1) * slot - inset)}V${one(y(low[index] ?? 0))}Z`
  }
  return path
}

/** A line of a stack: what it stands on and where it ends, bucket by bucket; null where its value is not known. */
export type StackEdges = { low: (number | null)[]; high: (number | null)[] }

/**
 * Each line on the known lines below it. A line without a value in a bucket takes no room there and moves no other:
 * whether the bucket is the whole stack is said by `partialSums`.
 */
export function stackEdges(lines: readonly (readonly (number | null)[])[]): StackEdges[] {
  const sums = new Array<number>(lines[0]?.length ?? 0).fill(0)
  return lines.map(values => {
    const low: (number | null)[] = []
    const high: (number | null)[] = []
    for (const [index, value] of values.entries()) {
      const below = sums[index] ?? 0
      low.push(value === null ? null : below)
      high.push(value === null ? null : below + value)
      if (value !== null) sums[index] = below + value
    }
    return { low, high }
  })
}
