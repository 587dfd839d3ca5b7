import { stxDexBinDays } from '#warehouse/tables/stacksDex.ts'
import type { Exchanges } from '../deps.ts'
import type { Rollup } from './rollup.ts'
import { quoted, quotedList } from './sqlText.ts'

/** Generations of exchanges whose pools are made of bins, as the catalogue declares them. */
const withBins = ({ exchanges }: Exchanges) =>
  exchanges.flatMap(({ protocol, sources }) =>
    sources.flatMap(({ bins, contracts, pool, events }) =>
      bins === undefined ? [] : [{ protocol, bins, contracts, pool, events: Object.keys(events) }],
    ),
  )
type WithBins = ReturnType<typeof withBins>[number]

const at = (path: string | undefined): string =>
  path === undefined ? 'CAST(NULL AS Nullable(UInt128))' : `numbers[${quoted(path)}]`
const signed = (path: string): string => `toInt32OrNull(words[${quoted(path)}])`

/** How the bins of one generation stand after each print: a print may tell of two. */
const ofSource = ({ protocol, bins, contracts, pool, events }: WithBins): string => `SELECT
    ${quoted(protocol)} AS protocol, words[${quoted(pool)}] AS pool, day, height, event_index,
    told.1 AS bin, told.2 AS x, told.3 AS y, told.4 AS shares, told.5 AS price,
    ${at(bins.step)} AS step,
    coalesce(${bins.active.map(signed).join(', ')}) + ${bins.center} AS active
  FROM (
    SELECT
      toDate(any(f.block_time)) AS day, f.height AS height, f.event_index AS event_index,
      -- In tuples, as null would be left out.
      mapFromArrays(groupArray(f.path), arrayMap(one -> one.1, groupArray(tuple(f.uint_value)))) AS numbers,
      mapFromArrays(groupArray(f.path), groupArray(if(f.text_value = '', f.repr, f.text_value))) AS words
    FROM stx_print_fields AS f
    WHERE f.contract IN (${quotedList(contracts)}) AND f.event IN (${quotedList(events)})
      AND f.height BETWEEN (SELECT min(height) FROM blocks) AND (SELECT max(height) FROM blocks)
      AND toDate(f.block_time) IN {buckets:Array(Date)}
    GROUP BY f.height, f.event_index
  )
  ARRAY JOIN [${bins.places
    .map(
      ({ bin, at: fixed, x, y, shares, price }) =>
        `(${bin === undefined ? `CAST(${fixed} AS Nullable(UInt128))` : at(bin)}, ${at(x)}, ${at(y)}, ${at(shares)}, ${at(price)})`,
    )
    .join(', ')}] AS told
  WHERE isNotNull(told.1) AND isNotNull(told.2) AND isNotNull(told.3) AND pool != ''`

const NONE = `SELECT
    '' AS protocol, '' AS pool, toDate(0) AS day, 0 AS height, 0 AS event_index, 0 AS bin, 0 AS x, 0 AS y,
    NULL AS shares, NULL AS price, NULL AS step, NULL AS active
  WHERE false`

const last = (column: string): string =>
  `argMaxIf(tuple(${column}), (height, event_index), isNotNull(${column})).1`

/** Bins of concentrated pools as the prints of a day leave them. */
export function dexBinDaysOf(catalog: Exchanges): Rollup {
  const sources = withBins(catalog)
  return {
    table: stxDexBinDays,
    grains: ['day'],
    scope: 'stacks',
    select: () => `WITH
  blocks AS (
    SELECT height, block_time FROM stx_blocks WHERE toDate(block_time) IN {buckets:Array(Date)}
  ),
  bins AS (${sources.length === 0 ? NONE : sources.map(ofSource).join('\n  UNION ALL\n  ')})
SELECT
  {run:UInt64}, day, protocol, pool, toUInt32(bin),
  assumeNotNull(argMax(x, (height, event_index))), assumeNotNull(argMax(y, (height, event_index))),
  ${last('shares')}, ${last('price')}, ${last('step')},
  if(${last('active')} >= 0, toUInt32(${last('active')}), NULL),
  maxIf(height, isNotNull(active)), argMaxIf(event_index, (height, event_index), isNotNull(active))
FROM bins
GROUP BY day, protocol, pool, bin`,
  }
}
