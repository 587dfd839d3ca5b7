import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { MetricEntry, QueryDialect, SavedQuery } from '#http/contract.ts'
import { apiHref } from '../../apiHref.ts'
import type { Catalog } from './catalog.ts'
import type { QueryClient } from './queryClient.ts'

export type SavedSummary = Omit<SavedQuery, 'sql' | 'parameters'>
export type SavedLists = {
  readonly own: readonly SavedSummary[]
  readonly starred: readonly SavedSummary[]
  readonly public: readonly SavedSummary[]
}

const NOTHING: SavedLists = { own: [], starred: [], public: [] }

/** What can be queried, loaded once a reader has taken a first step. What cannot be loaded stays empty. */
export function useCatalog(client: QueryClient, isWanted: boolean) {
  const [tables, setTables] = useState<Catalog['tables']>()
  const [metrics, setMetrics] = useState<readonly MetricEntry[]>()
  const [examples, setExamples] = useState<Catalog['examples']>()
  const [saved, setSaved] = useState<SavedLists>()
  const [dialect, setDialect] = useState<QueryDialect>()
  const metricsAsked = useRef(false)

  useEffect(() => {
    if (!isWanted) return
    client.schema().then(
      ({ tables: all }) => setTables(all),
      () => setTables([]),
    )
    client.examples().then(setExamples, () => setExamples([]))
    client.dialect().then(setDialect, () => undefined)
  }, [client, isWanted])

  const readSaved = useCallback(() => {
    client.savedQueries().then(setSaved, () => setSaved(NOTHING))
  }, [client])
  useEffect(() => {
    if (isWanted) readSaved()
  }, [isWanted, readSaved])

  /** The metrics are many: they come when their section or the search is opened. */
  const wantMetrics = useCallback(() => {
    if (metricsAsked.current) return
    metricsAsked.current = true
    fetch(apiHref('/api/v1/metrics'))
      .then(answer => answer.json() as Promise<{ metrics: MetricEntry[] }>)
      .then(
        answer => setMetrics(answer.metrics),
        () => setMetrics([]),
      )
  }, [])

  const catalog = useMemo<Catalog>(() => {
    const lists = saved ?? NOTHING
    const each = new Map([...lists.own, ...lists.starred, ...lists.public].map(one => [one.id, one]))
    return {
      tables: tables ?? [],
      metrics: metrics ?? [],
      examples: examples ?? [],
      saved: [...each.values()],
    }
  }, [tables, metrics, examples, saved])

  return {
    catalog,
    dialect,
    saved,
    readSaved,
    wantMetrics,
    isLoaded: {
      tables: tables !== undefined,
      metrics: metrics !== undefined,
      examples: examples !== undefined,
      saved: saved !== undefined,
    },
  }
}
