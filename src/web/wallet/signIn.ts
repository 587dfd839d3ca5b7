import { askAccount } from './accounts.ts'
import { providerOf, tokenProviderOf } from './providers.ts'
import { type Outcome, runRequest } from './requests.ts'
import { beginSession, forgetSession, userOf, type WalletSession } from './session.ts'
import { noWallet, WalletError } from './walletError.ts'
import type { WalletId } from './wallets.ts'

/**
 * Connects a wallet and stores the session: by token where the wallet signs in so, which tells of its user's hub and profile too,
 * else by its address alone. Cancelled or failed, whoever was connected is not any more, and `onCancel` is told why.
 * A session is no proof of the address to the server: `proveAddress` is.
 */
export function signInWithWallet(
  id: WalletId,
  outcome: Outcome<WalletSession> = {},
): Promise<WalletSession | undefined> {
  return runRequest('auth', () => connect(id, outcome.signal), {
    ...outcome,
    onCancel(error) {
      forgetSession()
      outcome.onCancel?.(error)
    },
  })
}

async function connect(id: WalletId, signal?: AbortSignal): Promise<WalletSession> {
  if (providerOf(id) === undefined) throw noWallet()
  const signed = await tryToken(id)
  // Nobody waits any more: the wallet is not asked in another way, and no session begins.
  signal?.throwIfAborted()
  if (signed !== null) return beginSession(signed.userData, signed.transitKey)
  const account = await askAccount(id)
  signal?.throwIfAborted()
  return beginSession(userOf(id, account))
}

/** Null where the wallet does not sign in by token, or only says that it does. A token that does not hold is no such case. */
async function tryToken(id: WalletId) {
  const provider = tokenProviderOf(id)
  if (provider === undefined) return null
  const { signInByToken } = await import('./tokenSignIn.ts')
  try {
    return await signInByToken(id, provider)
  } catch (thrown) {
    if (thrown instanceof WalletError) throw thrown
    if (isCancel(thrown)) throw new WalletError('cancelled', 'Canceled in the wallet.', { cause: thrown })
    console.warn('The wallet does not sign in by token; requesting its address', thrown)
    return null
  }
}

/** Wallets say so by a word, alone or in an error, or by the code of SIP-030. */
const isCancel = (thrown: unknown): boolean => {
  const words = thrown instanceof Error ? thrown.message : String(thrown)
  const code = typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, 'code') : undefined
  return /cancel|reject|denied/i.test(words) || code === 4001 || code === -32_000
}
