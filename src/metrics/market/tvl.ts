import type { Catalog } from '#catalog/index.ts'
import { figuresSql } from '../figuresSql.ts'
import { type Metric, metric } from '../metric.ts'

const defillama = { title: 'DefiLlama: chain TVL', url: 'https://defillama.com/chains' }

const TVL_SOURCES = ['defillama.tvl', 'defillama.tvl.recorded']

/** Value in the protocols of each layer that DefiLlama lists as a chain. */
export const tvlTotal = ({ layers }: Catalog): Metric =>
  metric({
    id: 'tvl.total',
    name: 'Value locked',
    unit: 'USD',
    entityKind: 'layer',
    entities: layers.filter(({ ids }) => ids.defillamaChain !== undefined).map(({ slug }) => slug),
    definition: 'Value in US dollars of what the protocols of the layer hold at the end of the UTC day.',
    why: 'How much money is at work on a layer.',
    how: 'As DefiLlama sums it over protocols: staking, pool2, borrowed, vesting, liquid staking and what is counted twice are left out.',
    misleads: 'It moves with prices; coins that lie idle on the layer are not in it.',
    ...figuresSql({ metric: 'tvl.total', type: 'Float64', outside: TVL_SOURCES }),
    sources: TVL_SOURCES,
    cadence: 'day',
    aggregate: 'last',
    calendar: 'reported',
    needs: 'No publisher’s figure is here yet: with internet the sources are asked by themselves.',
    since: { day: '2021-05-29' },
    direction: 'up',
    references: [defillama],
  })
