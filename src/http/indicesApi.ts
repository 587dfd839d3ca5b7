import type { Catalog, CatalogIndex } from '#catalog/index.ts'
import { type Explorer, INDEX_TABLES, INDICES_TABLES, type IndexTable } from '#explorer/index.ts'
import { nearestNames } from '#kernel/nearest.ts'
import { familiesOf } from '#metrics/index.ts'
import { ApiError, problemOf } from './apiError.ts'
import { backtestOf } from './backtestAnswer.ts'
import { type Part, restsOn } from './cache/parts.ts'
import type { ApplicationTable, IndicesApi, MarketIndex } from './contract.ts'
import { didYouMean } from './didYouMean.ts'
import { NO_BLOCK, tableAnswer, tableNamed } from './tableAnswer.ts'

type Deps = {
  readonly catalog: Pick<Catalog, 'indices' | 'tokens'>
  readonly explorer: Pick<Explorer, 'appTable' | 'indexMarket'>
  /** Answers a question once, while the parts of the data that it rests on stay as they are. */
  readonly ask: <T>(question: unknown, parts: readonly Part[], answer: () => Promise<T>) => Promise<T>
}

const NO_TABLE = { code: 'http.index_table', whose: 'Indices have' } as const
const PARTS = ['indices', 'prices'] as const satisfies readonly Part[]
const SPARK_POINTS = 75

/** Where each index stands: its newest level, those before it, and a year of levels. */
const STANDING_SQL = `SELECT
  l.index_id AS id, toString(min(l.day)) AS start, toString(max(l.day)) AS day, argMax(l.level, l.day) AS level,
  argMin(l.level, l.day) AS first, maxIf(l.level, l.day = n.day - 1) AS day_before,
  maxIf(l.level, l.day = n.day - 30) AS month_before, maxIf(l.level, l.day = n.day - 365) AS year_before,
  arrayMap(x -> x.2, arraySort(groupArrayIf((l.day, l.level), l.day >= n.day - 365))) AS year,
  toString(argMax(l.as_of, l.day)) AS as_of
FROM index_levels AS l
INNER JOIN (SELECT index_id, max(day) AS day FROM index_levels GROUP BY index_id) AS n ON n.index_id = l.index_id
GROUP BY l.index_id`

type Standing = {
  readonly id: string
  readonly start: string
  readonly day: string
  readonly level: number
  readonly first: number
  readonly day_before: number
  readonly month_before: number
  readonly year_before: number
  readonly year: readonly number[]
  readonly as_of: string
}

/** Indices of the catalogue, tables about them, and the builder. */
export function createIndicesApi({ catalog, explorer, ask }: Deps): IndicesApi {
  const known = (id: string): CatalogIndex => {
    const found = catalog.indices.find(candidate => candidate.id === id)
    if (found === undefined) throw unknownIndex(id, catalog)
    return found
  }
  const answer = (
    tables: Readonly<Record<string, IndexTable>>,
    name: string,
    index: string,
  ): Promise<ApplicationTable> => {
    const table = tableNamed(tables, name, NO_TABLE)
    const today = new Date().toISOString().slice(0, 10)
    return ask(['indices', name, index, today], [], async () => {
      const sql = table.sql(index)
      restsOn(familiesOf(sql))
      return tableAnswer(name, table, { sql, rows: await explorer.appTable(sql), asOf: NO_BLOCK })
    })
  }
  const market = () =>
    ask(['indices', 'market', new Date().toISOString().slice(0, 10)], PARTS, explorer.indexMarket)
  const standings = () =>
    ask(['indices', 'standings'], PARTS, async () => {
      const rows = (await explorer.appTable(STANDING_SQL)) as unknown as Standing[]
      return Object.fromEntries(rows.map(row => [row.id, row]))
    })
  return {
    list: async () => {
      const found = await standings()
      const newest = Object.values(found).sort((a, b) => b.day.localeCompare(a.day))[0]
      return {
        items: catalog.indices.map(index => indexOf(index, catalog, found[index.id])),
        asOf: newest === undefined ? NO_BLOCK : { ...NO_BLOCK, time: `${newest.as_of.replace(' ', 'T')}Z` },
      }
    },
    table: async name => answer(INDICES_TABLES, name, ''),
    tableOf: async (id, name) => answer(INDEX_TABLES, name, known(id).id),
    backtest: query =>
      ask(['indices', 'backtest', query], PARTS, async () => backtestOf(await market(), query)),
  }
}

function indexOf(
  { members, origin: _, ...rules }: CatalogIndex,
  { tokens }: Deps['catalog'],
  standing: Standing | undefined,
): MarketIndex {
  const symbols = new Map(tokens.map(({ id, symbol }) => [id, symbol]))
  const over = (before: number | undefined): number | null =>
    standing === undefined || before === undefined || !(before > 0) ? null : standing.level / before - 1
  const step = Math.max(1, Math.ceil((standing?.year.length ?? 0) / SPARK_POINTS))
  return {
    ...rules,
    members: members.map(({ token, why }) => ({ token, symbol: symbols.get(token) ?? token, why })),
    start: standing?.start ?? null,
    day: standing?.day ?? null,
    level: standing?.level ?? null,
    change: {
      day: over(standing?.day_before),
      month: over(standing?.month_before),
      year: over(standing?.year_before),
      launch: over(standing?.first),
    },
    // Its ends are those of the change over the year.
    spark: (standing?.year ?? [])
      .filter((_, i, all) => i === 0 || (all.length - 1 - i) % step === 0)
      .map(level => Number(level.toPrecision(5))),
  }
}

function unknownIndex(id: string, { indices }: Deps['catalog']): ApiError {
  const nearest = nearestNames(
    id,
    indices.map(each => each.id),
  )
  return new ApiError(
    problemOf('http.index', `The catalog has no index "${id.slice(0, 60)}".`, didYouMean(nearest)),
  )
}
