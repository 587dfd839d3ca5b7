import { AssayError } from '#kernel/errors.ts'
import { WalletError } from './walletError.ts'

/** What a wallet may be asked for: to connect, to sign and send a transaction, to sign a text, to sign a Clarity value. */
export type RequestKind = 'auth' | 'transaction' | 'message' | 'structured'
/** A request is loading from `open` on and idle after the other two. */
export type RequestStep = 'open' | 'finish' | 'cancel'

type Watcher = (kind: RequestKind, step: RequestStep) => void
const watchers = new Set<Watcher>()

/** Tells each step of each request to a wallet; one that failed was cancelled. Ends with the function that it returns. */
export function watchRequests(watcher: Watcher): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

const tell = (kind: RequestKind, step: RequestStep): void => {
  for (const watcher of watchers) watcher(kind, step)
}

/** What becomes of a request. */
export type Outcome<Answer> = {
  onFinish?: (answer: Answer) => void
  /** Cancelled, or failed: the error says which, in words that can be shown. */
  onCancel?: (error: AssayError) => void
  /** The wallet is not in the browser. Without it that is thrown. */
  onNoWallet?: () => void
  /** Whoever asked is gone: the request is cancelled at once, and what the wallet answers later is heard by nobody. */
  signal?: AbortSignal
}

/**
 * Runs one request. Resolves with its answer; with undefined where it came to nothing, which `onCancel` or `onNoWallet` has been told.
 * Throws `wallet.none` where there is no wallet and nobody to tell.
 */
export async function runRequest<Answer>(
  kind: RequestKind,
  work: () => Promise<Answer>,
  { onFinish, onCancel, onNoWallet, signal }: Outcome<Answer> = {},
): Promise<Answer | undefined> {
  tell(kind, 'open')
  let answer: Answer
  try {
    signal?.throwIfAborted()
    answer = await (signal ? Promise.race([work(), whenGone(signal)]) : work())
  } catch (thrown) {
    tell(kind, 'cancel')
    if (thrown instanceof WalletError && thrown.reason === 'none') {
      if (onNoWallet === undefined) throw thrown
      onNoWallet()
      return undefined
    }
    console.error(`A wallet’s request (${kind}) came to nothing`, thrown)
    onCancel?.(
      thrown instanceof AssayError
        ? thrown
        : new WalletError('refused', 'The wallet could not do it.', { cause: thrown }),
    )
    return undefined
  }
  tell(kind, 'finish')
  onFinish?.(answer)
  return answer
}

const whenGone = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new WalletError('cancelled', 'Canceled on this page.')))
  })
