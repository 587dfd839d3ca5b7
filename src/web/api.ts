import type { Api, BalancesAnswer, Features, Problem, SearchAnswer } from '#http/contract.ts'
import { apiHref } from './apiHref.ts'

/** The API said no: the problem document says what was wrong, where, and what to do. */
export class ApiRefusal extends Error {
  readonly problem: Problem
  /** From Retry-After. */
  readonly retryAfterSeconds: number | undefined

  constructor(problem: Problem, retryAfterSeconds?: number) {
    super(problem.detail)
    this.name = 'ApiRefusal'
    this.problem = problem
    this.retryAfterSeconds = retryAfterSeconds
  }
}

const BASE = '/api/v1'

const isProblem = (body: unknown): body is Problem =>
  typeof body === 'object' && body !== null && 'detail' in body && 'status' in body

/** Asks the API below `/api/v1`; undefined where the answer has no body. Throws `ApiRefusal`. */
export async function ask(path: string, init: RequestInit): Promise<unknown> {
  const response = await fetch(apiHref(`${BASE}${path}`), init)
  const body: unknown = await response.json().catch(() => undefined)
  if (response.ok) return body
  if (isProblem(body)) throw new ApiRefusal(body)
  throw new ApiRefusal({
    type: 'about:blank',
    title: 'No answer',
    status: response.status,
    detail: `The server answered ${response.status} without a reason. Try again in a moment.`,
    code: 'web.no_reason',
  })
}

/** What pages ask from the browser once somebody does something. */
export type BrowserApi = Pick<Api, 'sql'> & {
  /** Balances of many addresses. Throws `ApiRefusal`. */
  manyBalances: (lines: readonly string[], signal?: AbortSignal) => Promise<BalancesAnswer>
  /** What the asker may use, as the server knows it. Throws `ApiRefusal`. */
  features: (signal: AbortSignal) => Promise<Features>
  /** What has such a name or id. Throws `ApiRefusal`. */
  search: (query: { q: string; limit: number }, signal?: AbortSignal) => Promise<SearchAnswer>
  /** Ends a running query; it is no error when it has ended already. */
  cancelSql: (queryId: string) => Promise<void>
}

export const browserApi: BrowserApi = {
  async sql(request, signal) {
    // What is run beside a page is run as of the day as of which the page is shown.
    const known = new URLSearchParams(window.location.search).get('known')
    const answer = await ask(known === null ? '/sql' : `/sql?known=${encodeURIComponent(known)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(request),
      ...(signal && { signal }),
    })
    // The contract holds both sides to this shape; the server’s tests check it.
    return answer as Awaited<ReturnType<Api['sql']>>
  },
  async manyBalances(lines, signal) {
    const answer = await ask('/addresses/balances', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ lines }),
      ...(signal && { signal }),
    })
    return answer as BalancesAnswer
  },
  async features(signal) {
    return (await ask('/features', { headers: { 'content-type': 'application/json' }, signal })) as Features
  },
  async search({ q, limit }, signal) {
    const path = `/search?q=${encodeURIComponent(q)}&limit=${limit}`
    return (await ask(path, signal ? { signal } : {})) as SearchAnswer
  },
  async cancelSql(queryId) {
    await fetch(apiHref(`${BASE}/sql/${encodeURIComponent(queryId)}`), { method: 'DELETE' })
  },
}
