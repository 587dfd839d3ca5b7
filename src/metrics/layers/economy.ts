import { figuresSql } from '../figuresSql.ts'
import { type Metric, metric } from '../metric.ts'
import { fromLayer, jsonRpc, type LayerFacts, perLayerBucket, perLayerDay, weiOf } from './common.ts'

const opFees = {
  title: 'OP Stack: transaction fees',
  url: 'https://docs.optimism.io/op-stack/transactions/fees',
}

/** What users pay, and how fast the chain runs. */
export function economyMetrics(layer: LayerFacts): Metric[] {
  const shared = fromLayer(layer)
  const known = (value: string): string => `if(h.unknown_fee_tx_count > 0, NULL, ${value})`
  return [
    metric({
      ...shared,
      id: 'fees.total',
      name: 'Fees paid',
      unit: weiOf(layer),
      definition: 'Fees of users’ transactions in the layer’s blocks of the UTC day.',
      why: 'What users pay for the layer’s block space.',
      how: `Gas used × price paid, summed over users’ transactions${layer.hasL1Fee ? ', with the L1 data fee and the operator fee from receipts' : ''}.`,
      misleads: 'One mistaken fee can outweigh a day. Read it with the median.',
      ...figuresSql({
        metric: 'fees.total',
        type: 'Int256',
        chain: perLayerDay(layer, { value: known('h.fee_wei') }),
      }),
      aggregate: 'sum',
      references: layer.hasL1Fee ? [jsonRpc, opFees] : [jsonRpc],
    }),
    ...(layer.hasL1Fee
      ? [
          metric({
            ...shared,
            id: 'fees.l1_data',
            name: 'L1 data fees',
            unit: weiOf(layer),
            definition: 'Share of users’ fees of the UTC day that pays for data on the parent chain.',
            why: 'How much of transaction cost goes to the parent chain.',
            how: 'Sum of the L1 fee of receipts.',
            misleads: 'What users are charged, not what the operator pays on the parent chain.',
            ...figuresSql({
              metric: 'fees.l1_data',
              type: 'Int256',
              chain: perLayerDay(layer, { value: known('h.l1_fee_wei') }),
            }),
            aggregate: 'sum',
            references: [opFees],
          }),
        ]
      : []),
    metric({
      ...shared,
      id: 'fees.median_tx',
      name: 'Median fee',
      unit: weiOf(layer),
      definition: 'Median fee of users’ transactions of the bucket.',
      why: 'What a typical transaction costs.',
      how: 'Median over transactions signed on the layer, with the lower of two middle values. Excludes deposits from the parent chain, which pay there.',
      misleads: 'If coin transfers are cheap and calls expensive, it reflects which of them is more common.',
      ...figuresSql({
        metric: 'fees.median_tx',
        type: 'Int256',
        chain: perLayerBucket(layer, 'r.median_fee_wei'),
      }),
      aggregate: 'mean',
      direction: 'down',
      references: [jsonRpc],
    }),
    metric({
      ...shared,
      id: 'chain.throughput',
      name: 'Throughput',
      unit: 'gas/s',
      definition: 'Gas used per second in the layer’s blocks of the UTC day.',
      why: 'Computation performed by the chain.',
      how: 'Gas used by all transactions ÷ seconds between consecutive blocks, both summed over the day.',
      misleads: 'Gas limits and operation costs differ between chains. Usage is not capacity.',
      ...figuresSql({
        metric: 'chain.throughput',
        type: 'Float64',
        chain: perLayerDay(layer, {
          value: 'h.gas_used / nullIf(h.interval_sum, 0)',
          numerator: 'toFloat64(h.gas_used)',
          denominator: 'h.interval_sum',
        }),
      }),
      aggregate: 'recompute',
      direction: 'up',
      references: [jsonRpc],
    }),
    metric({
      ...shared,
      id: 'chain.block_time',
      name: 'Block time',
      unit: 's',
      breakdown: { name: 'statistic', values: ['mean', 'median'] },
      headline: 'median',
      definition: 'Seconds between consecutive blocks of the layer, mean and median over the UTC day.',
      why: 'How long a sender waits for the next block.',
      how: 'Time of a block minus that of the previous block, counted on the day of the later one.',
      misleads: 'Times are full seconds as stated by block producers.',
      ...figuresSql({
        metric: 'chain.block_time',
        type: 'Float64',
        chain: perLayerDay(layer, {
          key: "arrayJoin(['mean', 'median'])",
          value: "if(key = 'mean', h.interval_sum / nullIf(h.interval_count, 0), h.median_interval)",
        }),
      }),
      aggregate: 'mean',
      direction: 'down',
      references: [jsonRpc],
    }),
    metric({
      ...shared,
      id: 'blocks.count',
      name: 'Blocks',
      unit: 'blocks',
      definition: 'Blocks of the layer’s best chain with a time on the UTC day.',
      why: 'The pace of the chain.',
      how: 'Count by block time.',
      misleads: 'More blocks do not mean more capacity, because gas limits differ.',
      ...figuresSql({
        metric: 'blocks.count',
        type: 'Int64',
        chain: perLayerDay(layer, { value: 'h.block_count' }),
      }),
      aggregate: 'sum',
      references: [jsonRpc],
    }),
  ]
}
