import type { Catalog } from '#catalog/index.ts'
import type { Metric } from '../metric.ts'
import { levelMetrics } from './levels.ts'
import { riskMetrics } from './risk.ts'

/** Level, holdings and risk of the indices that the catalogue has. */
export function indexMetrics({ indices }: Pick<Catalog, 'indices'>): Metric[] {
  if (indices.length === 0) return []
  const known = indices.map(({ id, members }) => ({ id, tokens: members.map(({ token }) => token) }))
  return [...levelMetrics(known), ...riskMetrics(known.map(({ id }) => id))]
}
