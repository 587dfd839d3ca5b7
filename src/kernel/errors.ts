/** Values that explain an error: what was found, what was expected, where. Never a secret, never a stack. */
export type Facts = Readonly<Record<string, string | number | bigint | boolean | null | undefined>>

/**
 * The one base of all errors of the house. `code` is `room.reason`; `message` says what was wrong and where;
 * `hint` says what to do. Rooms derive their own class.
 */
export class AssayError extends Error {
  readonly code: string
  readonly facts: Facts
  readonly hint: string | undefined
  /** The specification fixes the message to the letter: shown without capital or full stop added. */
  readonly isExact: boolean

  constructor(
    code: string,
    message: string,
    more: { facts?: Facts; hint?: string | undefined; cause?: unknown; isExact?: boolean } = {},
  ) {
    super(message, { cause: more.cause })
    this.name = new.target.name
    this.code = code
    this.facts = more.facts ?? {}
    this.hint = more.hint
    this.isExact = more.isExact ?? false
  }
}

/** A configuration value that cannot be used. The start stops with this sentence. */
export class ConfigError extends AssayError {}

/** Ends a `switch` over a closed set: a value that the types exclude is a defect of ours. */
export function assertNever(value: never): never {
  throw new AssayError('kernel.unreachable', `unexpected value ${String(value)}`)
}

/** One sentence for a person: message, then hint. Works for any thrown value; never a stack. */
export function sentenceOf(thrown: unknown): string {
  if (thrown instanceof AssayError) return thrown.hint ? `${thrown.message} ${thrown.hint}` : thrown.message
  const words = fileWords(thrown)
  if (words !== undefined) return `${(thrown as NodeJS.ErrnoException).path} ${words}.`
  return thrown instanceof Error ? thrown.message : String(thrown)
}

const FILE_WORDS: Readonly<Record<string, string>> = {
  EACCES: 'may not be opened by this user',
  EPERM: 'may not be opened by this user',
  EISDIR: 'is a folder',
  EEXIST: 'is a file, not a folder',
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist: a part of its path is a file',
  ENOSPC: 'cannot be written: the disk is full',
  EROFS: 'cannot be written: the disk is read-only',
  EMFILE: 'cannot be opened: this process has too many files open',
  ELOOP: 'is a link that leads to itself',
  ENAMETOOLONG: 'is longer than a path may be',
}

/** What the system says about a file, as the end of a sentence that begins with its path; undefined for any other error. */
export function fileWords(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error)) return undefined
  const { code, path } = thrown as NodeJS.ErrnoException
  return typeof path === 'string' ? FILE_WORDS[code ?? ''] : undefined
}
