import type { Catalog } from '#catalog/index.ts'
import { MIN_SHARE_COVERAGE } from '#kernel/share.ts'
import { RANGE } from '../chainFigures.ts'
import { figuresSql } from '../figuresSql.ts'
import { REFERENCES } from '../market/published.ts'
import { type Metric, metric, SUM_OF_KEYS, type Switch } from '../metric.ts'
import { sharedWholeSql } from '../shareSql.ts'
import { bucketOf, DAYS_OF_BUCKET, stateOfStacksBucket } from '../stacks/common.ts'
import { contractSources } from './common.ts'
import { OF_EXCHANGE, ofApps, perDexDay, priceRule } from './fromRows.ts'

const routes: Switch = {
  name: 'routes',
  doc: 'a route counts once, by its first swap; otherwise each pool on the route counts',
}
const WASH =
  'Trading rewards encourage wash trades, which inflate volume and fees and are not separated here. Prices do not reflect them. Swaps of two tokens without a price are excluded and counted in dex.unpriced.'

const VOLUME_PUBLISHERS = ['defillama.dexs', 'defillama.dexs.recorded'] as const
/** Volume of all exchanges on Stacks by their publisher: dex.volume of the layer. */
const volumeOfStacks = figuresSql({
  metric: 'dex.volume',
  type: 'Float64',
  outside: VOLUME_PUBLISHERS,
}).sql.replaceAll('{entity:String}', "'stacks'")

/** What exchanges on Stacks do, from the prints of their contracts. */
export function dexMetrics(catalog: Catalog): Metric[] {
  const { protocols, exchanges } = catalog
  const entities = exchanges.map(({ protocol }) => protocol)
  if (entities.length === 0) return []
  const prices = priceRule(catalog)
  const leftOut = exchanges.flatMap(({ notCovered }) =>
    notCovered.map(({ contract, why }) => `${contract}: ${why}`),
  )
  const shared = { ...ofApps, entities, references: [contractSources] } as const
  const ofExchange = 'sumIf(v.volume_usd, v.protocol = {entity:String})'
  // A day without a total joins as 0.
  const sharedWhole = sharedWholeSql('sum(v.volume_usd)', 'nullIf(any(t.value), 0)')
  const unlisted = entities.filter(slug =>
    protocols.some(known => known.slug === slug && known.ids.defillama === undefined),
  )
  return [
    metric({
      ...shared,
      id: 'dex.volume',
      name: 'Volume of the exchange',
      unit: 'USD',
      definition: 'Value in US dollars of one side of each swap in the exchange’s pools on the UTC day.',
      why: 'How much the exchange is used.',
      how: `From prints and transfers of its contracts (stx_dex_events), each at the price of the side with the deeper market. ${prices} DefiLlama’s figure is shown for comparison. It differs by the time of its prices, by contracts that either side excludes (ours: ${leftOut.length === 0 ? 'none' : leftOut.join(' ')}) and by whether a route counts once.`,
      misleads: WASH,
      switches: [routes],
      ...figuresSql({
        metric: 'dex.volume',
        type: 'Float64',
        chain: perDexDay({
          value: 'sum(if({routes:UInt8} = 1, v.routed_usd, v.volume_usd))',
          where: OF_EXCHANGE,
        }),
        outside: VOLUME_PUBLISHERS,
      }),
      sources: ['stacks.chain', ...VOLUME_PUBLISHERS],
      aggregate: 'sum',
      direction: 'up',
      references: [contractSources, REFERENCES.defillamaDexs],
    }),
    metric({
      ...shared,
      id: 'dex.fees',
      name: 'Fees of the exchange',
      unit: 'USD',
      breakdown: { name: 'who gets them', values: ['providers', 'exchange'] },
      headline: SUM_OF_KEYS,
      definition: 'Value in US dollars of the fees that swaps of the UTC day paid, by who gets them.',
      why: 'What trading costs, and what providing liquidity earns before the price has moved.',
      how: `From the fees or fee rates in the prints. A fee counts in the input token. If that has no price, at what the pool gives for it. ${prices}`,
      misleads: 'Excludes token rewards, and fees that an aggregator or wallet adds.',
      ...figuresSql({
        metric: 'dex.fees',
        type: 'Float64',
        chain: {
          ctes: [],
          select: `${perDexDay({ key: "'providers'", value: 'sum(v.lp_fee_usd)', where: OF_EXCHANGE }).select}
    UNION ALL
    ${perDexDay({ key: "'exchange'", value: 'sum(v.protocol_fee_usd)', where: OF_EXCHANGE }).select}`,
          isRatio: false,
        },
      }),
      aggregate: 'sum',
    }),
    metric({
      ...shared,
      id: 'revenue.apps',
      name: 'Revenue of the exchange',
      unit: 'USD',
      definition: 'Value in US dollars of the part of swap fees of the UTC day that the exchange takes.',
      why: 'Whether the exchange covers its costs.',
      how: 'The exchange’s share of dex.fees. DefiLlama’s figure is shown for comparison. It differs by the time of its prices and by pools that either side excludes.',
      misleads: 'Rewards paid out in its own token are not deducted.',
      ...figuresSql({
        metric: 'revenue.apps',
        type: 'Float64',
        chain: perDexDay({ value: 'sum(v.protocol_fee_usd)', where: OF_EXCHANGE }),
        outside: ['defillama.fees'],
      }),
      sources: ['stacks.chain', 'defillama.fees'],
      aggregate: 'sum',
      direction: 'up',
    }),
    ...(unlisted.length === 0
      ? []
      : [
          metric({
            ...shared,
            entities: unlisted,
            id: 'tvl.total',
            name: 'Value in pools',
            unit: 'USD',
            definition: 'Value in US dollars in the exchange’s pools at the end of the UTC day.',
            why: 'How much capital users entrust to one application.',
            how: `Sum of pool.tvl over its pools, since no publisher of values knows it. ${prices}`,
            misleads: 'Excludes pools without a price on either side, and farms and locks outside of pools.',
            ...figuresSql({
              metric: 'tvl.total',
              type: 'Float64',
              chain: perDexDay({ value: 'sum(v.tvl_usd)', where: OF_EXCHANGE }),
            }),
            aggregate: 'last',
            direction: 'up',
          }),
        ]),
    metric({
      ...shared,
      id: 'dex.swaps',
      name: 'Swaps',
      unit: 'swaps',
      definition: 'Swaps in the exchange’s pools on the UTC day.',
      why: 'Volume cannot tell many small trades from a few large ones.',
      how: 'Prints of swaps with readable tokens, amounts and fee. A route through three pools has three.',
      misleads: 'On quiet days, most of it is arbitrage between exchanges.',
      ...figuresSql({
        metric: 'dex.swaps',
        type: 'Int64',
        chain: perDexDay({ value: 'sum(v.swap_count)', where: OF_EXCHANGE }),
      }),
      aggregate: 'sum',
    }),
    metric({
      ...shared,
      id: 'dex.unread',
      name: 'Prints not read',
      unit: 'prints',
      definition:
        'Prints of the exchange’s pools on the UTC day that no rule decodes, or whose amounts do not match the transfers.',
      why: 'A change in a contract’s prints shows here first. Its swaps are then missing from all other figures.',
      how: 'Prints of the known contracts with an unknown event, a missing field, or amounts that the transfers before them do not show.',
      misleads: 'Contracts missing from the catalog are missing from this figure too.',
      ...figuresSql({
        metric: 'dex.unread',
        type: 'Int64',
        chain: perDexDay({ value: 'sum(v.unread_count)', where: OF_EXCHANGE }),
      }),
      aggregate: 'sum',
      direction: 'down',
    }),
    metric({
      ...shared,
      id: 'dex.unpriced',
      name: 'Swaps without a price',
      unit: 'ratio',
      definition: 'Share of swaps in the bucket with no price for either token.',
      why: 'How much activity the volume misses.',
      how: 'Swaps in pools without a priced token ÷ all swaps that could be read.',
      misleads:
        'By count, so a pool of worthless tokens that a bot trades all day weighs as much as any other.',
      ...figuresSql({
        metric: 'dex.unpriced',
        type: 'Float64',
        chain: perDexDay({
          value: 'sumIf(v.swap_count, isNull(v.volume_usd)) / nullIf(sum(v.swap_count), 0)',
          numerator: 'sumIf(v.swap_count, isNull(v.volume_usd))',
          denominator: 'sum(v.swap_count)',
          where: OF_EXCHANGE,
        }),
      }),
      aggregate: 'recompute',
      direction: 'down',
    }),
    metric({
      ...shared,
      id: 'dex.share',
      name: 'Share of volume',
      unit: 'ratio',
      definition:
        'The exchange’s volume ÷ the volume of all exchanges on Stacks, as DefiLlama reports it for the same UTC day.',
      why: 'Which exchange traders choose.',
      how: `dex.volume of the exchange ÷ dex.volume of Stacks, or ÷ the sum over ${entities.join(', ')} where that is more. No share where these cover less than ${MIN_SHARE_COVERAGE * 100}% of the total, or the total is unknown.`,
      misleads:
        'DefiLlama values swaps at other moments. Exchanges without an adapter are missing from its total.',
      ...figuresSql({
        metric: 'dex.share',
        type: 'Float64',
        chain: perDexDay({
          value: `${ofExchange} / nullIf(${sharedWhole}, 0)`,
          numerator: `if(${sharedWhole} IS NULL, NULL, ${ofExchange})`,
          denominator: sharedWhole,
          join: `
    LEFT JOIN (
${volumeOfStacks}
    ) AS t ON t.day = v.day`,
        }),
      }),
      sources: ['stacks.chain', ...VOLUME_PUBLISHERS],
      aggregate: 'recompute',
      references: [contractSources, REFERENCES.defillamaDexs],
    }),
    metric({
      ...shared,
      id: 'dex.traders',
      name: 'Traders',
      unit: 'addresses',
      definition: 'Distinct addresses that swapped in the exchange’s pools in the bucket.',
      why: 'The number of traders. Weeks and months are counted directly, never summed from days.',
      how: 'The trader named in the print, else the payer. A contract that trades for others counts as one.',
      misleads: 'One person can have many addresses, and a router can trade for many people.',
      sql: `SELECT
  b.bucket AS day, '' AS key, toInt64(b.traders) AS value,
  ${stateOfStacksBucket('b')} AS state,
  'stacks.chain' AS source, b.from_height AS from_height, b.to_height AS to_height, b.as_of AS as_of
FROM (
  SELECT
    ${bucketOf('block_time')} AS bucket, ${DAYS_OF_BUCKET} AS days, uniqExact(trader) AS traders,
    min(height) AS from_height, max(height) AS to_height, max(block_time) AS as_of
  FROM stx_dex_swaps
  WHERE protocol = {entity:String} AND toDate(block_time) ${RANGE}
  GROUP BY bucket
) AS b
ORDER BY day`,
      aggregate: 'distinct',
      direction: 'up',
    }),
  ]
}
