import { AssayError } from '#kernel/errors.ts'

const REASONS = {
  401: [
    'validation',
    'The hub does not accept our proof of who you are.',
    'Disconnect and connect your wallet again.',
  ],
  402: [
    'proof',
    'The hub wants more proofs of this identity than it has.',
    'Ask the operator of the hub which proofs it requires.',
  ],
  403: [
    'path',
    'The hub does not let this wallet write under that path.',
    'Connect the wallet that the files belong to.',
  ],
  404: ['missing', 'The hub holds no such file.', 'Nothing has been stored there yet, or it was deleted.'],
  409: ['conflict', 'Another write to the same file is in progress.', 'Wait a moment and try again.'],
  412: ['precondition', 'Another device changed the file in the meantime.', 'Read it again, then write.'],
  413: ['too_large', 'The content is larger than the hub takes.', 'Store less data in it.'],
} as const satisfies Record<number, readonly [reason: string, meaning: string, remedy: string]>

/** What a hub did not do. `code` is `hub.` and `validation`, `proof`, `path`, `missing`, `conflict`, `precondition`, `too_large`, `status`, `answer`, `unreachable` or `none`. */
export class HubError extends AssayError {
  /** Of the hub's answer; null where there was none. */
  readonly status: number | null
  /** Most bytes that the hub takes, where that was the reason. */
  readonly maxBytes: number | null

  constructor(
    reason: string,
    message: string,
    more: { status?: number; maxBytes?: number; hint?: string; cause?: unknown } = {},
  ) {
    super(`hub.${reason}`, message, {
      facts: { status: more.status ?? null, maxBytes: more.maxBytes ?? null },
      hint: more.hint,
      cause: more.cause,
    })
    this.status = more.status ?? null
    this.maxBytes = more.maxBytes ?? null
  }
}

/** A refusal of the hub in words. */
export function hubRefusal(status: number, maxBytes: number): HubError {
  const known = Object.entries(REASONS).find(([one]) => Number(one) === status)?.[1]
  if (known === undefined)
    return new HubError('status', `The hub answered with status ${status}.`, {
      status,
      hint: status >= 500 ? 'The hub has an error. Try again later.' : 'Try again later.',
    })
  const [reason, meaning, hint] = known
  return new HubError(reason, status === 413 ? tooLarge(maxBytes) : meaning, {
    status,
    hint,
    ...(status === 413 && { maxBytes }),
  })
}

export const tooLarge = (maxBytes: number): string => `The hub takes at most ${maxBytes} bytes in one file.`
