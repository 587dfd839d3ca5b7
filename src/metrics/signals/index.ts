import type { Catalog, CatalogSignal, SignalSide } from '#catalog/index.ts'
import { RANGE } from '../chainFigures.ts'
import { type Metric, type MetricDeclaration, metric } from '../metric.ts'
import { seriesSql } from '../seriesSql.ts'
import { ruleOf } from './evaluate.ts'
import { leastDays } from './readings.ts'
import { readingsSql, stateSql } from './readingsSql.ts'

export { COMPOSITE_SIDE, type Composite, compositeOf, LEAST_MEMBERS } from './composite.ts'
export {
  correctedOf,
  dayAt,
  EDGE_Q,
  type Evaluation,
  evaluateSignal,
  GOOD_FOR_DAYS,
  indexOf,
  ruleOf,
  type SignalInput,
  type SignalState,
  VERDICTS,
  type Verdict,
  verdictOf,
} from './evaluate.ts'
export { GRID_HORIZON, type GridCell, type Step } from './grid.ts'
export { HORIZONS, LEAST_EVENTS, type SignalRecord } from './record.ts'
export { recordSql } from './recordSql.ts'

/** The metric that a signal reads, among those known; undefined where the registry has none of that entity. */
export const inputOf = ({ input }: CatalogSignal, known: readonly Metric[]): Metric | undefined =>
  known.find(({ id, entities }) => id === input.metric && entities.includes(input.entity))

/** In which a signal’s reading is told: shares and changes as such, multiples in times, else as what it reads. */
export function unitOf(signal: CatalogSignal, entry: Metric): string {
  const { kind } = ruleOf(signal).transform
  if (kind === 'multiple') return 'x'
  if (kind === 'mean' || kind === 'sum') return seriesSql(entry, 'day', signal.input.unit ?? 'native').unit
  return 'ratio'
}

/** Of each signal its reading, its state and where the reading stands among those before it. */
export const signalMetrics = ({ signals }: Pick<Catalog, 'signals'>, known: readonly Metric[]): Metric[] =>
  signals.flatMap(signal => {
    const entry = inputOf(signal, known)
    return entry === undefined ? [] : metricsOfSignal(signal, entry)
  })

function metricsOfSignal(signal: CatalogSignal, entry: Metric): Metric[] {
  const rule = ruleOf(signal)
  const { name, reading, coverage } = signal
  const readings = readingsSql(signal, rule, entry)
  const least = rule.transform.days.map(days => `${leastDays(days, coverage)} of ${days}`).join(' and ')
  const shared = {
    entityKind: 'signal',
    entities: [signal.id],
    sources: entry.sources,
    cadence: entry.cadence,
    calendar: 'reported',
    aggregate: 'last',
    since: entry.since,
    direction: 'neither',
    references: signal.references,
    why: signal.why,
    misleads: signal.misleads,
    needs: `Needs ${least} days of ${input(signal)}: there are too few here. ${entry.needs}`,
  } as const satisfies Partial<MetricDeclaration>
  const drawn = (value: string): string => `WITH
  ${readings}
SELECT
  r.day AS day, '' AS key, ${value} AS value, 'whole' AS state,
  r.source AS source, r.from_height AS from_height, r.to_height AS to_height, r.as_of AS as_of
FROM readings AS r
WHERE r.value IS NOT NULL AND r.day ${RANGE}
ORDER BY day`
  return [
    metric({
      ...shared,
      id: 'signal.reading',
      name: `${name}: reading`,
      unit: unitOf(signal, entry),
      definition: `Reading of the signal on the UTC day: ${reading}.`,
      how: `From ${input(signal)}, whole days alone; a window needs figures of ${least} days. Only days up to the day itself count.`,
      sql: drawn('r.value'),
    }),
    metric({
      ...shared,
      id: 'signal.state',
      name: `${name}: state`,
      watches: [{ id: 'turned', says: 'turns', when: 'changes' }],
      unit: '–',
      definition: 'State of the signal on the UTC day: 1 bullish, −1 bearish, 0 neutral.',
      how: `Bullish ${sideText(rule.bullish)}, bearish ${sideText(rule.bearish)}; the reading is ${reading}. The rule was fixed on ${rule.fixed}.`,
      sql: drawn(stateSql(rule, 'r.value')),
    }),
    metric({
      ...shared,
      id: 'signal.rank',
      name: `${name}: rank`,
      unit: 'ratio',
      definition: 'Share of all days so far with a reading as low as that of the UTC day or lower.',
      how: `Days up to the day itself, counted; the reading is ${reading}.`,
      sql: `WITH
  ${readings}
SELECT
  r.day AS day, '' AS key, countIf(o.value <= r.value) / count() AS value, 'whole' AS state,
  any(r.source) AS source, any(r.from_height) AS from_height, any(r.to_height) AS to_height, any(r.as_of) AS as_of
FROM readings AS r
CROSS JOIN (SELECT day, value FROM readings WHERE value IS NOT NULL) AS o
WHERE r.value IS NOT NULL AND r.day ${RANGE} AND o.day <= r.day
GROUP BY r.day
ORDER BY day`,
    }),
  ]
}

const input = ({ input: { metric: id, entity, key, unit } }: CatalogSignal): string =>
  `${id}@${entity}${key === undefined ? '' : ` (${key})`}${unit === 'usd' ? ' in US dollars' : unit === 'btc' ? ' in bitcoin' : ''}`

const sideText = (side: SignalSide | undefined): string =>
  side === undefined ? 'never' : 'above' in side ? `above ${side.above}` : `below ${side.below}`
