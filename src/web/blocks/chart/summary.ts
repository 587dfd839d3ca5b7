import { dayText } from '../../format/day.ts'
import { figureText } from '../../format/figure.ts'
import type { Drawing } from './drawing.ts'
import { bucketText, type PlotData, type PlotLine, partialSums } from './plotData.ts'

/** `341 days · 1 partial · 23 missing`: how many buckets of the range have a figure, and how whole. */
export function coverageText(plot: PlotData): string {
  const isKnown = (index: number) =>
    plot.lines.some(line => line.values[index] !== null && line.values[index] !== undefined)
  const isGap = new Set(plot.lines.flatMap(line => line.incomplete))
  let whole = 0
  let missing = 0
  for (let index = 0; index < plot.count; index += 1) {
    if (plot.isPartial && index === plot.count - 1) continue
    if (!isKnown(index)) missing += 1
    else if (!isGap.has(index)) whole += 1
  }
  const parts = [`${whole} ${bucketWord(plot, whole)}`]
  if (isGap.size > 0) parts.push(`${isGap.size} partial`)
  if (missing > 0) parts.push(`${missing} missing`)
  if (plot.isPartial) parts.push(`current ${bucketWord(plot, 1)} still open`)
  return parts.join(' · ')
}

const bucketWord = ({ grain }: Pick<PlotData, 'grain'>, count: number): string => {
  const one = GRAIN_WORD[grain] === undefined ? 'bucket' : grain
  return count === 1 ? one : `${one}s`
}

/** What keeps a sum or a comparison from being that of all lines: parts that are unknown, lines without a common start. */
export function partsText(plot: PlotData, { shown, base }: Drawing, isStacked: boolean): string[] {
  const partial = isStacked ? partialSums(shown).size : 0
  const unplaced =
    base === undefined ? [] : shown.filter(({ values }) => !values[base]).map(({ label }) => label)
  return [
    ...(partial > 0 ? [`Hollow: a part is unknown (${partial} ${bucketWord(plot, partial)})`] : []),
    ...(unplaced.length > 0 && base !== undefined
      ? [`No value on ${bucketText(plot, base)}: ${unplaced.join(', ')}`]
      : []),
  ]
}

/** Names of the parts of a stack that have no value in a bucket in which others do. */
export const unknownParts = (lines: readonly PlotLine[], index: number): string[] =>
  partialSums(lines).has(index)
    ? lines
        .filter(({ values, lacking }) => (values[index] ?? null) === null || lacking?.includes(index))
        .map(({ label }) => label)
    : []

export const spanText = (plot: PlotData): string =>
  `${bucketText(plot, 0)} to ${bucketText(plot, plot.count - 1)}`

/** What the drawing shows, in sentences: for those who do not see it. */
export function summaryText(title: string, plot: PlotData, drawing: Drawing): string {
  const lines = drawing.shown.map(line => {
    const points = line.values.flatMap((value, index) => (value === null ? [] : [{ value, index }]))
    const last = points.at(-1)
    if (!last) return `${line.label}: no data in this range.`
    const low = points.reduce((a, b) => (b.value < a.value ? b : a))
    const high = points.reduce((a, b) => (b.value > a.value ? b : a))
    const say = (point: { value: number; index: number }) =>
      `${figureText(point.value, drawing.unit).text} (${bucketText(plot, point.index)})`
    return `${line.label}: latest ${say(last)}, lowest ${say(low)}, highest ${say(high)}.`
  })
  const events = drawing.flags.map(flag => `${flag.label} (${dayText(flag.day)})`)
  const flags = events.length === 0 ? '' : ` In that time: ${events.join(', ')}.`
  return `${title}, ${spanText(plot)}, ${coverageText(plot)}. ${lines.join(' ')}${flags}`
}

const GRAIN_WORD: Record<string, string> = { day: 'daily', week: 'weekly', month: 'monthly' }

export const grainWord = ({ grain }: Pick<PlotData, 'grain'>): string => GRAIN_WORD[grain] ?? grain

/** What a chart rests on, once each, by the name of its first line. */
export const assaysOf = ({ lines }: Pick<PlotData, 'lines'>): { assay: string; label: string }[] =>
  [
    ...new Map(
      lines
        .flatMap(({ assay, label, sized }) => [{ assay, label }, ...(sized ? [sized] : [])])
        .filter(({ assay }) => assay !== '')
        .toReversed()
        .map(({ assay, label }) => [assay, { assay, label }]),
    ).values(),
  ].toReversed()
