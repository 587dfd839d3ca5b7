import type { MetricEntry, SourceRef } from './answers.ts'
import { cadenceDays } from './cadence.ts'
import { MetricsError } from './errors.ts'
import { grainsOf, isBreakdownComplete, type Metric } from './metric.ts'

/** The entry of an id that has the entity. Throws `metrics.unknown_metric`, `metrics.unknown_entity`. */
export function metricOf(metrics: readonly Metric[], id: string, entity: string): Metric {
  const named = withId(metrics, id)
  const entry = named.find(({ entities }) => entities.includes(entity))
  if (entry !== undefined) return entry
  throw new MetricsError('metrics.unknown_entity', `${id} has no entity ${JSON.stringify(entity)}`, {
    facts: { parameter: 'entity', value: entity },
    hint: `Available: ${named.flatMap(({ entities }) => entities).join(', ')}.`,
  })
}

/** The entry of an id; `entityKind`, or the entity itself, where several share it. Throws `metrics.unknown_metric`, `metrics.unknown_entity`. */
export function metricOfKind(
  metrics: readonly Metric[],
  id: string,
  entityKind?: string,
  entity?: string,
): Metric {
  if (entity !== undefined) return metricOf(metrics, id, entity)
  const named = withId(metrics, id)
  const entry = named.find(known => entityKind === undefined || known.entityKind === entityKind)
  if (entry !== undefined) return entry
  throw new MetricsError('metrics.unknown_metric', `${id} is no metric of a ${entityKind}`, {
    facts: { parameter: 'entityKind', value: entityKind },
    hint: `It is one of a ${[...new Set(named.map(known => known.entityKind))].join(', ')}.`,
  })
}

/** A metric as the catalogue lists it. */
export function entryOf(entry: Metric, sources: ReadonlyMap<string, SourceRef>): MetricEntry {
  const {
    headline: _,
    calendar: __,
    besideSql: ___,
    needs: ____,
    fine: _____,
    observedAs: ______,
    coverage: _______,
    ...rest
  } = entry
  return {
    ...rest,
    entities: [...entry.entities],
    cadenceDays: cadenceDays(entry),
    grains: grainsOf(entry),
    members: membersEntry(entry.members),
    breakdown:
      entry.breakdown === null
        ? null
        : {
            name: entry.breakdown.name,
            values: [...entry.breakdown.values],
            isComplete: isBreakdownComplete(entry),
            ...(entry.breakdown.total !== undefined && { total: entry.breakdown.total }),
          },
    parameters: [...entry.parameters],
    switches: [...entry.switches],
    sources: entry.sources.flatMap(id => sources.get(id) ?? []),
    references: [...entry.references],
    watches: [...entry.watches],
  }
}

const membersEntry = (members: Metric['members']): MetricEntry['members'] =>
  members === undefined ? null : { name: members.name, sql: members.sql, isSum: members.isSum }

const byId = new WeakMap<readonly Metric[], ReadonlyMap<string, readonly Metric[]>>()

/** The metrics that share an id, in their order; none where there is none. */
export function metricsNamed(metrics: readonly Metric[], id: string): readonly Metric[] {
  let known = byId.get(metrics)
  if (known === undefined) {
    known = Map.groupBy(metrics, entry => entry.id)
    byId.set(metrics, known)
  }
  return known.get(id) ?? []
}

function withId(metrics: readonly Metric[], id: string): readonly Metric[] {
  const named = metricsNamed(metrics, id)
  if (named.length > 0) return named
  throw new MetricsError('metrics.unknown_metric', `there is no metric ${JSON.stringify(id)}`, {
    facts: { parameter: 'id', value: id },
    hint: `Near are ${nearest(
      id,
      metrics.map(entry => entry.id),
    ).join(', ')}.`,
  })
}

/** The three names that share most letter pairs with `name`. */
function nearest(name: string, known: readonly string[]): string[] {
  const pairsOf = (text: string) =>
    new Set(Array.from({ length: text.length - 1 }, (_, i) => text.slice(i, i + 2)))
  const pairs = pairsOf(name)
  const likeness = (other: string) => pairsOf(other).intersection(pairs).size / other.length
  return [...new Set(known)].sort((a, b) => likeness(b) - likeness(a)).slice(0, 3)
}
