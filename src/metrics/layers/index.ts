import type { Catalog } from '#catalog/index.ts'
import type { Metric } from '../metric.ts'
import { builderMetrics } from './builders.ts'
import { layerFacts } from './common.ts'
import { economyMetrics } from './economy.ts'
import { usersOverlap } from './overlap.ts'
import { rootstockMetrics } from './rootstock.ts'
import { usageMetrics } from './usage.ts'

/** Metrics of the EVM layers, layer by layer in the order of the catalogue: one definition, written for each. */
export function layerMetrics({ evm }: Pick<Catalog, 'evm'>): readonly Metric[] {
  const layers = evm.map(layerFacts)
  return [
    ...layers.flatMap(layer => [
      ...usageMetrics(layer),
      ...economyMetrics(layer),
      ...builderMetrics(layer),
      ...(layer.id === 'rootstock' ? rootstockMetrics(layer) : []),
    ]),
    usersOverlap(layers),
  ]
}
