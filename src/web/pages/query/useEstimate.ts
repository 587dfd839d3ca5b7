import { useEffect, useRef, useState } from 'react'
import { createEstimates, type EstimateState } from './estimates.ts'
import type { QueryClient, RunRequest } from './queryClient.ts'

const NONE: EstimateState = { estimate: undefined, retrySeconds: undefined }

/** Rows that a query would read, a moment after its text has changed. */
export function useEstimate(client: QueryClient, request: RunRequest | undefined): EstimateState {
  const [state, setState] = useState(NONE)
  const estimates = useRef<ReturnType<typeof createEstimates>>(undefined)
  const text = request === undefined ? '' : JSON.stringify(request)
  useEffect(() => {
    const made = createEstimates(client.estimate, setState)
    estimates.current = made
    return () => made.end()
  }, [client])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another client is asked about the same text
  useEffect(() => estimates.current?.want(text), [client, text])
  return state
}
