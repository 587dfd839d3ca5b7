import type { Catalog } from '#catalog/index.ts'
import { TVL_PARTS, type TvlPart } from '#kernel/tvlParts.ts'
import { type Reader, readRows } from '../readRows.ts'
import type { ChainId } from './chains.ts'

/** A figure of a publisher, US dollars. */
export type ValueFigure = { valueUsd: number; day: string; source: string }

export type ChainValue = {
  chain: ChainId
  /** tvl.total: null while no publisher’s figure is held. */
  total: ValueFigure | null
  /** What the total leaves out, as far as a publisher tells it. */
  parts: { part: TvlPart; figure: ValueFigure }[]
}
export type ProtocolValue = ValueFigure & {
  chain: ChainId
  protocol: string
  name: string
  /** As the catalogue has it; null for protocols that it does not list. */
  category: string | null
}
export type AssetValue = ValueFigure & { chain: ChainId; asset: string }

export type ValueLocked = {
  chains: ChainValue[]
  items: ProtocolValue[]
  /** Dollars of stablecoins on a chain, by token. */
  assets: AssetValue[]
}

/** Parts of a chain that are older than the chain’s own newest figure by more are of another time: they are left out. */
const SPREAD_DAYS = 60

type Row = { metric: string; entity: ChainId; key: string; value: number; day: string; source: string }

/**
 * The newest figure of each chain, protocol and stablecoin, of the most trusted source of that day. How old a part may be
 * is measured against all figures of its kind on the chain (`tvl.*`, `stables.*`), the total among them.
 */
const newestOf = (chains: readonly ChainId[]): string => `WITH
  figures AS (
    SELECT
      o.metric AS metric, o.entity AS entity, o.key AS key, o.day AS day,
      argMin(ifNull(o.value, toFloat64(o.amount)), (if(s.id = '', 1000, s.rank), o.source)) AS value,
      argMin(o.source, (if(s.id = '', 1000, s.rank), o.source)) AS source
    FROM latest_observations AS o
    LEFT JOIN sources AS s ON s.id = o.source
    WHERE o.metric IN ('tvl.total', 'tvl.by_protocol', 'tvl.parts', 'stables.by_token', 'stables.cap')
      AND o.entity IN (${chains.map(chain => `'${chain}'`).join(', ')})
    GROUP BY metric, entity, key, day
  ),
  newest AS (
    SELECT metric, entity, key, argMax(f.value, f.day) AS value, argMax(f.source, f.day) AS source, max(f.day) AS last
    FROM figures AS f
    GROUP BY metric, entity, key
  )
SELECT metric, entity, key, value, source, toString(last) AS day
FROM (SELECT *, max(last) OVER (PARTITION BY splitByChar('.', metric)[1], entity) AS edge FROM newest)
WHERE (metric = 'tvl.total' OR last > edge - ${SPREAD_DAYS}) AND value IS NOT NULL
ORDER BY value DESC, entity, key`

/** What publishers say is locked, by chain, protocol and stablecoin; nothing of it is summed here. */
export async function readValueLocked(
  reader: Reader,
  chains: readonly ChainId[],
  catalog: Pick<Catalog, 'protocols'>,
): Promise<ValueLocked> {
  const rows = await readRows<Row>(reader, newestOf(chains))
  const of = (metric: string) => rows.filter(row => row.metric === metric)
  const figureOf = ({ value, day, source }: Row): ValueFigure => ({ valueUsd: value, day, source })
  const totals = new Map(of('tvl.total').map(row => [row.entity, figureOf(row)]))
  const parts = of('tvl.parts')
  const protocols = new Map(catalog.protocols.map(one => [one.slug, one]))
  return {
    chains: chains.map(chain => ({
      chain,
      total: totals.get(chain) ?? null,
      parts: TVL_PARTS.flatMap(part => {
        const row = parts.find(one => one.entity === chain && one.key === part)
        return row === undefined ? [] : [{ part, figure: figureOf(row) }]
      }),
    })),
    items: of('tvl.by_protocol').map(row => ({
      chain: row.entity,
      protocol: row.key,
      name: protocols.get(row.key)?.name ?? row.key,
      category: protocols.get(row.key)?.category ?? null,
      ...figureOf(row),
    })),
    assets: of('stables.by_token').map(row => ({ chain: row.entity, asset: row.key, ...figureOf(row) })),
  }
}
