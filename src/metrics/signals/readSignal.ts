import type { CatalogSignal } from '#catalog/index.ts'
import type { AsOf, Point, Series } from '../answers.ts'
import type { MetricsDeps } from '../deps.ts'
import { readSeries } from '../series.ts'
import type { Standing } from '../standing.ts'
import { type Composite, compositeOf } from './composite.ts'
import { type Evaluation, evaluateSignal, indexOf, ruleOf } from './evaluate.ts'
import { inputOf, unitOf } from './index.ts'
import type { Daily } from './readings.ts'
import { recordSql } from './recordSql.ts'

/** A signal worked out over what is held. */
export type ReadSignal = {
  evaluation: Evaluation
  /** Of its reading. */
  unit: string
  /** Whole days of what it reads. */
  figureDays: number
  /** Whether blocks of a chain would bring more. */
  isOfChain: boolean
  /** Newest day with a close. */
  priceDay: string | null
  asOf: AsOf
  /** The statement of its record. */
  sql: string
}

/** All signals count days from the first block on, so that they can be laid side by side. */
const START = '2009-01-03'

type Prices = { points: readonly Point[]; day: string | null; asOf: AsOf }

/** Closes of bitcoin. Errors as of `readSeries`. */
async function readCloses(deps: MetricsDeps, standing: Standing): Promise<Prices> {
  const query = { id: 'price.close', entity: 'bitcoin', figuresOnly: true }
  const { points, asOf } = await readSeries(deps, query, undefined, standing)
  return { points, day: points.findLast(({ value }) => value !== null)?.day ?? null, asOf }
}

const countTo = (...days: (string | null)[]): number =>
  Math.max(0, ...days.flatMap(day => (day === null ? [] : [indexOf(START, day) + 1])))

/** Whole figures day beside day; of a breakdown one value, or the sum. */
function dailyOf(points: readonly Point[], count: number, key?: string): Daily {
  const daily = new Float64Array(count).fill(Number.NaN)
  for (const point of points) {
    if (point.value === null || point.state !== 'whole' || (key !== undefined && point.key !== key)) continue
    const at = indexOf(START, point.day)
    if (at < 0 || at >= count) continue
    daily[at] = (Number.isNaN(daily[at]!) ? 0 : daily[at]!) + Number(point.value)
  }
  return daily
}

const newer = (a: AsOf, b: AsOf): AsOf => (a.time > b.time ? a : b)

/** A signal over what is held now; undefined where the registry does not know what it reads. Errors as of `readSeries`. */
export async function readSignal(
  deps: MetricsDeps,
  signal: CatalogSignal,
  standing: Standing,
): Promise<ReadSignal | undefined> {
  const entry = inputOf(signal, deps.metrics)
  if (entry === undefined) return undefined
  const { metric: id, entity, key, unit } = signal.input
  const [prices, series]: [Prices, Series] = await Promise.all([
    readCloses(deps, standing),
    readSeries(deps, { id, entity, figuresOnly: true, ...(unit && { unit }) }, undefined, standing),
  ])
  const known = series.points.filter(({ value, state }) => value !== null && state === 'whole')
  const days = new Set(known.map(({ day }) => day))
  const newestFigure = [...days].sort().at(-1) ?? null
  const count = countTo(prices.day, newestFigure)
  const figures = dailyOf(known, count, key)
  const closes = dailyOf(prices.points, count)
  return {
    evaluation: evaluateSignal(signal, { start: START, figures, closes }),
    unit: unitOf(signal, entry),
    figureDays: days.size,
    isOfChain: entry.sources.some(source => source.endsWith('.chain')),
    priceDay: prices.day,
    asOf: newer(prices.asOf, series.asOf),
    sql: recordSql(signal, ruleOf(signal), entry),
  }
}

/** Signals taken together over what is held now. Errors as of `readSeries`. */
export async function readComposite(
  deps: MetricsDeps,
  signals: readonly CatalogSignal[],
  evaluations: readonly Evaluation[],
  standing: Standing,
): Promise<Composite> {
  const { points, day } = await readCloses(deps, standing)
  const closes = dailyOf(points, countTo(day))
  const youngest =
    signals
      .map(signal => ruleOf(signal).fixed)
      .sort()
      .at(-1) ?? START
  return compositeOf(evaluations, { start: START, closes }, indexOf(START, youngest))
}
