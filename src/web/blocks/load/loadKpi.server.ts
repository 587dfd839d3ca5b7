import type { Figure } from '#http/contract.ts'
import { dayText } from '../../format/day.ts'
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
    direction: entry.direction,
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
  if (!figure) return { ...base, ...nothing, spark: [], absent: 'could not be read now' }
  const { point } = figure
  if (!point) return { ...base, ...nothing, spark: [], absent: figure.absent }
  if (isLongAgo(point.day, newest)) {
    return { ...base, ...nothing, spark: [], absent: `whole days until ${dayText(point.day)} only` }
  }
  return {
    ...base,
    value: point.value,
    unit: figure.unit,
    day: point.day,
    state: point.state,
    change: isSigned(figure) ? null : figure.change,
    spark: figure.spark.slice(-30).map(value => (value === null ? null : Number(value.toPrecision(5)))),
    asOf: figure.asOf,
    absent: null,
  }
}

/** Figures that fall below zero have no meaningful relative change: from −1 to 1 is no rise of −200 %. */
const isSigned = (figure: Figure): boolean => figure.spark.some(value => value !== null && value < 0)
