import type { SeriesQuery } from './answers.ts'
import { addDays, bucketStart, nextBucket, parseDay } from './days.ts'
import { metricOf } from './entry.ts'
import { MetricsError } from './errors.ts'
import { MOST_FINE_DAYS } from './fineFigures.ts'
import { isFine, type Metric, parametersOf, SERIES_GRAINS, type SeriesGrain } from './metric.ts'
import { onlyKeys, seriesSql } from './seriesSql.ts'

type Values = Readonly<Record<string, string>>

/** What a query comes to: the metric, the statement that answers it and the values of its parameters. */
export type Question = {
  readonly entry: Metric
  readonly grain: SeriesGrain
  /** The statement over all values of the breakdown, and the unit of its figures. */
  readonly drawn: { readonly sql: string; readonly unit: string }
  /** Values of the breakdown asked for; none are all. */
  readonly keys: readonly string[]
  /** The statement for these values alone: what answers show. */
  readonly sql: string
  readonly parameters: Values
  /** The same with the whole range. */
  readonly whole: Values
}

/**
 * Checks a query against its metric. Throws `metrics.unknown_metric`, `metrics.unknown_entity`, `metrics.from`,
 * `metrics.to`, `metrics.grain`, `metrics.unit`, `metrics.breakdown`, `metrics.switches`.
 */
export function questionOf(metrics: readonly Metric[], query: SeriesQuery): Question {
  const entry = metricOf(metrics, query.id, query.entity)
  const grain = grainOf(query.grain)
  const drawn = seriesSql(entry, grain, query.unit ?? 'native')
  const keys = keysOf(entry, query.breakdown)
  const switches = switchesOf(entry, query.switches)
  const valuesFor = (range: Pick<SeriesQuery, 'from' | 'to'>): Values => ({
    ...valuesOf(entry, drawn.sql, grain, { ...range, entity: query.entity }),
    ...switches,
  })
  const parameters = valuesFor(query)
  checkFineRange(grain, parameters)
  return {
    entry,
    grain,
    drawn,
    keys,
    sql: onlyKeys(drawn.sql, keys, grain),
    parameters,
    whole: valuesFor({}),
  }
}

function grainOf(text: string | undefined): SeriesGrain {
  const grain = SERIES_GRAINS.find(known => known === (text ?? 'day'))
  if (grain !== undefined) return grain
  throw new MetricsError('metrics.grain', `grain is ${JSON.stringify(text)}`, {
    facts: { parameter: 'grain', value: text },
    hint: `Ask for one of ${SERIES_GRAINS.join(', ')}.`,
  })
}

function keysOf(entry: Metric, asked: readonly string[] | undefined): readonly string[] {
  if (asked === undefined || asked.length === 0) return []
  if (entry.breakdown === null) {
    throw new MetricsError('metrics.breakdown', `${entry.id} has no breakdown`, {
      facts: { parameter: 'breakdown' },
      hint: 'Leave breakdown out.',
    })
  }
  const known = entry.breakdown.values
  const strange = known.length === 0 ? undefined : asked.find(key => !known.includes(key))
  if (strange !== undefined) {
    throw new MetricsError(
      'metrics.breakdown',
      `${entry.id} has no ${entry.breakdown.name} ${JSON.stringify(strange)}`,
      {
        facts: { parameter: 'breakdown', value: strange },
        hint: `Available: ${known.join(', ')}.`,
      },
    )
  }
  return asked
}

/** Parameters of the switches that are on. */
function switchesOf(entry: Metric, asked: readonly string[] = []): Values {
  const known = entry.switches.map(({ name }) => name)
  const strange = asked.find(name => !known.includes(name))
  if (strange !== undefined) {
    throw new MetricsError('metrics.switches', `${entry.id} has no switch ${JSON.stringify(strange)}`, {
      facts: { parameter: 'switches', value: strange },
      hint: known.length === 0 ? 'Leave switches out.' : `Available: ${known.join(', ')}.`,
    })
  }
  return Object.fromEntries(asked.map(name => [name, '1']))
}

/** Values of the statement's parameters; a range covers whole buckets. */
function valuesOf(
  entry: Metric,
  sql: string,
  grain: SeriesGrain,
  query: Pick<SeriesQuery, 'from' | 'to' | 'entity'>,
): Values {
  const defaults = Object.fromEntries(entry.parameters.map(({ name, default: value }) => [name, value]))
  const from = parseDay(query.from ?? defaults.from ?? '2009-01-03', 'from')
  const to = parseDay(query.to ?? defaults.to ?? '2100-01-01', 'to')
  if (from > to) {
    throw new MetricsError('metrics.from', `from (${from}) lies after to (${to})`, {
      facts: { parameter: 'from', from, to },
      hint: 'Swap them.',
    })
  }
  const bucket = isFine(grain) ? 'day' : grain
  const values: Record<string, string> = {
    ...defaults,
    from: bucketStart(from, bucket),
    to: addDays(nextBucket(bucketStart(to, bucket), bucket), -1),
    grain,
    entity: query.entity,
  }
  return Object.fromEntries(parametersOf(sql).map(({ name }) => [name, values[name] ?? '']))
}

/** Blocks and hours are read from base rows: a range of them ends somewhere. */
function checkFineRange(grain: SeriesGrain, { from = '', to = '' }: Values): void {
  if (!isFine(grain)) return
  const most = MOST_FINE_DAYS[grain]
  if (to < addDays(from, most)) return
  throw new MetricsError('metrics.from', `by ${grain} an answer covers at most ${most} days`, {
    facts: { parameter: 'from', from, to },
    hint: `Name from and to, or a range of that length: range=${most >= 90 ? '90d' : '7d'}.`,
  })
}
