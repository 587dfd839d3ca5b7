import type { Figure } from '#http/contract.ts'
import { addDays, dayText } from '../../format/day.ts'
import { lacksOf } from '../../format/lacks.ts'
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
    changeOver: null,
    spark: [],
    asOf: undefined,
  } as const
  const newestFigure = await reader.figure(subject).catch(() => undefined)
  if (!newestFigure) return { ...base, ...nothing, spark: [], absent: 'Couldn’t load' }
  // On fixed days the strip shows the last of them, so that a link shows tomorrow what it shows today.
  const end = view.range === 'custom' ? view.to : undefined
  const isBefore = end !== undefined && newestFigure.point !== null && newestFigure.point.day > end
  const figure = isBefore ? await reader.figure(subject, end).catch(() => undefined) : newestFigure
  const point = figure?.point
  if (isBefore && (!figure || !point || point.day < addDays(end, -MOST_DAYS_BEFORE)))
    return {
      ...base,
      ...nothing,
      spark: [],
      absent: `No data in the ${MOST_DAYS_BEFORE} days to ${dayText(end)}`,
    }
  if (!figure || !point) return { ...base, ...nothing, spark: [], absent: newestFigure.absent }
  if (isLongAgo(point.day, isBefore ? end : newest))
    return { ...base, ...nothing, spark: [], absent: `Data ends ${dayText(point.day)}` }
  const isSigned = fallsBelowZero(figure)
  return {
    ...base,
    value: point.value,
    unit: figure.unit,
    day: point.day,
    state: point.state,
    change: isSigned ? null : figure.change,
    changeOver: isSigned ? null : figure.changeOver,
    lacks: lacksOf(figure),
    spark: figure.spark.map(value => (value === null ? null : Number(value.toPrecision(5)))),
    asOf: figure.asOf,
    absent: null,
  }
}

/** How far before the last day of a range a figure may be. */
const MOST_DAYS_BEFORE = 30

/** Figures that fall below zero have no meaningful relative change: from −1 to 1 is no rise of −200 %. */
const fallsBelowZero = (figure: Pick<Figure, 'spark'>): boolean =>
  figure.spark.some(value => value !== null && value < 0)
