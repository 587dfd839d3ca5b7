import { sourcesNamed } from '#kernel/sourceNames.ts'
import type { Point } from './answers.ts'
import { ask, isoOf } from './ask.ts'
import type { MetricsDeps } from './deps.ts'
import { basisOf, familiesOf } from './marks.ts'
import { isFine, type Metric, type SeriesGrain } from './metric.ts'
import { onlyKeys } from './seriesSql.ts'
import type { Standing } from './standing.ts'

/** What a metric's statement returns (`Metric`), as it arrives. */
export type FigureRow = {
  readonly day: string
  /** Of a block alone. */
  readonly height?: number
  readonly key: string
  readonly value: number | string | null
  readonly state: Point['state']
  readonly source: string
  readonly from_height: number | null
  readonly to_height: number | null
  readonly as_of: string
}

/** A statement in the shape of a metric's, for a range and some values of the breakdown; none named are all. */
type Question = {
  readonly sql: string
  readonly entity: string
  readonly parameters: Readonly<Record<string, string>>
  /** The same with the whole range. */
  readonly whole: Readonly<Record<string, string>>
  readonly keys: readonly string[]
  readonly grain: SeriesGrain
}

/** Beyond as many rows a whole history costs more to read than a range saves. */
const MOST_WHOLE_ROWS = 20_000
/** Fewer blocks than almost any day has: what is held covers at most that many days. */
const BLOCKS_A_DAY = 100

/**
 * The rows of a statement over a range. Most of the price of a short answer is planning, not reading, so under a standing
 * the whole history of a metric is read once and ranges are cut from it, where it is not long.
 */
export async function readRows(
  deps: MetricsDeps,
  entry: Metric,
  { sql, entity, parameters, whole, keys, grain }: Question,
  standing: Standing | undefined,
  signal?: AbortSignal,
): Promise<readonly FigureRow[]> {
  if (standing !== undefined && isBlank(entry, entity, standing)) return []
  if (isFine(grain)) return readFine(deps, onlyKeys(sql, keys, grain), parameters, signal)
  const { from = '', to = '9999' } = parameters
  const isWithin = from >= (whole.from ?? '') && to <= (whole.to ?? '9999')
  if (standing === undefined || !isWithin || !isShort(entry, entity, standing)) {
    return ask<FigureRow>(deps.warehouse.reader, onlyKeys(sql, keys, grain), parameters, signal)
  }
  const rows = await readWhole(deps, sql, whole, standing)
  const isAll = from === whole.from && to === whole.to && keys.length === 0
  return isAll
    ? rows
    : rows.filter(({ day, key }) => day >= from && day <= to && (keys.length === 0 || keys.includes(key)))
}

type FineRow = Omit<FigureRow, 'day' | 'height'> & { readonly time: string; readonly height: number | null }

/** Rows by block or hour: never kept, their histories are long and their ranges short. */
async function readFine(
  { warehouse: { reader } }: MetricsDeps,
  sql: string,
  parameters: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
): Promise<readonly FigureRow[]> {
  const rows = await ask<FineRow>(reader, sql, parameters, signal)
  return rows.map(({ time, height, ...row }) => ({
    ...row,
    day: isoOf(time),
    ...(height !== null && { height }),
  }))
}

/** The rows of a statement over its whole range, read once under a standing: one asker who leaves does not stop it. */
export const readWhole = (
  { warehouse: { reader } }: MetricsDeps,
  sql: string,
  whole: Readonly<Record<string, string>>,
  { kept, marks }: Standing,
): Promise<readonly FigureRow[]> =>
  kept.get(JSON.stringify([sql, whole]), basisOf(sql, marks), () => ask<FigureRow>(reader, sql, whole))

/** The chain whose own rows are in a figure of these sources: `stacks` of `stacks.chain`; undefined without any. */
export const chainOfSource = (source: string): string | undefined =>
  sourcesNamed(source)
    .find(name => name.endsWith('.chain'))
    ?.slice(0, -'.chain'.length)

/** Families of rows that a figure of a layer rests on where its blocks are held; closes turn it into money. */
const BENEATH_LAYERS: ReadonlySet<string> = new Set(['bitcoin', 'stacks', 'layers', 'prices'])

/**
 * Whether nothing can be known: no block is held of the chains that the metric rests on, and of the publishers that it
 * admits none has said anything of this very entity. No question is asked then.
 */
export function isBlank(
  { observedAs, sources, sql }: Metric,
  entity: string,
  { runs, outside }: Standing,
): boolean {
  if (outside.has(`${observedAs} ${entity}`)) return false
  const chains = sources.flatMap(source => chainOfSource(source) ?? [])
  if (chains.some(chain => (runs.get(chain) ?? []).length > 0)) return false
  if (chains.length === sources.length) return true
  // Of Bitcoin a node's statistics may tell what no block held does.
  const isOfLayers = chains.length > 0 && !chains.includes('bitcoin')
  // A statement names its publishers as it names metrics: as texts.
  const others = familiesOf(sql).filter(
    family => family !== `of.${observedAs}` && !sources.some(source => family === `of.${source}`),
  )
  return (
    sql.includes('.entity = {entity:String}') &&
    others.every(family => isOfLayers && BENEATH_LAYERS.has(family))
  )
}

/** Whether the whole history of a metric is worth keeping. */
export function isShort(entry: Metric, entity: string, { runs, outside }: Standing): boolean {
  const chain = entry.sources.map(chainOfSource).find(one => one !== undefined) ?? 'bitcoin'
  const blocks = (runs.get(chain) ?? []).reduce((sum, { from, to }) => sum + to - from + 1, 0)
  const ofChain = (blocks / BLOCKS_A_DAY) * Math.max(1, entry.breakdown?.values.length ?? 1)
  return ofChain + (outside.get(`${entry.observedAs} ${entity}`)?.count ?? 0) <= MOST_WHOLE_ROWS
}
