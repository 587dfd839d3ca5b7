import { asignaOrigin, asignaProvider } from './asigna.ts'
import { walletSettings } from './settings.ts'
import { WALLETS, type WalletId, walletOf } from './wallets.ts'

/** What a wallet puts into the page to be asked by: JSON-RPC as of SIP-030. */
export type Provider = {
  request(method: string, params?: object): Promise<unknown>
}

/** A provider that signs in by token; of its answer nothing is known before it is checked. */
export type TokenProvider = {
  authenticationRequest(token: string): Promise<unknown>
}

/** How often is looked for wallets: an extension may come after the scripts of the page. */
const POLL_MS = 100

const hasMethod = <Name extends string>(
  value: unknown,
  name: Name,
): value is Record<Name, (...given: never[]) => unknown> =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, name) === 'function'

/** What stands at `A.B` below `window`; undefined where nothing does. */
function atPath(path: string): unknown {
  let found: unknown = window
  for (const part of path.split('.')) {
    if (typeof found !== 'object' || found === null) return undefined
    found = Reflect.get(found, part)
  }
  return found
}

let asigna: { readonly origin: string; readonly provider: Provider } | undefined

/** The wallet in this page as it is now; undefined where it is not installed. */
export function providerOf(id: WalletId): Provider | undefined {
  if (id === 'AsignaProvider') {
    const origin = asignaOrigin(walletSettings().asignaOrigins)
    if (origin === undefined) return undefined
    if (asigna?.origin !== origin) asigna = { origin, provider: asignaProvider(origin) }
    return asigna.provider
  }
  const found = atPath(id)
  // The method is there; that it follows SIP-030 is the wallet's promise.
  return hasMethod(found, 'request') ? (found as unknown as Provider) : undefined
}

/** The object of a wallet that signs in by token; undefined where it offers no such sign-in. */
export function tokenProviderOf(id: WalletId): TokenProvider | undefined {
  const { tokenPath } = walletOf(id)
  if (tokenPath === undefined || providerOf(id) === undefined) return undefined
  const found = atPath(tokenPath)
  return hasMethod(found, 'authenticationRequest') ? (found as unknown as TokenProvider) : undefined
}

/** Known by two methods that no other wallet has; Leather may stand in its place. */
export const isXverse = (provider: Provider): boolean =>
  !('isLeather' in provider) &&
  'signMultipleTransactions' in provider &&
  'createRepeatInscriptions' in provider

export const installedWallets = (): WalletId[] =>
  WALLETS.map(({ id }) => id).filter(id => providerOf(id) !== undefined)

/** Tells which wallets are there, now and whenever that changes. Ends with the function that it returns. */
export function watchWallets(onChange: (installed: WalletId[]) => void, everyMs = POLL_MS): () => void {
  let last: string | undefined
  const look = () => {
    const installed = installedWallets()
    if (installed.join() === last) return
    last = installed.join()
    onChange(installed)
  }
  look()
  const timer = setInterval(look, everyMs)
  return () => clearInterval(timer)
}
