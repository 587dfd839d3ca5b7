import type { Catalog } from '#catalog/index.ts'
import { unpricedOnStacks } from '#sources/live/teneroTokens.ts'
import { RANGE } from '../chainFigures.ts'
import { figuresSql } from '../figuresSql.ts'
import { type Metric, metric } from '../metric.ts'
import { quoted, quotedList } from '../rollups/sqlText.ts'
import { fromStacks, stacksState } from '../stacks/common.ts'
import { contractSources } from './common.ts'
import { priceRule } from './fromRows.ts'

/** What a publisher says beside the price from pools, and why it differs. */
export const BESIDE_POOLS = {
  source: 'tenero.tokens',
  why: 'Beside it stands what Tenero says at the moment of its answer, from trades and pools of its own choice: it moves within the day, and on thin pools the two may be far apart.',
} as const

/** Price of each token on Stacks that no publisher of the catalogue prices and that has no metrics of its own. */
export function pooledTokenMetrics(catalog: Catalog): Metric[] {
  const kinds = new Map(catalog.tokens.map(({ id, kind }) => [id, kind]))
  const ids = unpricedOnStacks(catalog)
    .map(({ id }) => id)
    .filter(id => kinds.get(id) !== 'meme')
  if (ids.length === 0) return []
  const contracts = catalog.tokens
    .filter(({ id }) => ids.includes(id))
    .flatMap(({ id, deployments }) =>
      deployments
        .filter(({ layer }) => layer === 'stacks')
        .map(({ contract }) => ({ id, contract: contract.split('::')[0] ?? contract })),
    )
  const entity = `transform(p.token, [${quotedList(contracts.map(({ contract }) => contract))}], [${contracts.map(({ id }) => quoted(id)).join(', ')}], '')`
  return [
    metric({
      ...fromStacks,
      entityKind: 'token',
      entities: ids,
      sources: [...fromStacks.sources, BESIDE_POOLS.source],
      id: 'token.price',
      name: 'Price of the token',
      unit: 'USD',
      definition:
        'Price of the token in US dollars on the UTC day, from the reserves of its pools on Stacks.',
      why: 'Every dollar figure of the token is an amount times this.',
      how: `${priceRule(catalog)} Of several contracts of one token the one nearest to a coin with a price counts. ${BESIDE_POOLS.why}`,
      misleads:
        'A price at which a hundred dollars changed hands is no price for a million: see the pools of the token.',
      needs: `It takes a pool of the token that is deep enough in blocks that are held, or internet: Tenero is asked for its price by itself. ${fromStacks.needs}`,
      references: [contractSources],
      ...figuresSql({
        metric: 'token.price',
        type: 'Float64',
        outside: [BESIDE_POOLS.source],
        chain: {
          ctes: [],
          select: `SELECT
      p.day AS day, '' AS key, argMin(p.usd * exp10(ifNull(p.decimals, 0)), (p.steps, p.token)) AS value, ${stacksState('p.day')} AS state,
      'stacks.chain' AS source, any(h.from_height) AS from_height, any(h.to_height) AS to_height, any(h.last_time) AS as_of
    FROM stx_token_prices AS p
    INNER JOIN stx_block_days AS h ON h.bucket = p.day
    WHERE p.day ${RANGE} AND p.decimals IS NOT NULL AND ${entity} = {entity:String}
    GROUP BY p.day`,
          isRatio: false,
        },
      }),
      aggregate: 'last',
    }),
  ]
}
