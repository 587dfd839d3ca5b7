import type { CitedResult } from '#http/contract.ts'

/** The stored result that an address names, or why it cannot be shown. */
export type Cited = {
  readonly hash: string
  /** When the result was read. Its age is relative to this. */
  readonly readAt: string
  /** Null if it is no longer stored, or another user’s. */
  readonly found: CitedResult | null
  readonly problem: CitedProblem | null
  /** Query of a result that is no longer stored. */
  readonly query: {
    readonly sql: string
    readonly parameters: Readonly<Record<string, string>>
    readonly dataVersion: string
  } | null
}

export type CitedProblem = {
  readonly type: string
  readonly code: string
  readonly detail: string
  readonly hint: string
}

/** A result rendered by the server, with its first rows formatted like in the grid. */
export type DrawnResult = Cited & { readonly rows: readonly (readonly string[])[] }

/** Hashes come from URLs and browser storage, so an invalid one must not reach another API endpoint. */
export const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)

/** Default tab name for a result whose link has no title. */
export const nameOfResult = (hash: string): string => `Result ${hash.slice(0, 8)}`

/** The query for the tab, if the user may see it. */
export const queryOf = ({ found, query }: Cited): Pick<NonNullable<Cited['query']>, 'sql' | 'parameters'> =>
  found ?? query ?? { sql: '', parameters: {} }

type Refused = { type: string; code: string; detail: string; hint?: string; query?: Cited['query'] }

/** An API error as a message for the page. */
export function refusedResult(
  hash: string,
  readAt: string,
  { type, code, detail, hint, query }: Refused,
): Cited {
  const known = query ?? null
  return {
    hash,
    readAt,
    found: null,
    query: known,
    problem: { type, code, detail, hint: hintOf(code, known) ?? hint ?? '' },
  }
}

function hintOf(code: string, query: Cited['query']): string | undefined {
  if (code === 'sql.result_private') return 'Sign in as the owner to see it.'
  if (code !== 'sql.result_expired') return undefined
  return query !== null
    ? `Its query is in the editor. The result used data version ${query.dataVersion}. A new run uses current data.`
    : 'Its query isn’t available. The result was removed long ago, or the link is wrong. Ask the person who shared it.'
}

const AUTOMATIC = /^(?:New query|Result [0-9a-f]{8}|From history)(?: \d+)?$/

/** Address of the page that shows a result. */
export const resultAddress = (hash: string, name: string): string =>
  `/Query?${new URLSearchParams({ result: hash, ...titled(name) })}`

/** The title parameter of the address, for tabs that the user has named. */
export const titled = (name: string): { title?: string } => (AUTOMATIC.test(name) ? {} : { title: name })
