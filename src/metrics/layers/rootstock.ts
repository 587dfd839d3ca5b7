import { figuresSql } from '../figuresSql.ts'
import { type Metric, metric, SUM_OF_KEYS } from '../metric.ts'
import { fromLayer, type LayerFacts, perLayerDay, weiOf } from './common.ts'
import { PEG_EVENTS } from './pegEvents.ts'

const rskips = {
  title: 'RSKIP-92, -98, -110: merged mining',
  url: 'https://github.com/rsksmart/RSKIPs',
}
const powpeg = {
  title: 'rskj: bridge events',
  url: 'https://github.com/rsksmart/rskj/blob/master/rskj-core/src/main/java/co/rsk/peg/utils/BridgeEventLoggerImpl.java',
}

/** What Rootstock alone has: work of Bitcoin's miners, and a peg that speaks by events. */
export function rootstockMetrics(layer: LayerFacts): Metric[] {
  const shared = fromLayer(layer)
  const bridge = (
    direction: 'in' | 'out',
    texts: { name: string; definition: string; why: string },
  ): Metric =>
    metric({
      ...shared,
      ...texts,
      id: `bridge.${direction}`,
      unit: weiOf(layer),
      breakdown: { name: 'event', values: [...PEG_EVENTS[direction]] },
      headline: SUM_OF_KEYS,
      how: 'Amounts of the events of the PowPeg, of Flyover and of FastBTC, each at its own contract; peg satoshis are converted to wei of RBTC, 10^10 per satoshi.',
      misleads:
        'Coins that pass through a liquidity provider (Flyover, FastBTC) settle with the peg later and can count there again. Requests can still be refused.',
      ...figuresSql({
        metric: `bridge.${direction}`,
        type: 'Int256',
        chain: perLayerDay(layer, {
          table: 'evm_bridge_days',
          key: 'r.event',
          value: 'r.amount_wei',
          where: `r.direction = '${direction}'`,
        }),
      }),
      aggregate: 'sum',
      references: [powpeg],
    })
  return [
    metric({
      ...shared,
      id: 'merge_mining.tagged',
      name: 'Merge-mined blocks',
      unit: 'ratio',
      definition:
        'Share of the layer’s blocks of the UTC day with a Bitcoin header that commits to them in its coinbase.',
      why: 'Verifies that Bitcoin miners worked on this chain.',
      how: 'Blocks with a merged-mining header that has the tag RSKBLOCK: with the block’s own hash, recomputed here, ÷ blocks.',
      misleads:
        'Most such Bitcoin headers never become Bitcoin blocks, because Rootstock’s difficulty is lower. The share of Bitcoin’s blocks with the tag is merge_mining.share.',
      ...figuresSql({
        metric: 'merge_mining.tagged',
        type: 'Float64',
        chain: perLayerDay(layer, {
          value: 'h.tagged_block_count / nullIf(h.block_count, 0)',
          numerator: 'toFloat64(h.tagged_block_count)',
          denominator: 'toFloat64(h.block_count)',
        }),
      }),
      aggregate: 'recompute',
      direction: 'up',
      references: [rskips],
    }),
    metric({
      ...shared,
      id: 'blocks.uncles',
      name: 'Uncles',
      unit: 'blocks',
      definition:
        'Blocks of the UTC day that lost to another block at their height and are listed as uncles.',
      why: 'How often miners find competing blocks, a cost of merged mining every 30 seconds.',
      how: 'Sum of uncles named by blocks of the day.',
      misleads: 'Blocks that are never named as uncles are missing.',
      ...figuresSql({
        metric: 'blocks.uncles',
        type: 'Int64',
        chain: perLayerDay(layer, { value: 'h.uncle_count' }),
      }),
      aggregate: 'sum',
      direction: 'down',
      references: [rskips],
    }),
    bridge('in', {
      name: 'Inflow to Rootstock',
      definition: 'Bitcoin that entered Rootstock on the UTC day through bridges with decoded events.',
      why: 'Coins that move to the layer.',
    }),
    bridge('out', {
      name: 'Outflow from Rootstock',
      definition:
        'Bitcoin that left Rootstock on the UTC day, or was requested back, through bridges with decoded events.',
      why: 'Coins that leave the layer. With inflow, shows whether the layer retains capital.',
    }),
  ]
}
