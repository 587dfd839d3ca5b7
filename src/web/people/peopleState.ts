import type { AccountUser } from './account/accountAuth.ts'
import type { AuthState } from './states/authState.ts'
import type { WalletRequests, WalletSignIn } from './states/walletRequests.ts'

export type PeopleState = {
  readonly auth: AuthState
  readonly account: AccountUser | undefined
  readonly wallet: WalletSignIn
  readonly requests: WalletRequests
  /** The wallet on screen has proved nothing to the server. */
  readonly isUnproved: boolean
  /** What the wallet modal is open for. */
  readonly modal: 'connect' | 'prove' | undefined
  /** The visit limit is reached: the overlay stands over the page. */
  readonly isBlocked: boolean
  /** Something that needs a feature was asked for. */
  readonly isUpgradeAsked: boolean
}

/** Whoever uses the site in this browser, and what they may do. */
export type People = {
  readonly subscribe: (listener: () => void) => () => void
  readonly read: () => PeopleState
  /** Looks who is signed in here; ends with the function that it returns. */
  start(): () => void
  /** A path is on screen. Nothing is counted before it is known who is here. */
  visit(path: string): void
  /** Begins with the form for a new account if `isNew`. */
  signIn(returnTo?: string, isNew?: boolean): Promise<void>
  /** At `/callback`: the path to go on at. Throws what the library throws. */
  finishSignIn(): Promise<string>
  signOut(): Promise<void>
  openWallets(modal: PeopleState['modal']): void
  /** A wallet is connected: its address, and whether it is proved. */
  walletFinished(address: string): void
  /** Nobody was connected anew; who was may be so no more. */
  walletCancelled(): Promise<void>
  disconnectWallet(): Promise<void>
  /** What proves the asker to the API; nothing for nobody. */
  headers(): Promise<Readonly<Record<string, string>>>
  /** Asks anew what may be used, after something may have changed it. */
  refresh(): void
  askToUpgrade(isAsked: boolean): void
}

/** Where a wallet's session is kept (`../wallet/session.ts`); nothing of wallets is loaded to find that there is none. */
export const WALLET_KEY = 'blockstack-session'

/**
 * What is there before anybody is looked for, on the server too. Written out, so that pages read by nobody do without the machines;
 * a test holds it to them, and `authOfNobody` too.
 */
export const peopleAtStart: PeopleState = {
  auth: { name: 'loading', turn: 0, features: {}, queryToken: null, identity: null, loading: true },
  account: undefined,
  wallet: { name: 'signed out', address: null },
  requests: { auth: 'idle', transaction: 'idle', message: 'idle', structured: 'idle' },
  isUnproved: false,
  modal: undefined,
  isBlocked: false,
  isUpgradeAsked: false,
}

/** Once it is known that nobody is signed in. */
export const authOfNobody: AuthState = { ...peopleAtStart.auth, name: 'nobody', turn: 1, loading: false }

/** `{email}` for an account, the address of a wallet. */
export type EmailOrAddress = { readonly email: string } | string | undefined
