import { data, type RouterContextProvider } from 'react-router'
import { apiContext } from '#http/context.ts'
import type { Schedule, SourceRef } from '#http/contract.ts'
import { nearestNames } from '#kernel/nearest.ts'
import { nowFor } from '../../blocks/load/nowFor.server.ts'
import { answering } from '../answering.server.ts'
import type { Failure } from '../failure.ts'

type Request = Schedule['requests'][number]
export type ListedSource = SourceRef & { metrics: number }
type Metric = { id: string; name: string }

/** Every registered source, in the order of trust, with how many metrics rest on it. */
export async function loadSources(
  context: Readonly<RouterContextProvider>,
): Promise<{ sources: ListedSource[]; now: string }> {
  const { sources, metricsOf } = await registered(context)
  return {
    sources: sources.map(source => ({ ...source, metrics: metricsOf(source.id).length })),
    now: nowFor(sources),
  }
}

type OneSource = {
  source: SourceRef
  metrics: Metric[]
  /** What is asked of it by a cadence; empty for a recording. */
  requests: Request[]
  now: string
}

/** One of them with the metrics that rest on it; a name that is none is a 404 with the nearest. */
export async function loadSource(id: string, context: Readonly<RouterContextProvider>): Promise<OneSource> {
  const { sources, requests, metricsOf } = await registered(context)
  const source = sources.find(each => each.id === id)
  if (source === undefined) {
    const failure: Failure = {
      title: 'Page not found',
      detail: `No source has the id ${id.slice(0, 80)}.`,
      hint: undefined,
      code: undefined,
      nearest: [
        ...nearestNames(
          id,
          sources.map(each => each.id),
        ).map(near => ({
          path: `/documentation/sources/${near}`,
          label: sources.find(each => each.id === near)?.name ?? near,
        })),
        { path: '/documentation/sources', label: 'All sources' },
      ],
    }
    throw data(failure, { status: 404 })
  }
  return {
    source,
    metrics: metricsOf(id),
    requests: requests.filter(request => request.source === id),
    now: nowFor([source]),
  }
}

async function registered(context: Readonly<RouterContextProvider>) {
  const api = context.get(apiContext)
  const [{ sources, schedule }, metrics] = await answering('The list of sources', () =>
    Promise.all([api.status(), api.metrics()]),
  )
  return {
    sources,
    requests: schedule.requests,
    /** A metric is declared for each kind of entity that counts it in a way of its own. */
    metricsOf: (id: string): Metric[] => [
      ...new Map(
        metrics
          .filter(metric => metric.sources.some(source => source.id === id))
          .map(metric => [metric.id, { id: metric.id, name: metric.name }]),
      ).values(),
    ],
  }
}
