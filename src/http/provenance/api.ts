import type { z } from 'zod'
import {
  type Bundle,
  chartOf,
  hashOf,
  METRIC_TABLE,
  type MetricBundle,
  PROVENANCE_FORMAT,
  PROVENANCE_VERSION,
  type QueryTool,
} from '#queries/index.ts'
import { knownOn } from '#warehouse/index.ts'
import { ApiError, problemOf, toApiError } from '../apiError.ts'
import type { DataVersion } from '../cache/dataVersion.ts'
import type { MetricEntry, SeriesQuery } from '../contract.ts'
import type { ApiFor } from '../createApi.ts'
import { KNOWN } from '../known.ts'
import type { QueriesApi } from '../queries/api.ts'
import type { QueryCaller } from '../queries/callers.ts'
import { createKeyChecks } from '../queries/keyChecks.ts'
import { manySeriesQueries } from '../routes/manySeries.ts'
import type { chartProvenanceQuery } from './schema.ts'

type ChartQuestion = z.output<typeof chartProvenanceQuery>

export type ProvenanceApiDeps = {
  readonly tool: QueryTool
  readonly queries: QueriesApi
  readonly apiFor: ApiFor
  readonly version: DataVersion
  readonly site: { readonly publicUrl: string; readonly version: string }
}

export type ProvenanceApi = ReturnType<typeof createProvenanceApi>

/** How often a file is begun again because data arrived meanwhile. */
const ATTEMPTS = 3
const RERUN_MS = 60_000
const MOST_KEPT = 100
/** How long the hashing of one request may take. */
const HASHING_MS = 60_000
/** Columns of a metric’s rows that are figures; the others tell age and source. */
const FIGURE_COLUMNS = ['day', 'time', 'height', 'key', 'value']

type Inputs = QueryTool['provenance']['inputs']

/** Provenance files, and hashes of the data to check them with. Throws ApiError only. */
export function createProvenanceApi({ tool, queries, apiFor, version, site }: ProvenanceApiDeps) {
  const { provenance, results } = tool
  const { checkResult } = createKeyChecks(tool)
  const asking = async <T>(ask: () => Promise<T>): Promise<T> => {
    try {
      if (knownOn() !== undefined)
        throw new ApiError(
          problemOf('http.parameter', 'Provenance files state the data as it is now.', {
            errors: [{ parameter: KNOWN, message: 'must be left out' }],
          }),
        )
      return await ask()
    } catch (thrown) {
      throw toApiError(thrown)
    }
  }
  /** Answers are cached while the data stays as it is. */
  const kept = new Map<string, Promise<unknown>>()
  version.onChange(() => kept.clear())
  const once = async <T>(caller: string, question: unknown, read: () => Promise<T>): Promise<T> => {
    const key = hashOf(JSON.stringify([question, await provenance.changeMark()]))
    const found = kept.get(key) as Promise<T> | undefined
    if (found !== undefined) return found
    const answer = provenance.inTurn(caller, read)
    if (kept.size >= MOST_KEPT) kept.clear()
    kept.set(key, answer)
    answer.catch(() => kept.delete(key))
    return answer
  }

  /** Makes a file of one state of the data. */
  async function whileUnchanged<T>(make: (dataVersion: string) => Promise<T>): Promise<T> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      await version.refresh()
      const before = version.rows()
      const made = await make(before)
      await version.refresh()
      if (version.rows() === before) return made
    }
    throw new ApiError(
      problemOf('provenance.moving', 'New data arrived while the provenance file was written.', {
        hint: 'Retry in a few seconds.',
      }),
    )
  }

  const head = (): Pick<Bundle, 'format' | 'version' | 'createdAt' | 'server'> => ({
    format: PROVENANCE_FORMAT,
    version: PROVENANCE_VERSION,
    createdAt: new Date().toISOString(),
    server: { url: site.publicUrl, version: site.version },
  })

  return {
    ofResult: (hash: string, caller: QueryCaller, signal: AbortSignal): Promise<Bundle> =>
      asking(() =>
        whileUnchanged(async dataVersion => {
          await checkResult(hash, caller)
          const stored = await results.info(hash, caller.uploadsOf)
          const reader = { caller: caller.owner, owner: caller.uploadsOf, signal }
          const rows = await results.rowsHash(hash, reader)
          // The inputs are hashed as they are now, so an older result must still follow from them.
          if (stored.dataVersion !== dataVersion) {
            const again = await rerun(stored, caller, signal)
            const now = await results.rowsHash(again, reader)
            if (now.roundedHash !== rows.roundedHash)
              throw new ApiError(
                problemOf('provenance.changed', 'The query gives other rows on the data as it is now.', {
                  hint: 'Run the query again and take the provenance file of the new result.',
                }),
              )
          }
          // Whoever checks the file later finds the result.
          if (caller.role === 'member') await results.pin(hash, caller.owner)
          const { sql, parameters, columns, rowCount, isTruncated, rowLimit } = stored
          const { tables, inputs } = await once(caller.caller, ['grounds', sql], () =>
            tool.executor.written(sql).then(written => provenance.grounds(written, false)),
          )
          return {
            ...head(),
            subject: { kind: 'query', sql, parameters },
            dataVersion,
            result: {
              columns: columns.map(({ name, type }) => ({ name, type })),
              rowCount,
              isTruncated,
              rowLimit,
              ...rows,
            },
            tables: [...tables, ...metricTables(await tool.executor.metricsRead(sql))],
            inputs: [...inputs],
          }
        }),
      ),
    ofMetric: (query: SeriesQuery, asker: string): Promise<Bundle> =>
      asking(() => whileUnchanged(dataVersion => fileOf(query, { asker, dataVersion }))),
    ofChart: (question: ChartQuestion, asker: string): Promise<Bundle> =>
      asking(() =>
        whileUnchanged(async dataVersion => {
          const files: MetricBundle[] = []
          for (const query of await manySeriesQueries(apiFor({ address: asker }), question))
            files.push(await fileOf(query, { asker, dataVersion }))
          return { ...head(), ...chartOf(files), dataVersion }
        }),
      ),
    digest: (selectors: Parameters<Inputs['digest']>[0], asker: string) =>
      asking(async () => ({
        inputs: await provenance.inTurn(asker, () =>
          provenance.inputs.digest(selectors, AbortSignal.timeout(HASHING_MS)),
        ),
      })),
    blocks: (selector: Parameters<Inputs['blocks']>[0], asker: string, signal: AbortSignal) =>
      asking(async () => ({
        blocks: await provenance.inTurn(asker, () => provenance.inputs.blocks(selector, signal)),
      })),
    valueAt: (
      { position, ...selector }: Parameters<Inputs['valueAt']>[0] & { position: number },
      asker: string,
      signal: AbortSignal,
    ) =>
      asking(async () => ({
        value:
          (await provenance.inTurn(asker, () => provenance.inputs.valueAt(selector, position, signal))) ??
          null,
      })),
  }

  /** The file of one metric. */
  async function fileOf(
    query: SeriesQuery,
    { asker, dataVersion }: { asker: string; dataVersion: string },
  ): Promise<MetricBundle> {
    const api = apiFor({ address: asker })
    const { range: _, figuresOnly: __, ...plain } = query
    const found = query.to === undefined || query.range !== undefined ? await api.series(query) : undefined
    // Days to come are no part of what the file states.
    const to =
      query.to ??
      (
        found?.points.findLast(({ state, value }) => state === 'whole' && value !== null) ??
        found?.points.at(-1)
      )?.day.slice(0, 10)
    const from = query.from ?? (query.range === undefined ? undefined : found?.parameters.from)
    const request = { ...plain, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
    const { metric, entity, grain, sql, parameters } = await api.series(request)
    const { breakdown, switches, unit } = request
    const rows = await once(asker, ['rows', sql, parameters], () =>
      provenance.rowsOf(sql, parameters, FIGURE_COLUMNS),
    )
    const { tables, inputs } = await once(asker, ['metric grounds', sql], () => provenance.grounds(sql, true))
    return {
      ...head(),
      subject: {
        kind: 'metric',
        metric: metric.id,
        request: {
          entity,
          grain,
          ...(from !== undefined && { from }),
          ...(to !== undefined && { to }),
          ...(unit !== undefined && { unit }),
          ...(breakdown !== undefined && { breakdown }),
          ...(switches !== undefined && { switches }),
        },
        definition: definitionOf(metric),
        sql,
        parameters,
      },
      dataVersion,
      result: { ...rows, isTruncated: false, rowLimit: null },
      tables: [...tables],
      inputs: [...inputs],
    }
  }

  /** Runs the query of a result on the data as it is now, within the limits of the caller. Returns the new result. */
  async function rerun(
    { sql, parameters }: { sql: string; parameters: Readonly<Record<string, string>> },
    caller: QueryCaller,
    signal: AbortSignal,
  ): Promise<string> {
    const run = await queries.start(
      { sql, parameters: { ...parameters }, isFresh: false, waitMs: RERUN_MS },
      { ...caller, hasHistory: false },
      signal,
    )
    if (run.problem !== null) throw new ApiError(run.problem)
    if (run.result !== null) return run.result.hash
    throw new ApiError(
      problemOf('provenance.moving', 'The query could not be run again in time.', {
        hint: 'Retry in a few seconds.',
      }),
    )
  }
}

/** Metrics in a query, beside the tables that it reads: each once, by its id and entity. */
function metricTables(metrics: Awaited<ReturnType<QueryTool['executor']['metricsRead']>>) {
  const versions = new Map(
    metrics.map(({ id, entity, sql }) => [
      `${METRIC_TABLE}${id}${entity === undefined ? '' : `('${entity}')`}`,
      hashOf(sql),
    ]),
  )
  return [...versions].sort().map(([name, version]) => ({ name, version }))
}

/** A metric as provenance files state it. */
function definitionOf({ id, name, unit, aggregate, definition, sql }: MetricEntry) {
  return {
    version: hashOf(JSON.stringify([id, name, unit, aggregate, definition, sql])),
    name,
    unit,
    aggregate,
    definition,
    sql,
  }
}
