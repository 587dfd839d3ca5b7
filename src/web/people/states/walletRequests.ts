import { type Machine, step } from './machine.ts'

export const WALLET_REQUESTS = ['auth', 'transaction', 'message', 'structured'] as const
export type WalletRequest = (typeof WALLET_REQUESTS)[number]
export type RequestName = 'idle' | 'loading'
export type RequestOn = 'open' | 'finish' | 'cancel'

/** What is asked of a wallet: one of these for each kind of request. A request that fails is cancelled. */
export const REQUEST: Machine<RequestName, RequestOn> = {
  title: 'A request to the wallet',
  initial: 'idle',
  states: ['idle', 'loading'],
  steps: [
    { from: 'idle', on: 'open', to: 'loading', does: 'the wallet asks' },
    { from: 'loading', on: 'finish', to: 'idle' },
    { from: 'loading', on: 'cancel', to: 'idle' },
  ],
}

export type WalletRequests = Readonly<Record<WalletRequest, RequestName>>

export const requestsAtStart: WalletRequests = {
  auth: REQUEST.initial,
  transaction: REQUEST.initial,
  message: REQUEST.initial,
  structured: REQUEST.initial,
}

/** The requests after one of them was opened, finished or cancelled. */
export const requestsAfter = (
  state: WalletRequests,
  { of, on }: { readonly of: WalletRequest; readonly on: RequestOn },
): WalletRequests => ({ ...state, [of]: step(REQUEST, state[of], on) })

export type SignInName = 'signed out' | 'signed in'
export type SignInOn = 'stored session' | 'finish' | 'cancel' | 'sign out' | 'other account'

/** Whether a wallet is signed in on screen; the server decides by proof alone. */
export const WALLET_SIGN_IN: Machine<SignInName, SignInOn> = {
  title: 'Signed in with a wallet',
  initial: 'signed out',
  states: ['signed out', 'signed in'],
  steps: [
    { from: 'signed out', on: 'stored session', to: 'signed in', does: 'main-network address' },
    { from: 'signed out', on: 'finish', to: 'signed in', does: 'with the address' },
    { from: 'signed in', on: 'finish', to: 'signed in', does: 'with the address' },
    { from: 'signed in', on: 'cancel', to: 'signed out', does: 'address cleared' },
    { from: 'signed in', on: 'sign out', to: 'signed out', does: 'session ended' },
    { from: 'signed in', on: 'other account', to: 'signed out', does: 'session ended' },
  ],
}

export type WalletSignIn = { readonly name: SignInName; readonly address: string | null }
export type WalletSignInEvent =
  | { readonly on: 'stored session' | 'finish'; readonly address: string }
  | { readonly on: 'cancel' | 'sign out' | 'other account' }

export const walletAtStart: WalletSignIn = { name: WALLET_SIGN_IN.initial, address: null }

/** Main-network addresses, of one key or of many: other networks sign nobody in. */
const isMainNetwork = (address: string): boolean => /^S[PM][0-9A-Z]{37,39}$/.test(address)

/** Who is signed in with a wallet after this. */
export function walletAfter(state: WalletSignIn, event: WalletSignInEvent): WalletSignIn {
  if ('address' in event && !isMainNetwork(event.address)) return state
  const name = step(WALLET_SIGN_IN, state.name, event.on)
  if (name === 'signed out') return walletAtStart
  return { name, address: 'address' in event ? event.address : state.address }
}
