import type { AddressParts, StacksAccount } from './accounts.ts'
import { fieldOf, textIn } from './askWallet.ts'
import { isWalletId, type WalletId } from './wallets.ts'

/** Where `@stacks/auth` keeps it too. */
const KEY = 'blockstack-session'
const VERSION = '1.0.0'

/** What a wallet has told at sign-in; null for what it did not. Only sign-in by token tells more than the account. */
export type WalletUser = {
  readonly walletId: WalletId
  /** On the main network. */
  readonly address: string
  readonly addressParts: AddressParts
  /** Of that address, hex. */
  readonly publicKey: string | null
  readonly addresses: { readonly mainnet: string; readonly testnet: string | null }
  /** Hex. It never leaves the browser. */
  readonly appPrivateKey: string | null
  readonly associationToken: string | null
  readonly hubUrl: string | null
  readonly public_keys: readonly string[]
  readonly profile: unknown
  readonly profile_url: string | null
  readonly username: string | null
  /** Of the token. */
  readonly version: string | null
  readonly decentralizedID: string | null
  readonly identityAddress: string | null
}

export type WalletSession = {
  readonly version: string
  readonly userData: WalletUser
  readonly transitKey: string | null
  /** Of files of the user's hub, by path. */
  readonly etags: Readonly<Record<string, string>>
}

/** A session that knows no more than an account. */
export const userOf = (
  walletId: WalletId,
  { address, addressParts, publicKey }: StacksAccount,
): WalletUser => ({
  walletId,
  address,
  addressParts,
  publicKey,
  addresses: { mainnet: address, testnet: null },
  appPrivateKey: null,
  associationToken: null,
  hubUrl: null,
  public_keys: publicKey === null ? [] : [publicKey],
  profile: null,
  profile_url: null,
  username: null,
  version: null,
  decentralizedID: null,
  identityAddress: null,
})

/** The session that is stored in this browser; undefined where nobody is connected, and for a record that is not ours. */
export function storedSession(): WalletSession | undefined {
  try {
    const record: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null')
    const user = fieldOf(record, 'userData')
    const [walletId, address] = [fieldOf(user, 'walletId'), textIn(user, 'address')]
    if (!isWalletId(walletId) || !/^S[PM]/.test(address ?? '')) return undefined
    // What we wrote ourselves, by the two fields that no other program writes.
    return record as WalletSession
  } catch {
    return undefined
  }
}

const watchers = new Set<(session: WalletSession | undefined) => void>()

/** Tells whenever the stored session begins, changes or ends, in other tabs too. Ends with the function that it returns. */
export function watchSession(watcher: (session: WalletSession | undefined) => void): () => void {
  const hear = ({ key }: StorageEvent) => {
    if (key === KEY || key === null) watcher(storedSession())
  }
  watchers.add(watcher)
  window.addEventListener('storage', hear)
  return () => {
    watchers.delete(watcher)
    window.removeEventListener('storage', hear)
  }
}

function tell(): void {
  const session = storedSession()
  for (const watcher of watchers) watcher(session)
}

/** Stores a session in place of any other. */
export function beginSession(userData: WalletUser, transitKey: string | null = null): WalletSession {
  const session: WalletSession = { version: VERSION, userData, transitKey, etags: {} }
  localStorage.setItem(KEY, JSON.stringify(session))
  tell()
  return session
}

/** Stands for a version of a file that the hub did not name. */
export const UNNAMED_VERSION = ''

/** Remembers which version of a file the hub holds; undefined where it holds none. */
export function keepEtag(path: string, etag: string | undefined): void {
  const session = storedSession()
  if (session === undefined) return
  const { [path]: _before, ...others } = session.etags
  const etags = etag === undefined ? others : { ...others, [path]: etag }
  localStorage.setItem(KEY, JSON.stringify({ ...session, etags }))
}

/** Forgets the session in this browser alone. Returns whether there was one. */
export function forgetSession(): boolean {
  if (localStorage.getItem(KEY) === null) return false
  localStorage.removeItem(KEY)
  tell()
  return true
}
