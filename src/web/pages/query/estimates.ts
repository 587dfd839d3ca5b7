import type { QueryEstimate } from '#http/contract.ts'
import { ApiRefusal } from '../../api.ts'
import type { QueryClient, RunRequest } from './queryClient.ts'

/** A pause in typing after which an estimate is requested. */
const AFTER_MS = 700
const RETRY_SECONDS = 5

export type EstimateState = {
  /** The newest estimate; without rows if it is of an earlier text. */
  readonly estimate: QueryEstimate | undefined
  /** Seconds until the next attempt, after the server refused one because of too many requests. */
  readonly retrySeconds: number | undefined
}

/** Requests estimates for a text that changes: one at a time, since each takes a slot that a run of the user needs. */
export function createEstimates(estimate: QueryClient['estimate'], tell: (state: EstimateState) => void) {
  const gone = new AbortController()
  let state: EstimateState = { estimate: undefined, retrySeconds: undefined }
  let wanted = ''
  let done = ''
  let isBusy = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let freeAt = 0

  const set = (next: Partial<EstimateState>) => {
    state = { ...state, ...next }
    if (!gone.signal.aborted) tell(state)
  }
  const withoutRows = (known = state.estimate) => known && { ...known, rows: null }
  const plan = (ms: number) => {
    clearTimeout(timer)
    if (!gone.signal.aborted && wanted !== '' && wanted !== done)
      timer = setTimeout(send, Math.max(ms, freeAt - performance.now()))
  }
  const send = async () => {
    if (isBusy) return
    isBusy = true
    const text = wanted
    try {
      const found = await estimate(JSON.parse(text) as RunRequest, gone.signal)
      done = text
      set({ estimate: text === wanted ? found : withoutRows(found), retrySeconds: undefined })
    } catch (thrown) {
      const isRefused = thrown instanceof ApiRefusal && thrown.problem.status === 429
      const retrySeconds = isRefused ? (thrown.retryAfterSeconds ?? RETRY_SECONDS) : undefined
      if (retrySeconds === undefined) done = text
      else freeAt = performance.now() + retrySeconds * 1000
      // SQL that is still being written is often wrong, which is no news. The limits stay.
      set({ estimate: withoutRows(), retrySeconds })
    } finally {
      isBusy = false
      plan(0)
    }
  }

  return {
    /** `text`: the request as JSON, or empty for a query that is not complete. */
    want(text: string) {
      if (text === wanted) return
      wanted = text
      done = ''
      set({ estimate: withoutRows() })
      plan(AFTER_MS)
    },
    end() {
      clearTimeout(timer)
      gone.abort()
    },
  }
}
