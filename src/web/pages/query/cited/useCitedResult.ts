import { useEffect } from 'react'
import { ApiRefusal } from '../../../api.ts'
import type { QueryClient } from '../queryClient.ts'
import type { Runs } from '../runs.ts'
import type { QueryTab } from '../tabs.ts'
import { type Cited, queryOf, refusedResult } from './cited.ts'

type Options = {
  readonly tab: QueryTab
  readonly runs: Runs
  readonly client: Pick<QueryClient, 'cited'>
  /** The result as the server rendered it, without a signed-in user. */
  readonly drawn: Cited | null
  readonly isSignedIn: boolean
  readonly onChange: (by: Partial<Omit<QueryTab, 'id'>>) => void
}

/** Shows the stored result of the current tab. If the server could not render it, requests it as the signed-in user. */
export function useCitedResult({ tab, runs, client, drawn, isSignedIn, onChange }: Options): void {
  const { id, result } = tab
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per result and signed-in user
  useEffect(() => {
    if (result === null) return
    const [shown] = runs.read(id).jobs
    const isPrivate = (cited: Cited | null | undefined) => cited?.problem?.code === 'sql.result_private'
    if (shown !== undefined && !(isSignedIn && isPrivate(shown.cited))) return
    if (drawn?.hash === result && !(isSignedIn && isPrivate(drawn))) {
      runs.cite(id, drawn)
      return
    }
    let isGone = false
    const show = (cited: Cited) => {
      if (isGone) return
      const { sql, parameters } = queryOf(cited)
      if (tab.sql === '' && sql !== '') onChange({ sql, values: parameters, result })
      runs.cite(id, cited)
    }
    const readAt = new Date().toISOString()
    client.cited(result).then(
      found => show({ hash: result, readAt, found, problem: null, query: null }),
      error =>
        show(
          error instanceof ApiRefusal
            ? refusedResult(result, readAt, error.problem)
            : refusedResult(result, readAt, UNREACHED),
        ),
    )
    return () => {
      isGone = true
    }
  }, [id, result, isSignedIn])
}

const UNREACHED = {
  type: 'about:blank',
  code: 'web.offline',
  detail: 'Couldn’t reach the server.',
  hint: 'Check your connection and reload the page.',
}
