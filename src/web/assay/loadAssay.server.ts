import type { RouterContextProvider } from 'react-router'
import { apiContext } from '#http/context.ts'
import type { Api, Difference, MetricEntry, Point, Series } from '#http/contract.ts'
import { isDay } from '#kernel/days.ts'
import { nowFor } from '../blocks/load/nowFor.server.ts'
import { addDays } from '../format/day.ts'
import { type AssayRef, readRef, writeRef } from './address.ts'

const ROWS = 40
const DAYS = 365

/** All that the assay view says about one figure. */
export type LoadedAssay =
  | Awaited<ReturnType<typeof loadKnown>>
  | { state: 'unknown'; ref: string; reason: string }

/** Reads the assay part of the address; undefined where the page stands alone. A figure that cannot be read says so and leaves the page in peace. */
export async function loadAssay(
  url: URL,
  context: Readonly<RouterContextProvider>,
): Promise<LoadedAssay | undefined> {
  const text = url.searchParams.get('assay')
  if (text === null) return undefined
  const ref = readRef(text)
  if (!ref)
    return {
      state: 'unknown',
      ref: text.slice(0, 100),
      reason: 'An assay address reads metric@entity, such as fees.total@bitcoin.',
    }
  const api = context.get(apiContext)
  const entry = (await api.metrics()).find(
    metric => metric.id === ref.id && metric.entities.includes(ref.entity),
  )
  if (!entry)
    return {
      state: 'unknown',
      ref: writeRef(ref),
      reason: 'The catalog of this server has no such figure.',
    }
  const height = url.searchParams.get('assay.height')
  const day = url.searchParams.get('assay.day')
  return loadKnown(api, ref, entry, {
    day: isDay(day) ? day : undefined,
    height: height && /^\d{1,9}$/.test(height) ? Number(height) : undefined,
  })
}

type Shared = { day: string | undefined; height: number | undefined }

async function loadKnown(api: Api, ref: AssayRef, entry: MetricEntry, shared: Shared) {
  const figure = await api.figure({ ...ref, changeRange: '30d' })
  const newest = shared.day ?? figure.point?.day
  const series = newest
    ? await api.series({ ...ref, from: addDays(newest, 1 - DAYS), to: newest })
    : undefined
  const watched =
    newest && entry.watches.length > 0
      ? await api.watched({ ...ref, from: addDays(newest, 1 - DAYS), to: newest })
      : undefined
  const sources = series?.sources.length ? series.sources : entry.sources
  return {
    state: 'known' as const,
    now: nowFor(sources),
    ref: writeRef(ref),
    entity: ref.entity,
    entry: { ...entry, sources: [] },
    figure: {
      point: pointOf(series, shared.day, figure.point?.key) ?? figure.point,
      unit: figure.unit,
      change: shared.day && shared.day !== figure.point?.day ? null : figure.change,
      missing: shared.day && shared.day !== figure.point?.day ? null : figure.missing,
      spark: figure.spark,
      absent: figure.absent,
      asOf: figure.asOf,
      coverage: figure.coverage,
    },
    shared,
    sql: series?.sql ?? entry.sql,
    parameters: entry.parameters.map(parameter => ({
      ...parameter,
      default: series?.parameters[parameter.name] ?? parameter.default,
    })),
    sources,
    heights: series?.heights ?? [],
    restatements: (series?.restatements ?? [])
      .slice(-ROWS)
      .toReversed()
      .map(row => ({ ...row, source: sources.find(({ id }) => id === row.source)?.name ?? row.source })),
    comparisons: compared(series),
    watches: watched?.watches ?? [],
    window: newest && series ? { from: series.points[0]?.day ?? newest, to: newest } : undefined,
  }
}

export type KnownAssay = Extract<LoadedAssay, { state: 'known' }>

/** The point of the day that a shared link means, of the line that the figure shows; a figure over all lines is their sum. */
function pointOf(series: Series | undefined, day: string | undefined, key = ''): Point | undefined {
  const ofDay = series?.points.filter(point => point.day === day && point.value !== null) ?? []
  const one = ofDay.find(point => point.key === key)
  const [first] = ofDay
  if (one || !first || key !== '') return one
  return { ...first, key: '', value: ofDay.reduce((sum, point) => sum + Number(point.value), 0) }
}

const UNEQUAL_ROWS = 10

/** What another publisher says of the same days: how often it is equal, how far apart it is, and the newest days that differ. */
export type Comparison = {
  source: string
  days: number
  equalDays: number
  /** Means and maxima of |theirs ÷ ours − 1| over the days where both are known and ours is not 0. */
  meanApart: number
  mostApart: number
  unequal: Difference[]
}

function compared(series: Series | undefined): Comparison[] {
  const bySource = Map.groupBy(series?.differences ?? [], difference => difference.source)
  const names = new Map(series?.sources.map(source => [source.id, source.name]))
  return [...bySource].map(([source, differences]) => {
    const known = differences.filter(({ value, chosen }) => value !== null && chosen !== null)
    const unequal = known.filter(({ value, chosen }) => String(value) !== String(chosen))
    const apart = known
      .filter(({ chosen }) => Number(chosen) !== 0)
      .map(({ value, chosen }) => Math.abs(Number(value) / Number(chosen) - 1))
    return {
      source: names.get(source) ?? source,
      days: known.length,
      equalDays: known.length - unequal.length,
      meanApart: apart.reduce((sum, ratio) => sum + ratio, 0) / Math.max(apart.length, 1),
      mostApart: Math.max(0, ...apart),
      unequal: unequal.toSorted((a, b) => b.day.localeCompare(a.day)).slice(0, UNEQUAL_ROWS),
    }
  })
}
