import { ClickHouseError } from '@clickhouse/client'
import { AccountError } from '#accounts/index.ts'
import { engineStatus } from '#kernel/engineStatus.ts'
import { AssayError } from '#kernel/errors.ts'
import { QueryError } from '#queries/index.ts'

/** An error as a ClickHouse server answers it. `name` is ClickHouse's word for the code (ErrorCodes.cpp). */
export class PortFailure extends Error {
  readonly code: number
  readonly type: string
  readonly status: number

  constructor(code: number, type: string, sentence: string, more: { status?: number; cause?: unknown } = {}) {
    super(sentence, { cause: more.cause })
    this.name = 'PortFailure'
    this.code = code
    this.type = type
    this.status = more.status ?? engineStatus(code)
  }
}

export const REFUSALS = {
  badArguments: (sentence: string) => new PortFailure(36, 'BAD_ARGUMENTS', sentence),
  notImplemented: (sentence: string) => new PortFailure(48, 'NOT_IMPLEMENTED', sentence),
  syntax: (sentence: string) => new PortFailure(62, 'SYNTAX_ERROR', sentence),
  unknownFormat: (name: string) =>
    new PortFailure(73, 'UNKNOWN_FORMAT', `Format ${name} is not available for query results.`),
  unknownDatabase: (name: string) =>
    new PortFailure(81, 'UNKNOWN_DATABASE', `Database ${name} does not exist. The only database is default.`),
  readonlySetting: (name: string, reason = '') =>
    new PortFailure(164, 'READONLY', `Cannot modify '${name}' setting in readonly mode.${reason}`),
  sameId: (id: string) =>
    new PortFailure(
      216,
      'QUERY_WITH_SAME_ID_IS_ALREADY_RUNNING',
      `Query with id = ${id} is already running.`,
    ),
  tooLarge: (sentence: string) => new PortFailure(307, 'TOO_MANY_BYTES', sentence, { status: 413 }),
  notAuthenticated: (sentence: string) => new PortFailure(516, 'AUTHENTICATION_FAILED', sentence),
} as const

/** ClickHouse's code for errors that never reached the engine, or whose code is ours. */
const CODES: Readonly<Record<string, readonly [code: number, type: string]>> = {
  'sql.ambiguous_date': [457, 'BAD_QUERY_PARAMETER'],
  'sql.cancelled': [394, 'QUERY_WAS_CANCELLED'],
  'sql.empty': [62, 'SYNTAX_ERROR'],
  'sql.parameter_missing': [456, 'UNKNOWN_QUERY_PARAMETER'],
  'sql.parameter_unknown': [457, 'BAD_QUERY_PARAMETER'],
  'sql.parameter_value': [457, 'BAD_QUERY_PARAMETER'],
  'sql.paused': [202, 'TOO_MANY_SIMULTANEOUS_QUERIES'],
  'sql.read_only': [164, 'READONLY'],
  'sql.refused': [497, 'ACCESS_DENIED'],
  'sql.syntax': [62, 'SYNTAX_ERROR'],
  'sql.too_complex': [718, 'TOO_SLOW_PARSING'],
  'sql.too_large': [396, 'TOO_MANY_ROWS_OR_BYTES'],
  'sql.too_long': [159, 'TIMEOUT_EXCEEDED'],
  'sql.too_long_text': [62, 'SYNTAX_ERROR'],
  'sql.too_many_at_once': [202, 'TOO_MANY_SIMULTANEOUS_QUERIES'],
  'sql.two_statements': [62, 'SYNTAX_ERROR'],
  'sql.unavailable': [210, 'NETWORK_ERROR'],
  'sql.unknown_upload': [60, 'UNKNOWN_TABLE'],
}

const NOT_IMPLEMENTED = [48, 'NOT_IMPLEMENTED'] as const
const UNKNOWN = [1002, 'UNKNOWN_EXCEPTION'] as const

/** Whatever was thrown as ClickHouse's error. What is not about the request says nothing of itself; `cause` is for the log. */
export function failureOf(thrown: unknown): PortFailure {
  if (thrown instanceof PortFailure) return thrown
  if (thrown instanceof QueryError) return failureOfQuery(thrown)
  if (thrown instanceof AccountError) return failureOfAccount(thrown)
  if (thrown instanceof AssayError && /^(store|warehouse)\./.test(thrown.code))
    return new PortFailure(
      210,
      'NETWORK_ERROR',
      'A service that Assay needs is unavailable. Retry in a few seconds.',
      {
        status: 503,
        cause: thrown,
      },
    )
  return new PortFailure(1002, 'UNKNOWN_EXCEPTION', 'Internal server error.', { cause: thrown })
}

/** Assay's own sentence, which holds no names of closed tables, with the code that the engine gave. */
function failureOfQuery(error: QueryError): PortFailure {
  const { cause, place } = error
  // Its own sentence names the formats of the API.
  if (error.code === 'sql.format')
    return new PortFailure(
      348,
      'INTO_OUTFILE_NOT_ALLOWED',
      'INTO OUTFILE is not allowed, and a FORMAT clause must end the statement.',
      { cause: error },
    )
  const ofEngine = cause instanceof ClickHouseError && /^\d+$/.test(cause.code) ? cause : undefined
  const [code, type] =
    CODES[error.code] ??
    (ofEngine && ([Number(ofEngine.code), ofEngine.type ?? 'UNKNOWN'] as const)) ??
    (error.code === 'sql.type' ? NOT_IMPLEMENTED : UNKNOWN)
  const sentence = [
    place === undefined
      ? error.message
      : `${error.message.replace(/\.$/, '')} (line ${place.line}, col ${place.column}).`,
    hintOf(error),
  ]
  return new PortFailure(code, type, sentence.filter(part => part !== undefined).join(' '), {
    ...(error.code === 'sql.unavailable' && { status: 503 }),
    cause: error,
  })
}

/** The hint of a missing value names the field of the API; this interface has a parameter of the request for it. */
const hintOf = ({ code, parameter, hint }: QueryError): string | undefined =>
  code === 'sql.parameter_missing' && parameter !== undefined
    ? `Send it as \`param_${parameter}\` with the request.`
    : hint

function failureOfAccount(error: AccountError): PortFailure {
  const sentence = [error.message, error.hint].filter(part => part !== undefined).join(' ')
  if (error.code === 'accounts.key_queries')
    return new PortFailure(497, 'ACCESS_DENIED', sentence, { cause: error })
  return error.code === 'accounts.too_many'
    ? new PortFailure(202, 'TOO_MANY_SIMULTANEOUS_QUERIES', sentence, { cause: error })
    : new PortFailure(516, 'AUTHENTICATION_FAILED', sentence, { cause: error })
}

/** The body of an error; clients read the code and its name out of it. */
export const textOfFailure = ({ code, type, message }: PortFailure, version: string): string =>
  `Code: ${code}. DB::Exception: ${message} (${type}) (version ${version} (official build))\n`
