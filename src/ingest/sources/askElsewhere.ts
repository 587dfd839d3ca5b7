import type { SourceRequest } from '#sources/live.ts'
import type { Fetched } from './fetchAnswer.ts'

/** What came of a request, and from where. */
export type Came = {
  /** With the address that answered, or the first one where none did. */
  readonly request: SourceRequest
  readonly fetched: Fetched
  /** Why another address than the first answered, as a sentence; null where the first one did, or none. */
  readonly instead: string | null
  /** Whether the first address could not be reached. */
  readonly isUnreachable: boolean
}

type Asking = {
  /** Waits until the host of an address takes a further request. */
  readonly turn: (request: SourceRequest) => Promise<void>
  readonly ask: (url: string, isFirst: boolean) => Promise<Fetched>
}

/** That an address is no more, or that nobody is there: waiting for it to answer again is of no use. */
const isGone = (fetched: Fetched): boolean =>
  fetched.kind === 'failed' &&
  (fetched.status === 404 ||
    fetched.status === 410 ||
    fetched.code === 'sources.redirect' ||
    fetched.isUnreachable)

const placeOf = (url: string): string => {
  const { host, pathname } = new URL(url)
  return host + pathname
}

/**
 * Asks the address of a request, and where it is gone those that are named for that, in their order. Where none of them
 * answers the failure of the first one stands, with the longest rest that any of them wants.
 */
export async function askElsewhere(request: SourceRequest, { turn, ask }: Asking): Promise<Came> {
  const first = await ask(request.url, true)
  const isUnreachable = first.kind === 'failed' && first.isUnreachable
  const none: Came = { request, fetched: first, instead: null, isUnreachable }
  if (first.kind !== 'failed' || !isGone(first)) return none
  let retryAtMs = first.retryAtMs
  for (const url of request.otherwise ?? []) {
    const other = { ...request, url }
    await turn(other)
    const fetched = await ask(url, false)
    if (fetched.kind === 'failed') {
      if (fetched.retryAtMs !== null) retryAtMs = Math.max(retryAtMs ?? 0, fetched.retryAtMs)
      continue
    }
    const instead = `${first.reason} ${placeOf(url)} answered in place of ${placeOf(request.url)}.`
    return { request: other, fetched, instead, isUnreachable }
  }
  return { ...none, fetched: { ...first, retryAtMs } }
}
