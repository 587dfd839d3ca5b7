import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { MetricEntry, QueryDialect, SavedQuery } from '#http/contract.ts'
import { apiHref } from '../../apiHref.ts'
import type { Catalog } from './catalog.ts'
import type { QueryClient } from './queryClient.ts'

export type SavedSummary = Omit<SavedQuery, 'sql' | 'parameters' | 'chart'>
export type SavedLists = {
  readonly own: readonly SavedSummary[]
  readonly starred: readonly SavedSummary[]
  readonly team: readonly SavedSummary[]
  readonly public: readonly SavedSummary[]
}

const NOTHING: SavedLists = { own: [], starred: [], team: [], public: [] }

const readMetrics = async (): Promise<readonly MetricEntry[]> => {
  const answer = await fetch(apiHref('/api/v1/metrics'))
  if (!answer.ok) throw new Error(`The metrics could not be read: ${answer.status}`)
  return ((await answer.json()) as { metrics: MetricEntry[] }).metrics
}

/** What can be queried, loaded once a reader has taken a first step. What cannot be loaded stays empty. */
export function useCatalog(client: QueryClient, isWanted: boolean) {
  const [tables, setTables] = useState<Catalog['tables']>()
  const [metrics, setMetrics] = useState<readonly MetricEntry[]>()
  const [examples, setExamples] = useState<Catalog['examples']>()
  const [saved, setSaved] = useState<SavedLists>()
  const [dialect, setDialect] = useState<QueryDialect>()
  const asked = useRef(new Set<string>())

  useEffect(() => {
    if (!isWanted) return
    client.schema().then(
      ({ tables: all }) => setTables(all),
      () => setTables([]),
    )
    client.dialect().then(setDialect, () => undefined)
  }, [client, isWanted])

  const readSaved = useCallback(() => {
    client.savedQueries().then(setSaved, () => setSaved(NOTHING))
  }, [client])

  /** What few readers look at comes when it is opened, once. */
  const want = useCallback(
    (part: 'metrics' | 'examples' | 'saved') => {
      if (asked.current.has(part)) return
      asked.current.add(part)
      switch (part) {
        case 'metrics':
          readMetrics().then(setMetrics, () => setMetrics([]))
          return
        case 'examples':
          client.examples().then(setExamples, () => setExamples([]))
          return
        case 'saved':
          readSaved()
      }
    },
    [client, readSaved],
  )

  const catalog = useMemo<Catalog>(() => {
    const lists = saved ?? NOTHING
    const each = new Map(
      [...lists.own, ...lists.starred, ...lists.team, ...lists.public].map(one => [one.id, one]),
    )
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
    want,
    isLoaded: {
      tables: tables !== undefined,
      metrics: metrics !== undefined,
      examples: examples !== undefined,
      saved: saved !== undefined,
    },
  }
}
