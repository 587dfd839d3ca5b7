import type { Metric } from '../metric.ts'
import { builderMetrics } from './builders.ts'
import { LAYERS } from './common.ts'
import { economyMetrics } from './economy.ts'
import { usersOverlap } from './overlap.ts'
import { rootstockMetrics } from './rootstock.ts'
import { usageMetrics } from './usage.ts'

/** Metrics of the EVM layers, layer by layer in the order of the catalogue: one definition, written for each. */
export const LAYER_METRICS: readonly Metric[] = [
  ...LAYERS.flatMap(layer => [
    ...usageMetrics(layer),
    ...economyMetrics(layer),
    ...builderMetrics(layer),
    ...(layer.id === 'rootstock' ? rootstockMetrics(layer) : []),
  ]),
  usersOverlap,
]
