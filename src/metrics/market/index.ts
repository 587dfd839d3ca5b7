import type { Catalog } from '#catalog/index.ts'
import type { Metric } from '../metric.ts'
import { bitcoinFlowMetrics, bitcoinHeldMetrics } from './bitcoinHeld.ts'
import { dexMetrics } from './dex.ts'
import { revenueMetrics } from './revenue.ts'
import { riskMetrics } from './risk.ts'
import { stablesMetrics } from './stables.ts'
import { tokenMetrics } from './tokens.ts'
import { tvlMetrics } from './tvl.ts'
import { usageMetrics } from './usage.ts'

/** Metrics whose figures publishers give: of every layer, token and protocol that the catalogue names a publisher for. */
export const marketMetrics = (catalog: Catalog): Metric[] => [
  ...tvlMetrics(catalog),
  ...bitcoinMetrics(catalog),
  ...stablesMetrics(catalog),
  ...dexMetrics(catalog),
  ...revenueMetrics(catalog),
  ...tokenMetrics(catalog),
  ...riskMetrics(catalog),
  ...usageMetrics(catalog),
]

function bitcoinMetrics(catalog: Catalog): Metric[] {
  const held = bitcoinHeldMetrics(catalog)
  const byToken = held.find(({ id }) => id === 'btc.by_token')
  return byToken === undefined ? held : [...held, ...bitcoinFlowMetrics(catalog, byToken)]
}
