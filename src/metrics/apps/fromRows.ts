import type { Catalog, CatalogProtocol } from '#catalog/index.ts'
import { LIQUIDITY_FLOOR_USD } from '#kernel/stacks.ts'
import { type ChainFigures, RANGE } from '../chainFigures.ts'
import { POOL_STANDS_DAYS, PRICE_STANDS_DAYS } from '../rollups/dexValues.ts'
import { quotedList } from '../rollups/sqlText.ts'
import { fromStacks, stacksState } from '../stacks/common.ts'

/** What entries about applications on Stacks share. */
export const ofApps = {
  ...fromStacks,
  entityKind: 'protocol',
} as const

/** How tokens are priced, in words. */
export const priceRule = ({ dexTokens: { anchors, tokens } }: Pick<Catalog, 'dexTokens'>): string =>
  `STX and bitcoin by publishers’ closes, ${anchors
    .filter(({ asset }) => asset === 'USD')
    .map(({ token }) => tokens.find(known => known.token === token)?.symbol ?? token)
    .join(
      ' and ',
    )} as a dollar; any other token by the pool with the most valuable other side, at most two steps from those, if that side is at least ${LIQUIDITY_FLOOR_USD.toLocaleString('en')} US dollars: the median over the hours of the day of the price after the hour’s last event. The price of a pool without events is valid for ${POOL_STANDS_DAYS} more days. Any price is valid for ${PRICE_STANDS_DAYS} days.`

/** Applications with contracts on Stacks. */
export const appsOnStacks = ({ protocols }: Catalog): CatalogProtocol[] =>
  protocols.filter(({ contracts }) => contracts.some(({ layer }) => layer === 'stacks'))

/** The application’s contracts on Stacks, as an SQL list. */
export const contractList = ({ contracts }: CatalogProtocol): string =>
  quotedList(contracts.filter(({ layer }) => layer === 'stacks').map(({ address }) => address))

type Figures = {
  readonly key?: string
  readonly value: string
  readonly numerator?: string
  readonly denominator?: string
  readonly where?: string
  /** What is beside `v`. */
  readonly join?: string
}

const HEIGHTS = 'h.from_height, h.to_height, h.last_time'

/** Figures by day of an exchange, summed over its pools: `v` is a row of `stx_pool_values`. */
export const perDexDay = ({
  key = "''",
  value,
  numerator,
  denominator,
  where,
  join = '',
}: Figures): ChainFigures => ({
  ctes: [],
  select: `SELECT
      v.day AS day, ${key} AS key, ${value} AS value,${
        numerator === undefined ? '' : `\n      ${numerator} AS numerator, ${denominator} AS denominator,`
      }
      ${stacksState('v.day')} AS state, 'stacks.chain' AS source,
      h.from_height AS from_height, h.to_height AS to_height, h.last_time AS as_of
    FROM stx_pool_values AS v
    INNER JOIN stx_block_days AS h ON h.bucket = v.day${join}
    WHERE v.day ${RANGE}${where === undefined ? '' : ` AND ${where}`}
    GROUP BY v.day, key, ${HEIGHTS}`,
  isRatio: numerator !== undefined,
})
export const OF_EXCHANGE = 'v.protocol = {entity:String}'

const symbol = (of: string): string =>
  `transform(v.${of}, (SELECT groupArray(token) FROM stx_dex_tokens), (SELECT groupArray(symbol) FROM stx_dex_tokens), '?')`
/**
 * A pool in words, short enough to stand beside a line: `STX/WELSH #7`, `sBTC/STX v-1-1`, `STX/stSTX stable v-1-4`. What
 * tells pools of one pair apart is the number of the pool, or the end of its contract’s name.
 */
export const POOL_KEY = `trim(concat(
      ${symbol('token_x')}, '/', ${symbol('token_y')}, if(v.curve IN ('stable', 'bins'), concat(' ', toString(v.curve)), ''), ' ',
      if(position(v.pool, '#') > 0, concat('#', splitByChar('#', v.pool)[2]), extract(v.pool, '(?:v[-_]?[0-9][-0-9]*|[0-9]{4})(?:-bps-[0-9]+)?$'))
    ))`
