import { dayText } from '../../format/day.ts'
import { figureText } from '../../format/figure.ts'
import type { Drawing } from './drawing.ts'
import {
  bucketText,
  namedPoints,
  type PlotData,
  type PlotLine,
  type PlotPoint,
  partialSums,
} from './plotData.ts'

/** `341 days · 1 partial · 23 missing`: how many buckets of the range are drawn, and how whole. */
export function coverageText(plot: PlotData, { shown }: Pick<Drawing, 'shown'>): string {
  const isDrawn = (index: number) => shown.some(({ values }) => (values[index] ?? null) !== null)
  const isGap = new Set(shown.flatMap(line => line.incomplete))
  let whole = 0
  let partial = 0
  let missing = 0
  for (let index = 0; index < plot.count; index += 1) {
    if (plot.isPartial && index === plot.count - 1) continue
    if (!isDrawn(index)) missing += 1
    else if (isGap.has(index)) partial += 1
    else whole += 1
  }
  const parts = [`${whole} ${bucketWord(plot, whole)}`]
  if (partial > 0) parts.push(`${partial} partial`)
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
    const points = namedPoints(plot, line)
    const last = points.at(-1)
    if (!last) return `${line.label}: no data in this range.`
    const low = points.reduce((a, b) => (b.value < a.value ? b : a))
    const high = points.reduce((a, b) => (b.value > a.value ? b : a))
    const say = ({ value, index, isPartial }: PlotPoint) =>
      `${figureText(value, drawing.unit).text} (${bucketText(plot, index)}${isPartial ? ', partial' : ''})`
    return `${line.label}: latest ${say(last)}, lowest ${say(low)}, highest ${say(high)}.`
  })
  const events = drawing.flags.map(flag => `${flag.label} (${dayText(flag.day)})`)
  const flags = events.length === 0 ? '' : ` In that time: ${events.join(', ')}.`
  return `${title}, ${spanText(plot)}, ${coverageText(plot, drawing)}. ${lines.join(' ')}${flags}`
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
