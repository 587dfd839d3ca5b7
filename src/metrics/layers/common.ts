import type { EvmLayerFacts } from '#catalog/index.ts'
import { type EvmLayer, rpcVariableOf } from '#kernel/evm.ts'
import { chainSourceOf } from '#sources/layers.ts'
import { type ChainFigures, RANGE } from '../chainFigures.ts'

/** What of a layer its metrics are written with. */
export type LayerFacts = {
  readonly id: EvmLayer
  /** The coin that pays for gas. */
  readonly coin: string
  /** Its first day, UTC; its first block where no source says the day. */
  readonly since: { readonly day: string } | { readonly height: 0 }
  /** Its transactions pay for the parent chain's data. */
  readonly hasL1Fee: boolean
}

/** The same of a layer of the catalogue. On the OP Stack receipts state what the parent chain’s data costs. */
export const layerFacts = ({ id, coin, genesis: { timeS }, stack }: EvmLayerFacts): LayerFacts => ({
  id,
  coin: coin.symbol,
  since: timeS === null ? { height: 0 } : { day: new Date(timeS * 1000).toISOString().slice(0, 10) },
  hasL1Fee: stack === 'op',
})

/** Amounts in wei of a coin: the unit says which. */
export const weiOf = ({ coin }: LayerFacts): string => `wei.${coin}`

/** What entries from our own rows of an EVM layer share. */
export const fromLayer = ({ id, since }: LayerFacts) =>
  ({
    entityKind: 'layer',
    entities: [id],
    sources: [chainSourceOf(id)],
    cadence: 'block',
    since,
    direction: 'neither',
    needs: `No day has all of its blocks indexed: set ${rpcVariableOf(id)}.`,
  }) as const

export const jsonRpc = {
  title: 'Ethereum JSON-RPC: blocks, transactions, receipts',
  url: 'https://ethereum.github.io/execution-apis/api-documentation/',
}

/** A day or longer that is not whole: under way, or with a gap. */
const openState = (end: string): string =>
  `if(${end} > toDate(now('UTC') - INTERVAL 3 HOUR), 'partial', 'incomplete')`

const stateOfDay = (layer: EvmLayer, day: string): string =>
  `if(${day} IN (SELECT day FROM evm_whole_days WHERE chain = '${layer}'), 'whole', ${openState(`${day} + 1`)})`

type LayerFigures = {
  /** A rollup by day, at hand as `r`; that of blocks unless given, which is at hand as `h` in any case. */
  readonly table?: string
  readonly with?: readonly string[]
  readonly key?: string
  readonly value: string
  readonly numerator?: string
  readonly denominator?: string
  readonly where?: string
  /** Several rows of the table make one figure. */
  readonly isSum?: boolean
}

/** Figures by day from a rollup of one layer. */
export function perLayerDay({ id }: LayerFacts, figures: LayerFigures): ChainFigures {
  const { table, key = "''", where, numerator } = figures
  const day = table === undefined ? 'h.bucket' : 'r.bucket'
  const sums =
    numerator === undefined ? '' : `\n      ${numerator} AS numerator, ${figures.denominator} AS denominator,`
  const from =
    table === undefined
      ? 'evm_block_days AS h'
      : `${table} AS r\n    INNER JOIN evm_block_days AS h ON h.chain = r.chain AND h.bucket = r.bucket`
  const group = figures.isSum ? `\n    GROUP BY ${day}, key, h.from_height, h.to_height, h.last_time` : ''
  return {
    ctes: figures.with ?? [],
    select: `SELECT
      ${day} AS day,
      ${key} AS key,
      ${figures.value} AS value,${sums}
      ${stateOfDay(id, day)} AS state,
      '${chainSourceOf(id)}' AS source,
      h.from_height AS from_height, h.to_height AS to_height, h.last_time AS as_of
    FROM ${from}
    WHERE h.chain = '${id}' AND ${day} ${RANGE}${table === undefined ? '' : ` AND r.chain = '${id}'`}${
      where === undefined ? '' : ` AND ${where}`
    }${group}`,
    isRatio: numerator !== undefined,
  }
}

const daysOfBucket = (bucket: string): string =>
  `multiIf({grain:String} = 'week', 7, {grain:String} = 'month', toDayOfMonth(toLastDayOfMonth(${bucket})), 1)`

/** State of a bucket of `{grain:String}` of a layer, which `layer` is an expression of. */
export const stateOfBucket = (layer: string, bucket: string): string => `if(
        length(arrayFilter(
          whole -> whole.1 = ${layer} AND whole.2 >= ${bucket} AND whole.2 < ${bucket} + ${daysOfBucket(bucket)},
          (SELECT groupArray((chain, day)) FROM evm_whole_days)
        )) = ${daysOfBucket(bucket)},
        'whole', ${openState(`${bucket} + ${daysOfBucket(bucket)}`)}
      )`

const DAYS_OF_BUCKET = daysOfBucket('r.bucket')

/** Figures that do not add up over days: the rollup keeps each grain, `{grain:String}` picks. */
export const perLayerBucket = ({ id }: LayerFacts, value: string): ChainFigures => ({
  ctes: [],
  select: `SELECT
      r.bucket AS day, '' AS key, ${value} AS value,
      if(
        length(arrayFilter(
          whole -> whole >= r.bucket AND whole < r.bucket + ${DAYS_OF_BUCKET},
          (SELECT groupArray(day) FROM evm_whole_days WHERE chain = '${id}')
        )) = ${DAYS_OF_BUCKET},
        'whole', ${openState(`r.bucket + ${DAYS_OF_BUCKET}`)}
      ) AS state,
      '${chainSourceOf(id)}' AS source, r.from_height AS from_height, r.to_height AS to_height, r.last_time AS as_of
    FROM evm_actor_buckets AS r
    WHERE r.chain = '${id}' AND r.grain = {grain:String} AND r.bucket ${RANGE}`,
  isRatio: false,
})
