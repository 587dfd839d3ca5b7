import { MetricsError } from './errors.ts'
import { AGGREGATES, COMMON_PARAMETERS, type Metric, parametersOf } from './metric.ts'
import { reportedMembers } from './missingMembers.ts'

/** Columns that every metric's SQL returns; a ratio returns its two sums besides. */
const COLUMNS = ['day', 'key', 'value', 'state', 'source', 'from_height', 'to_height', 'as_of'] as const

const TEXTS = ['id', 'name', 'unit', 'definition', 'why', 'how', 'misleads', 'sql'] as const

/** Relations that a statement reads, its own CTEs left out. */
export function relationsOf(sql: string): string[] {
  const plain = sql.replace(/--[^\n]*/g, ' ').replace(/'(?:[^'\\]|\\.)*'/g, "''")
  const own = new Set(
    [...plain.matchAll(/(?:WITH|,)\s*(\w+)\s+AS\s*(?:MATERIALIZED\s*)?\(/g)].map(([, name]) => name!),
  )
  const read = [...plain.matchAll(/\b(?:FROM|(?<!ARRAY )JOIN)\s+([a-z_][\w.]*)/g)].map(([, name]) => name!)
  return [...new Set(read)].filter(name => !own.has(name))
}

/** Every fault of a registry, as sentences; empty where there is none. */
export function faultsOf(
  metrics: readonly Metric[],
  tables: ReadonlySet<string>,
  sources: ReadonlySet<string>,
): string[] {
  const seen = new Set<string>()
  return metrics.flatMap(entry => {
    const key = `${entry.id} of a ${entry.entityKind}`
    const faults: string[] = []
    // One definition may need another statement for each of its entities; of one entity it has one.
    for (const entity of entry.entities) {
      const name = `${entry.id}@${entity}`
      if (seen.has(name)) faults.push(`is declared twice for ${entity}`)
      seen.add(name)
    }
    if (!/^[a-z0-9_]+\.[a-z0-9_]+$/.test(entry.id)) faults.push('has an id that is not <subject>.<figure>')
    for (const field of TEXTS) if (entry[field].trim() === '') faults.push(`has no ${field}`)
    if (entry.definition.split(/[.!?]\s+[A-Z]/).length > 1)
      faults.push('has a definition of more than one sentence')
    if (!AGGREGATES.includes(entry.aggregate)) faults.push(`has an unknown aggregate ${entry.aggregate}`)
    if (entry.entities.length === 0) faults.push('has no entity')
    if (entry.sources.length === 0) faults.push('has no source')
    if (entry.references.length === 0) faults.push('has no reference')
    for (const { name } of entry.switches)
      if (!entry.parameters.some(parameter => parameter.name === name))
        faults.push(`has a switch ${name} that its SQL does not take`)
    if (new Set(entry.watches.map(({ id }) => id)).size < entry.watches.length)
      faults.push('has two watches of one id')
    const members = reportedMembers(entry)
    if (entry.watches.length > 0 && members !== undefined && members.sql !== entry.sql)
      faults.push('has a watch on a sum whose rows do not name its members')
    for (const source of entry.sources)
      if (!sources.has(source)) faults.push(`names an unknown source ${source}`)
    for (const table of [entry.sql, entry.fine?.sql ?? ''].flatMap(relationsOf)) {
      if (!tables.has(table)) faults.push(`reads ${table}, which is no public table`)
    }
    for (const { name, type } of parametersOf(entry.sql)) {
      const declared = entry.parameters.find(parameter => parameter.name === name)
      if (declared === undefined || declared.default === '')
        faults.push(`has no default for {${name}:${type}}`)
      else if (declared.type !== type) faults.push(`uses {${name}:${type}} where ${name} is ${declared.type}`)
    }
    for (const column of COLUMNS) {
      if (!new RegExp(`\\b${column}\\b`).test(entry.sql)) faults.push(`does not return ${column}`)
    }
    const hasSums = /\bnumerator\b/.test(entry.sql) && /\bdenominator\b/.test(entry.sql)
    const countsItself = entry.parameters.some(({ name }) => name === 'grain')
    if (entry.aggregate === 'recompute' && !hasSums && !countsItself) {
      faults.push('is recomputed, but returns neither sums nor takes a grain')
    }
    if (entry.aggregate === 'distinct' && !countsItself)
      faults.push('is a distinct count, but takes no grain')
    if (entry.breakdown !== null && entry.headline === undefined)
      faults.push('has a breakdown and no headline')
    return faults.map(fault => `${key} ${fault}`)
  })
}

/** Throws `metrics.registry` with all faults at once. */
export function checkRegistry(
  metrics: readonly Metric[],
  tables: ReadonlySet<string>,
  sources: ReadonlySet<string>,
): void {
  const faults = faultsOf(metrics, tables, sources)
  if (faults.length === 0) return
  throw new MetricsError(
    'metrics.registry',
    `the metric registry has ${faults.length} faults: ${faults.join('; ')}`,
    {
      facts: { faults: faults.length },
      hint: `Parameters with a default are ${COMMON_PARAMETERS.map(({ name }) => name).join(', ')}, or those an entry declares.`,
    },
  )
}
