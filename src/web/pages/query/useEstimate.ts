import { useEffect, useState } from 'react'
import type { QueryEstimate } from '#http/contract.ts'
import type { QueryClient, RunRequest } from './queryClient.ts'

const ASK_AFTER_MS = 700

/** Rows that a query would read, a moment after its text has changed; undefined while it cannot be told. */
export function useEstimate(client: QueryClient, request: RunRequest | undefined): QueryEstimate | undefined {
  const [estimate, setEstimate] = useState<QueryEstimate>()
  const text = request === undefined ? '' : JSON.stringify(request)
  useEffect(() => {
    if (text === '') return
    const gone = new AbortController()
    const timer = setTimeout(() => {
      client.estimate(JSON.parse(text) as RunRequest, gone.signal).then(setEstimate, () => {
        // SQL that is still being written is often wrong, which is no news. The limits stay.
        if (!gone.signal.aborted) setEstimate(known => known && { ...known, rows: null })
      })
    }, ASK_AFTER_MS)
    return () => {
      clearTimeout(timer)
      gone.abort()
    }
  }, [client, text])
  // The limits stay; the rows were of another text.
  return text === '' && estimate ? { ...estimate, rows: null } : estimate
}
