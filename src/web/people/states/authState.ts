import type { Features } from '#kernel/people.ts'
import { fromEach, type Machine, step } from './machine.ts'

const NAMES = ['loading', 'nobody', 'wallet asks', 'account asks', 'wallet', 'account', 'failed'] as const
export type AuthName = (typeof NAMES)[number]
export type AuthOn =
  | 'provider is loading'
  | 'nobody is signed in'
  | 'a wallet is signed in'
  | 'an account is signed in'
  | 'token'
  | 'features'
  | 'error'

/** Who is asking and what the server says they may use. */
export const AUTH: Machine<AuthName, AuthOn> = {
  title: 'Who is asking',
  initial: 'loading',
  states: NAMES,
  steps: [
    { from: 'loading', on: 'provider is loading', to: 'loading', does: 'nothing' },
    ...fromEach<AuthName, AuthOn>(NAMES, {
      on: 'nobody is signed in',
      to: 'nobody',
      does: 'no features, no token',
    }),
    ...fromEach<AuthName, AuthOn>(NAMES, {
      on: 'a wallet is signed in',
      to: 'wallet asks',
      does: 'the address is the token',
    }),
    ...fromEach<AuthName, AuthOn>(NAMES, {
      on: 'an account is signed in',
      to: 'account asks',
      does: 'a token is asked for silently',
    }),
    { from: 'account asks', on: 'token', to: 'account asks', does: 'features are asked for' },
    { from: 'wallet asks', on: 'features', to: 'wallet' },
    { from: 'account asks', on: 'features', to: 'account' },
    ...fromEach<AuthName, AuthOn>(['loading', 'wallet asks', 'account asks'], {
      on: 'error',
      to: 'failed',
      does: 'no features, no token',
    }),
  ],
}

export type AuthState = {
  readonly name: AuthName
  /** Counts what was begun: an answer to an earlier question is none to this one. */
  readonly turn: number
  readonly features: Features
  /** What proves the asker: an access token, or the address of a wallet; null for nobody. */
  readonly queryToken: string | null
  /** Who is signed in: the address of the wallet or the subject of the account; null for nobody. */
  readonly identity: string | null
  readonly loading: boolean
}

export type AuthEvent =
  | {
      readonly type: 'looked'
      readonly isProviderLoading: boolean
      /** Address of the connected wallet. */
      readonly wallet: string | null
      /** Subject of the account. */
      readonly account: string | null
    }
  | { readonly type: 'token'; readonly turn: number; readonly token: string }
  | { readonly type: 'features'; readonly turn: number; readonly features: Features }
  | { readonly type: 'error'; readonly turn: number }

const NONE: Features = {}

export const authAtStart: AuthState = {
  name: AUTH.initial,
  turn: 0,
  features: NONE,
  queryToken: null,
  identity: null,
  loading: true,
}

/** The specification's six rules of authentication. A wallet goes before an account. */
export function authAfter(state: AuthState, event: AuthEvent): AuthState {
  if (event.type === 'looked') {
    if (event.isProviderLoading) return state
    const turn = state.turn + 1
    if (event.wallet !== null)
      return {
        name: step(AUTH, state.name, 'a wallet is signed in'),
        turn,
        features: state.features,
        queryToken: event.wallet,
        identity: event.wallet,
        loading: true,
      }
    if (event.account !== null)
      return {
        name: step(AUTH, state.name, 'an account is signed in'),
        turn,
        features: state.features,
        queryToken: null,
        identity: event.account,
        loading: true,
      }
    return {
      name: step(AUTH, state.name, 'nobody is signed in'),
      turn,
      features: NONE,
      queryToken: null,
      identity: null,
      loading: false,
    }
  }
  if (event.turn !== state.turn) return state
  switch (event.type) {
    case 'token':
      return state.name === 'account asks' ? { ...state, queryToken: event.token } : state
    case 'features': {
      const name = step(AUTH, state.name, 'features')
      return name === state.name ? state : { ...state, name, features: event.features, loading: false }
    }
    case 'error': {
      const name = step(AUTH, state.name, 'error')
      return name === state.name
        ? state
        : { ...state, name, features: NONE, queryToken: null, identity: null, loading: false }
    }
  }
}
