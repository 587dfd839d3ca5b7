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
      how: 'Amounts of the events of the PowPeg, of Flyover and of FastBTC, each at its own contract; satoshis of the peg are told in wei of RBTC, 10^10 a satoshi.',
      misleads:
        'Coins that pass through a lender of liquidity (Flyover, FastBTC) settle with the peg later and may count there again; what is asked for may still be refused.',
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
      name: 'Blocks that Bitcoin’s miners committed to',
      unit: 'ratio',
      definition:
        'Share of the layer’s blocks of the UTC day whose Bitcoin header commits to them in its coinbase.',
      why: 'That the work of Bitcoin’s miners was really done for this chain.',
      how: 'Blocks whose merged-mining header has the tag RSKBLOCK: with the block’s own hash, recomputed here, ÷ blocks.',
      misleads:
        'Most such Bitcoin headers never become Bitcoin blocks: Rootstock is easier. The share of Bitcoin’s blocks with the tag is merge_mining.share.',
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
      definition: 'Blocks of the UTC day that lost against another of their height and are named as uncles.',
      why: 'How often miners work side by side: what merged mining every 30 seconds costs.',
      how: 'Uncles that blocks of the day name, summed.',
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
      name: 'Into Rootstock',
      definition: 'Bitcoin that entered Rootstock on the UTC day through the bridges whose events are known.',
      why: 'Coins that begin to live on the layer.',
    }),
    bridge('out', {
      name: 'Out of Rootstock',
      definition:
        'Bitcoin that left Rootstock on the UTC day, or was asked back, through the bridges whose events are known.',
      why: 'Coins that go home: with what enters, whether the layer holds its money.',
    }),
  ]
}
