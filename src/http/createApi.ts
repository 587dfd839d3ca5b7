import { familiesOf, type Standing } from '#metrics/index.ts'
import { bindQuery, createChainsRead, mayNameMetrics, withMetrics } from '#queries/index.ts'
import { knownNow, schemaOf } from '#warehouse/index.ts'
import { createAcrossApi } from './acrossApi.ts'
import type { ApiDeps, Asker, FullApi } from './api.ts'
import { toApiError } from './apiError.ts'
import { createApplicationsApi } from './applicationsApi.ts'
import { asOfChains, asOfStatus } from './asOf.ts'
import type { DataVersion } from './cache/dataVersion.ts'
import { type Part, restsOn, untracked } from './cache/parts.ts'
import { createValueCache } from './cache/valueCache.ts'
import { createContentApi } from './contentApi.ts'
import type { SourceRef } from './contract.ts'
import { createDevelopersApi } from './developersApi.ts'
import { createDirectoryApi } from './directoryApi.ts'
import { createIndicesApi } from './indicesApi.ts'
import { createLayersApi } from './layersApi.ts'
import { createOpportunitiesApi } from './opportunitiesApi.ts'
import { listProblems } from './problems.ts'
import { readOver } from './range.ts'
import { createSearchApi, createSearchIndex } from './searchApi.ts'
import { createSignalsApi } from './signalsApi.ts'
import { createStacksApi, readStacksAsOf, STACKS_PARTS } from './stacksApi.ts'
import { createTreasuriesApi } from './treasuriesApi.ts'

/** Where a range ends before there is a block. */
const GENESIS_DAY = '2009-01-03'
/** As people’s SQL sees them. */
const READABLE_TABLES = `SELECT table_name, table_comment FROM information_schema.tables
WHERE table_schema = 'default' ORDER BY table_name`
const CACHE_BYTES = 48 * 1024 * 1024
/** What a block or transaction of Bitcoin tells: its layers’ own blocks stand beside it. */
const COUNTERPARTS = ['bitcoin', 'stacks', 'layers'] as const satisfies readonly Part[]

/** Makes the in-process `Api` for an asker: the same answers, limits, cache and errors as over HTTP. */
export type ApiFor = (asker: Asker) => FullApi

/**
 * Answers are kept by question while the parts of the data that they rest on stay as they are, so pages and routes ask the
 * warehouse once. Throws ApiError only.
 */
export function createApi(deps: ApiDeps & { version: DataVersion }): ApiFor {
  const { metrics, queries, explorer, catalog, content } = deps
  const index = createSearchIndex({ catalog, content, pages: deps.pages ?? [] })
  const kept = createValueCache(deps.version, CACHE_BYTES)
  const keep = <T>(question: string, parts: readonly Part[], make: () => Promise<T>): Promise<T> =>
    kept.get(question, async () => {
      restsOn(parts)
      return make()
    })
  const asOf = async () => asOfStatus(await keep('status', ['bitcoin'], deps.status), knownNow())
  const chainsRead = createChainsRead(schemaOf(catalog))
  const asOfSql = async (sql: string) => {
    const chains = chainsRead(mayNameMetrics(sql) ? withMetrics(sql, await metrics.list()) : sql)
    if (chains.length === 0) return []
    // Layers commit every few seconds, so what reads Bitcoin alone does not read the status anew with each.
    const isBitcoin = chains.every(chain => chain === 'bitcoin')
    const status = isBitcoin
      ? await keep('status', ['bitcoin'], deps.status)
      : await keep('status of chains', ['bitcoin', 'stacks', 'layers'], deps.status)
    return asOfChains(status, chains, knownNow())
  }
  // What all answers share changes with any of them, and would make each rest on everything.
  const standing = () => untracked(() => keep('standing', ['figures'], () => metrics.standing()))
  const sources = () => untracked(() => keep('sources', ['figures'], async () => metrics.sources()))
  /** What the newest figure of a metric and its change rest on. */
  const restsOnMetric = async (id: string, entity: string, known: Standing): Promise<void> => {
    const { sql, members } = await metrics.entry(id, undefined, entity, known)
    restsOn([...familiesOf(sql), ...familiesOf(members?.sql ?? '')])
  }

  return asker => {
    /** Runs a question: errors become those of the API, and passing ones are told. */
    const asking = async <T>(ask: () => Promise<T>): Promise<T> => {
      try {
        return await ask()
      } catch (thrown) {
        const error = toApiError(thrown)
        if (error.status >= 500 || error.status === 429) asker.onPassingFailure?.(error)
        throw error
      }
    }
    const ask = <T>(question: unknown, parts: readonly Part[], answer: () => Promise<T>): Promise<T> =>
      asking(() => keep(JSON.stringify(question), parts, answer))

    const api: FullApi = {
      asOf: () => asking(asOf),
      asOfSql: sql => asking(() => asOfSql(sql)),
      // Not kept: the layers' blocks come faster than the data version changes.
      status: () =>
        asking(async () => {
          const [held, schedule] = await Promise.all([deps.status(), deps.schedule()])
          return { ...held, schedule }
        }),
      // Prices change with no part of the data: with all of them they are read anew.
      plans: () => asking(() => keep('plans', ['any'], deps.plans)),
      problems: async () => listProblems(),
      metrics: () => ask(['metrics'], ['figures'], async () => metrics.list(await standing())),
      metric: (id, entityKind, entity) =>
        ask(['metric', id, entityKind, entity], ['figures'], async () =>
          metrics.entry(id, entityKind, entity, await standing()),
        ),
      series: query =>
        asking(() =>
          readOver(
            query,
            async plain => {
              const known = await standing()
              return {
                ofBlocks: known.newestBlockDay ?? GENESIS_DAY,
                own: await metrics.newestDay(plain, known),
              }
            },
            plain =>
              kept.get(JSON.stringify(['series', sorted(plain)]), async () => {
                const series = await metrics.series(plain, undefined, await standing())
                restsOn(familiesOf(series.sql))
                return series
              }),
          ),
        ),
      watched: async query => {
        const series = await api.series(query)
        const days = series.points.map(({ day }) => day)
        return {
          metric: series.metric.id,
          entity: series.entity,
          unit: series.unit,
          from: days[0] ?? null,
          to: days.at(-1) ?? null,
          asOf: series.asOf,
          watches: metrics.watchedOf(series),
        }
      },
      figure: query =>
        ask(['figure', sorted(query)], query.unit === undefined ? [] : ['prices'], async () => {
          const known = await standing()
          await restsOnMetric(query.id, query.entity, known)
          return metrics.figure(query, undefined, known)
        }),
      compare: query =>
        ask(['compare', sorted(query)], query.unit === undefined ? [] : ['prices'], async () => {
          const known = await standing()
          const comparison = await metrics.comparison(query, known)
          const asked = new Map(
            comparison.figures.map(({ metric, of }) => [`${metric}@${of}`, { metric, of }]),
          )
          for (const { metric, of } of asked.values()) if (of !== null) await restsOnMetric(metric, of, known)
          return comparison
        }),
      blocks: query =>
        ask(['blocks', sorted(query)], ['bitcoin'], async () => ({
          ...(await explorer.blocks(query)),
          asOf: await asOf(),
        })),
      block: id =>
        ask(['block', id.toLowerCase()], COUNTERPARTS, async () => {
          const { sourceId, ...block } = await explorer.block(id)
          return { ...block, source: sourceOf(await sources(), sourceId), asOf: await asOf() }
        }),
      blockTxs: (id, query) =>
        ask(['blockTxs', id.toLowerCase(), sorted(query)], COUNTERPARTS, async () => ({
          ...(await explorer.blockTxs(id, query)),
          asOf: await asOf(),
        })),
      tx: txid =>
        ask(['tx', txid.toLowerCase()], COUNTERPARTS, async () => ({
          ...(await explorer.tx(txid)),
          asOf: await asOf(),
        })),
      stacks: createStacksApi({
        explorer: explorer.stacks,
        rows: sql => explorer.appTable(sql),
        sources,
        ask,
        series: query => api.series(query),
      }),
      directory: createDirectoryApi({
        catalog,
        // Which metrics there are changes with the release alone.
        metrics: () => untracked(() => api.metrics()),
        figure: query => api.figure(query),
        ask,
      }),
      applications: createApplicationsApi({
        catalog,
        explorer,
        asOf: () => ask(['stacks', 'asOf'], STACKS_PARTS, () => readStacksAsOf(explorer.stacks, sources)),
        ask,
      }),
      content: createContentApi({ content, series: query => api.series(query) }),
      developers: createDevelopersApi({ catalog, rows: sql => explorer.appTable(sql), ask }),
      treasuries: createTreasuriesApi({ catalog, rows: sql => explorer.appTable(sql), ask }),
      indices: createIndicesApi({ catalog, explorer, ask }),
      opportunities: createOpportunitiesApi({ catalog, rows: sql => explorer.appTable(sql), ask }),
      signals: createSignalsApi({ catalog, metrics, standing, ask }),
      across: createAcrossApi({
        explorer: explorer.across,
        layers: catalog.evm.map(({ id }) => id),
        sources,
        ask,
        asking,
      }),
      layer: createLayersApi({ explorer: explorer.layer, sources, ask }),
      search: query =>
        asking(() =>
          createSearchApi({
            index,
            layers: catalog.evm,
            api,
            blocksAt: height =>
              keep(JSON.stringify(['blocksAt', height]), COUNTERPARTS, () =>
                explorer.across.blocksAt(height),
              ),
            tables: async () => {
              const { rows } = await queries.rows({ sql: READABLE_TABLES }, asker.address)
              return rows.map(([table, about]) => ({ table: String(table), about: String(about) }))
            },
          })(query),
        ),
      sql: (request, signal) =>
        asking(async () => {
          // Asked for before the rows come: they are at least as new.
          const known = asOfSql(request.sql)
          known.catch(() => {})
          const answer = await queries.rows(
            { ...request, uploadsOf: asker.uploadsOf },
            asker.address,
            signal,
            asker.role,
          )
          return { ...answer, asOf: await known }
        }),
      sqlText: (request, form, signal) =>
        asking(async () => {
          // Requested before the rows, which are at least as new.
          const known = asOfSql(request.sql)
          known.catch(() => {})
          const asked = { ...request, uploadsOf: asker.uploadsOf }
          const answer = await queries.text(asked, form, asker.address, signal, asker.role)
          return { ...answer, asOf: await known }
        }),
      formSql: ({ sql, parameters = {}, ...more }, signal) =>
        asking(() => api.sql({ ...more, ...bindQuery(sql, { saved: parameters }) }, signal)),
      sqlFile: (request, format, signal) =>
        asking(() =>
          queries.file({ ...request, uploadsOf: asker.uploadsOf }, format, asker.address, signal, asker.role),
        ),
      seriesFile: (series, format, signal) => asking(() => metrics.seriesFile(series, format, signal)),
      cancel: queryId => asking(() => queries.cancel(queryId, asker.address)),
    }
    return api
  }
}

const sorted = (value: object): [string, unknown][] =>
  Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))

/** A source that the catalogue does not list is still named. */
const sourceOf = (sources: readonly SourceRef[], id: string): SourceRef =>
  sources.find(source => source.id === id) ?? {
    id,
    name: id,
    url: '',
    licence: 'none stated',
    lastSuccess: null,
    cadenceSeconds: null,
    state: 'never',
    about: '',
  }
