import type { CitedResult } from '#http/contract.ts'

/** A stored result as an address names it, or why it cannot be shown. */
export type Cited = {
  readonly hash: string
  /** When it was read, from which its age is counted. */
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

/** A result as the server draws it, with its first rows as the grid would show them. */
export type DrawnResult = Cited & { readonly rows: readonly (readonly string[])[] }

/** Hashes come from addresses and storage of the browser: one that is none must not lead to another place of the API. */
export const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)

/** Name of the tab of a result whose link gives none. */
export const nameOfResult = (hash: string): string => `Result ${hash.slice(0, 8)}`

/** The query that a tab gets, as far as the reader may see it. */
export const queryOf = ({ found, query }: Cited): Pick<NonNullable<Cited['query']>, 'sql' | 'parameters'> =>
  found ?? query ?? { sql: '', parameters: {} }

type Refused = { type: string; code: string; detail: string; hint?: string; query?: Cited['query'] }

/** What the API refused, in words for a page. */
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
  if (code === 'sql.result_private') return 'Sign in as its owner to see it.'
  if (code !== 'sql.result_expired') return undefined
  return query !== null
    ? `Its query is in the editor. The result was of data version ${query.dataVersion}, and a new run reads current data.`
    : 'Nothing is known of its query: it was removed long ago, or the link is wrong. Ask whoever shared it.'
}

const AUTOMATIC = /^(?:New query|Result [0-9a-f]{8}|From history)(?: \d+)?$/

/** Address of the page that shows a result. */
export const resultAddress = (hash: string, name: string): string =>
  `/Query?${new URLSearchParams({ result: hash, ...titled(name) })}`

/** The name of a tab as an address has it, if somebody chose it. */
export const titled = (name: string): { title?: string } => (AUTOMATIC.test(name) ? {} : { title: name })
