import { AssayError, type Facts } from '#kernel/errors.ts'
import { QueryError } from '#queries/index.ts'
import { isEngineFull } from '#warehouse/index.ts'
import type { Problem } from './contract.ts'
import { isProblemCode, PROBLEM_KINDS, type ProblemCode } from './problems.ts'

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

/** A problem with its status, title and page filled in from the list of all problems. */
export function problemOf(
  code: ProblemCode,
  detail: string,
  more: Omit<Partial<Problem>, 'status' | 'code' | 'detail' | 'title' | 'type'> = {},
): Problem {
  const { status, title } = PROBLEM_KINDS[code]
  return { type: `/errors/${code}`, title, status, detail, code, ...more }
}

/** 405: the address exists, the method does not. */
export const wrongMethod = (method: string, path: string, methods: readonly string[]): ApiError =>
  new ApiError(
    problemOf('http.method', `${method} is not possible at ${path.slice(0, 200)}.`, {
      hint: `There are: ${methods.join(', ')}.`,
    }),
    { facts: { allow: methods.join(', ') } },
  )

/** Whatever was thrown as an answer. An unexpected error says nothing but that it is one; `cause` keeps it for the log. */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  if (!(thrown instanceof AssayError)) return defect(thrown)
  // What is not on the list is not about what was asked: the engine's own errors, and ours.
  if (!isProblemCode(thrown.code)) return defect(thrown)
  const { status, meaning, remedy } = PROBLEM_KINDS[thrown.code]
  // Their own sentences name folders and hosts of whoever runs the site: those are for the log.
  if (thrown.code.startsWith('warehouse.'))
    return new ApiError(problemOf(thrown.code, meaning, { hint: remedy }), {
      cause: thrown,
      retryAfterSeconds: 5,
    })
  const place = thrown instanceof QueryError ? thrown.place : undefined
  const parameter =
    (thrown instanceof QueryError ? thrown.parameter : undefined) ??
    (typeof thrown.facts.parameter === 'string' ? thrown.facts.parameter : undefined)
  const sentence = thrown.isExact ? thrown.message : sentenceFrom(thrown.message)
  const nearest = String(thrown.facts.nearest ?? '')
    .split(',')
    .filter(name => name !== '')
  const retryAfterSeconds =
    typeof thrown.facts.retryAfterSeconds === 'number' ? thrown.facts.retryAfterSeconds : undefined
  return new ApiError(
    problemOf(thrown.code, sentence, {
      ...(parameter !== undefined && { errors: [{ parameter, message: sentence }] }),
      ...(place && { line: place.line, column: place.column }),
      ...(thrown.hint !== undefined && { hint: thrown.hint }),
      ...(nearest.length > 0 && { nearest }),
      ...(thrown instanceof QueryError &&
        thrown.query && { query: { ...thrown.query, parameters: { ...thrown.query.parameters } } }),
    }),
    { facts: thrown.facts, cause: thrown, retryAfterSeconds: status === 503 ? 5 : retryAfterSeconds },
  )
}

/** Answers a request of the API: whatever it throws becomes an `ApiError`. */
export async function asking<T>(ask: () => T | Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (thrown) {
    throw toApiError(thrown)
  }
}

/** Rooms write their messages as parts of a sentence or as whole ones; an id at the beginning stays as it is written. */
const sentenceFrom = (message: string): string =>
  `${/^[a-z]+(?![\w.])/.test(message) ? message.charAt(0).toUpperCase() + message.slice(1) : message}${/[.!?]$/.test(message) ? '' : '.'}`

/** The engine's own errors under one of our statements, and all that nobody foresaw. */
function defect(cause: unknown): ApiError {
  if (isEngineFull(cause))
    return new ApiError(
      problemOf('http.unavailable', 'The warehouse is out of memory because of too many requests at once.', {
        hint: 'Try again in a moment.',
      }),
      { cause, retryAfterSeconds: 5 },
    )
  const isAway =
    cause instanceof Error && /ECONN|EPIPE|socket|timeout/i.test(`${cause.name} ${cause.message}`)
  return isAway
    ? new ApiError(
        problemOf('http.unavailable', 'Warehouse unavailable.', {
          hint: 'Try again in a moment.',
        }),
        { cause, retryAfterSeconds: 5 },
      )
    : new ApiError(
        problemOf('http.defect', 'Internal server error. The log has it under the id of this request.'),
        { cause },
      )
}
