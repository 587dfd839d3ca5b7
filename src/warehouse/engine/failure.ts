import { engineStatus } from '#kernel/engineStatus.ts'
/** An error in ClickHouse's own words, so that its client reads it like any other. */
export class Failure extends Error {
  /** ClickHouse's error number and name, and the HTTP status its server would answer with. */
  readonly code: number
  readonly status: number

  constructor(code: number, name: string, sentence: string) {
    super(`Code: ${code}. DB::Exception: ${sentence} (${name})`)
    this.code = code
    this.status = engineStatus(code)
  }
}

export const FAILURES = {
  badArguments: (sentence: string) => new Failure(36, 'BAD_ARGUMENTS', sentence),
  notImplemented: (sentence: string) => new Failure(48, 'NOT_IMPLEMENTED', sentence),
  unknownSetting: (name: string) => new Failure(115, 'UNKNOWN_SETTING', `Unknown setting '${name}'.`),
  readonly: (sentence: string) => new Failure(164, 'READONLY', sentence),
  busy: (sentence: string) => new Failure(202, 'TOO_MANY_SIMULTANEOUS_QUERIES', sentence),
  sameId: (id: string) =>
    new Failure(216, 'QUERY_WITH_SAME_ID_IS_ALREADY_RUNNING', `Query with id = ${id} is already running.`),
  cancelled: () => new Failure(394, 'QUERY_WAS_CANCELLED', 'Query was canceled.'),
  multiStatements: () =>
    new Failure(62, 'SYNTAX_ERROR', 'Multi-statements are not allowed: send one statement at a time.'),
  denied: (sentence: string) => new Failure(497, 'ACCESS_DENIED', sentence),
  notAuthenticated: () =>
    new Failure(516, 'AUTHENTICATION_FAILED', 'Authentication failed: wrong user name or password.'),
} as const

/** Any thrown value as a failure: the engine's texts keep their code. */
export function failureOf(thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown
  const text = thrown instanceof Error ? thrown.message : String(thrown)
  const [, code, sentence, name] =
    /^Code: (\d+)\. DB::Exception: (.*?)\s*(?:\(([A-Z0-9_]+)\))?\s*$/s.exec(text) ?? []
  if (code === undefined || sentence === undefined)
    return new Failure(1001, 'STD_EXCEPTION', text || 'The engine gave no reason.')
  return new Failure(Number(code), name ?? 'UNKNOWN', unwrapped(sentence))
}

/** The engine repeats some errors inside themselves, once a layer; the innermost says it all. */
function unwrapped(sentence: string): string {
  const inner = /^Code: \d+\. DB::Exception: (.*?)\s*\([A-Z0-9_]+\)(?: \(version [^)]*\))?\.?$/s.exec(
    sentence,
  )
  return inner?.[1] === undefined ? sentence : unwrapped(inner[1])
}
