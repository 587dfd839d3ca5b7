import { AssayError, type Facts } from '#kernel/errors.ts'
import { QueryError } from '#queries/index.ts'
import type { Problem } from './contract.ts'

/** An error as the API answers it: the `Problem` itself, for pages as for HTTP. */
export class ApiError extends AssayError {
  readonly status: number
  readonly problem: Problem
  readonly retryAfterSeconds: number | undefined

  constructor(
    problem: Problem,
    more: { facts?: Facts; cause?: unknown; retryAfterSeconds?: number | undefined } = {},
  ) {
    super(problem.code, problem.detail, { hint: problem.hint, ...more })
    this.status = problem.status
    this.problem = problem
    this.retryAfterSeconds = more.retryAfterSeconds
  }
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'The request is wrong',
  404: 'Not found',
  405: 'Not possible here',
  406: 'No such form',
  409: 'In conflict with what runs',
  413: 'Too large',
  408: 'Too slow',
  415: 'Unknown form of body',
  422: 'A limit was reached',
  429: 'Too many at once',
  431: 'Too large',
  500: 'A defect of ours',
  503: 'Not available now',
}

/** A problem with its title and page filled in. */
export function problemOf(
  status: number,
  code: string,
  detail: string,
  more: Omit<Partial<Problem>, 'status' | 'code' | 'detail' | 'title' | 'type'> = {},
): Problem {
  return {
    type: `/errors/${code}`,
    title: TITLES[status] ?? 'The request failed',
    status,
    detail,
    code,
    ...more,
  }
}

/** 405: the address exists, the method does not. */
export const wrongMethod = (method: string, path: string, methods: readonly string[]): ApiError =>
  new ApiError(
    problemOf(405, 'http.method', `${method} is not possible at ${path.slice(0, 200)}.`, {
      hint: `There are: ${methods.join(', ')}.`,
    }),
    { facts: { allow: methods.join(', ') } },
  )

/** Statuses of the codes that do not follow from the last word of the code. */
const STATUSES: Readonly<Record<string, number>> = {
  'sql.cancelled': 409,
  'sql.query_id_taken': 409,
  'sql.too_long': 422,
  'sql.too_much_memory': 422,
  'sql.too_many_rows': 422,
  'sql.too_large': 422,
  'sql.too_many_at_once': 429,
  'sql.unavailable': 503,
}

/** Rooms whose errors are about what was asked; every other room's are ours or the engine's. */
const ASKED = /^(?:sql|explorer|metrics|http)\./
const MISSING = /(?:not_found|not_held|stale|unknown(?:_metric|_entity)?)$/

/** Whatever was thrown as an answer. An unexpected error says nothing but that it is one; `cause` keeps it for the log. */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  if (!(thrown instanceof AssayError)) return defect(thrown)
  const status = statusOf(thrown)
  if (status === 500) return defect(thrown)
  const place = thrown instanceof QueryError ? thrown.place : undefined
  const parameter =
    (thrown instanceof QueryError ? thrown.parameter : undefined) ??
    (typeof thrown.facts.parameter === 'string' ? thrown.facts.parameter : undefined)
  const sentence = sentenceFrom(thrown.message)
  const retryAfterSeconds =
    typeof thrown.facts.retryAfterSeconds === 'number' ? thrown.facts.retryAfterSeconds : undefined
  return new ApiError(
    problemOf(status, thrown.code, sentence, {
      ...(parameter !== undefined && { errors: [{ parameter, message: sentence }] }),
      ...(place && { line: place.line, column: place.column }),
      ...(thrown.hint !== undefined && { hint: thrown.hint }),
    }),
    { facts: thrown.facts, cause: thrown, retryAfterSeconds: status === 503 ? 5 : retryAfterSeconds },
  )
}

/** Rooms write their messages as parts of a sentence or as whole ones; an id at the beginning stays as it is written. */
const sentenceFrom = (message: string): string =>
  `${/^[a-z]+(?![\w.])/.test(message) ? message.charAt(0).toUpperCase() + message.slice(1) : message}${/[.!?]$/.test(message) ? '' : '.'}`

function statusOf({ code }: AssayError): number {
  const known = STATUSES[code]
  if (known !== undefined) return known
  if (code.startsWith('warehouse.')) return 503
  if (!ASKED.test(code)) return 500
  return !code.startsWith('sql.') && MISSING.test(code) ? 404 : 400
}

/** The engine's own errors under one of our statements, and all that nobody foresaw. */
function defect(cause: unknown): ApiError {
  const isAway =
    cause instanceof Error && /ECONN|EPIPE|socket|timeout/i.test(`${cause.name} ${cause.message}`)
  return isAway
    ? new ApiError(
        problemOf(503, 'http.unavailable', 'The warehouse does not answer.', {
          hint: 'Nothing is lost; try again in a moment.',
        }),
        { cause, retryAfterSeconds: 5 },
      )
    : new ApiError(
        problemOf(
          500,
          'http.defect',
          'Something of ours failed. It is in the log under the id of this request.',
          {},
        ),
        { cause },
      )
}
