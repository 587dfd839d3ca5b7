import type { Figure } from '#http/contract.ts'
import { addDays, dayText } from '../../format/day.ts'
import { entityColour } from '../chart/entityColour.ts'
import type { KpiFigure } from '../Kpi.tsx'
import type { PageView } from '../view.ts'
import { changeRangeOf, type FigureReader, isLongAgo, type Subject } from './figureReader.server.ts'

type KpiAsk = { reader: FigureReader; view: PageView; newest: string | undefined }

/** A figure of the strip; undefined where the catalogue does not know it. What cannot be told shows as its absence with the reason. */
export async function loadKpi(
  { reader, view, newest }: KpiAsk,
  subject: Subject,
  label: string,
): Promise<KpiFigure | undefined> {
  const entry = await reader.entry(subject)
  if (!entry) return undefined
  const base = {
    assay: `${subject.metric}@${subject.entity}`,
    label,
    changeRange: changeRangeOf(view),
    colour: entityColour(subject.entity),
  }
  const nothing = {
    value: null,
    unit: entry.unit,
    day: null,
    state: 'whole',
    change: null,
    spark: [],
    asOf: undefined,
  } as const
  const figure = await reader.figure(subject).catch(() => undefined)
  if (!figure) return { ...base, ...nothing, spark: [], absent: 'Couldn’t load' }
  // On fixed days the strip stands at the last of them, so that a link shows tomorrow what it shows today.
  const end = view.range === 'custom' ? view.to : undefined
  if (end !== undefined && figure.point && figure.point.day > end) {
    const held = await heldFigure(reader, subject, figure, end).catch(() => undefined)
    return held === undefined
      ? { ...base, ...nothing, spark: [], absent: `No data in the ${HELD_DAYS} days to ${dayText(end)}` }
      : { ...base, ...held, change: isSigned(held) ? null : held.change, absent: null }
  }
  const { point } = figure
  if (!point) return { ...base, ...nothing, spark: [], absent: figure.absent }
  if (isLongAgo(point.day, newest)) {
    return { ...base, ...nothing, spark: [], absent: `Data ends ${dayText(point.day)}` }
  }
  return {
    ...base,
    value: point.value,
    unit: figure.unit,
    day: point.day,
    state: point.state,
    change: isSigned(figure) ? null : figure.change,
    spark: figure.spark.map(value => (value === null ? null : Number(value.toPrecision(5)))),
    asOf: figure.asOf,
    absent: null,
  }
}

/** As far as a figure is looked for before the last day of a range: what its change is over, too. */
const HELD_DAYS = 30

/** The figure as it was at the end of fixed days; undefined where none of those days before has one. */
async function heldFigure(reader: FigureReader, subject: Subject, { point, unit }: Figure, end: string) {
  const { points, asOf } = await reader.series(subject, {
    grain: 'day',
    from: addDays(end, -HELD_DAYS),
    to: end,
    figuresOnly: true,
  })
  const days = [...Map.groupBy(points, ({ day }) => day)].flatMap(([day, ofDay]) => {
    const own = point?.key ? ofDay.filter(({ key }) => key === point.key) : ofDay
    const known = own.filter(({ value, state }) => value !== null && state === 'whole')
    const [first] = known
    if (first === undefined) return []
    // Over all parts of a breakdown a figure is their sum, as it is for the newest day.
    const value = known.length === 1 ? first.value : known.reduce((sum, each) => sum + Number(each.value), 0)
    return [{ day, value, state: first.state }]
  })
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const before = Number(first.value)
  const byDay = new Map(days.map(({ day, value }) => [day, Number(Number(value).toPrecision(5))]))
  const hasBefore = first.day === addDays(end, -HELD_DAYS) && last.day === end && before !== 0
  return {
    value: last.value,
    unit,
    day: last.day,
    state: last.state,
    change: hasBefore ? Number(last.value) / before - 1 : null,
    spark: Array.from(
      { length: HELD_DAYS + 1 },
      (_, index) => byDay.get(addDays(end, index - HELD_DAYS)) ?? null,
    ),
    asOf,
  }
}

/** Figures that fall below zero have no meaningful relative change: from −1 to 1 is no rise of −200 %. */
const isSigned = (figure: Pick<Figure, 'spark'>): boolean =>
  figure.spark.some(value => value !== null && value < 0)
