import { type Features, hasFeatures } from '#kernel/people.ts'
import {
  type AccountAuth,
  type AccountUser,
  type AuthConfig,
  isAccountKey,
  mayHaveAccount,
} from './account/accountAuth.ts'
import type { SignInStep } from './account/signInCode.ts'
import { showPerson } from './hint.ts'
import { loadChunk } from './loadChunk.ts'
import { readFeatures } from './readFeatures.ts'
import { type AuthEvent, type AuthState, authAfter, authAtStart } from './states/authState.ts'
import { isBot, logVisit } from './visitLog.ts'

export type PeopleState = {
  readonly auth: AuthState
  readonly account: AccountUser | undefined
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
  signIn(returnTo?: string): Promise<void>
  /** At `/callback`: the path to go on at. Throws what the library throws. */
  finishSignIn(): Promise<string>
  signOut(): Promise<void>
  /** What proves the asker to the API; nothing for nobody. */
  headers(): Promise<Readonly<Record<string, string>>>
  /** Asks anew what may be used, after something may have changed it. */
  refresh(): void
  askToUpgrade(isAsked: boolean): void
}

const NOBODY: PeopleState = {
  auth: authAtStart,
  account: undefined,
  isBlocked: false,
  isUpgradeAsked: false,
}

/** What is there before anybody is looked for, on the server too. */
export const peopleAtStart = NOBODY

/** One for a page of the browser; nothing happens before `start`. */
export function createPeople(): People {
  let state = NOBODY
  let auth: AccountAuth | undefined
  let opening: Promise<AccountAuth> | undefined
  let finishing: Promise<string> | undefined
  let path = '/'
  const listeners = new Set<() => void>()

  const set = (next: Partial<PeopleState>) => {
    state = { ...state, ...next }
    for (const listener of listeners) listener()
  }
  const after = (event: AuthEvent) => {
    const before = state.auth
    const next = authAfter(before, event)
    if (next === before) return
    set({ auth: next })
    if (next.loading) return
    showPerson(auth?.user ? 'account' : undefined, next.features)
    count()
  }
  const count = () => {
    const { loading, features } = state.auth
    if (loading || isBot(navigator.userAgent)) return
    set({
      isBlocked: logVisit({ type: 'visit', path, now: Date.now(), hasFeatures: hasFeatures(features) }),
    })
  }

  const open = () => {
    opening ??= loadChunk(async () => {
      const [{ openAccountAuth }, config] = await Promise.all([
        import('./account/openAccountAuth.ts'),
        readConfig(),
      ])
      auth = await openAccountAuth(config)
      return auth
    })
    // What could not be loaded is tried again with the next wish for it.
    opening.catch(() => {
      opening = undefined
    })
    return opening
  }
  const explain = async (error: unknown, during: SignInStep) => {
    const { explainSignIn } = await import('./account/explainSignIn.ts')
    explainSignIn(error, during)
  }

  /** Who is signed in as of now, and what the server says they may use. */
  const look = () => {
    set({ account: auth?.user })
    after({ type: 'looked', isProviderLoading: false, wallet: null, isAccount: auth?.user !== undefined })
    void ask(state.auth.turn)
  }
  const ask = async (turn: number) => {
    if (state.auth.name !== 'account asks' || auth === undefined) return
    try {
      const token = await proved(auth, turn)
      if (token === undefined) return
      after({ type: 'token', turn, token })
      after({ type: 'features', turn, features: await readFeatures({ authorization: `Bearer ${token}` }) })
    } catch (error) {
      failed(turn, error)
    }
  }
  const failed = (turn: number, error: unknown) => {
    if (turn !== state.auth.turn) return
    console.error('Error fetching features', error)
    after({ type: 'error', turn })
  }
  /** A token, or undefined where the session is over: then nobody is signed in any more. */
  const proved = async (of: AccountAuth, turn: number): Promise<string | undefined> => {
    try {
      return await of.getToken()
    } catch (error) {
      failed(turn, error)
      await explain(error, 'get_access_token_failed')
      const { isSessionOver } = await import('./account/signInCode.ts')
      if (isSessionOver(error)) {
        await of.forget()
        look()
      }
      return undefined
    }
  }

  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    read: () => state,
    start() {
      if (mayHaveAccount()) open().then(look, error => failed(state.auth.turn, error))
      else look()
      // Another tab signs in or out: what it keeps comes or goes.
      const hear = ({ key, oldValue, newValue }: StorageEvent) => {
        const isOver = key === null || (isAccountKey(key) && newValue === null)
        const isNew = key !== null && isAccountKey(key) && oldValue === null
        if (!isOver && !isNew) return
        auth = undefined
        opening = undefined
        if (mayHaveAccount()) open().then(look, error => failed(state.auth.turn, error))
        else look()
      }
      window.addEventListener('storage', hear)
      return () => window.removeEventListener('storage', hear)
    },
    visit(at) {
      path = at
      count()
    },
    async signIn(returnTo = window.location.pathname + window.location.search) {
      try {
        if (await (await open()).login(returnTo)) look()
      } catch (error) {
        await explain(error, 'login_failed')
      }
    },
    finishSignIn() {
      // A code is good for one use, however often it is asked for.
      finishing ??= open().then(async opened => {
        const returnTo = await opened.finish()
        look()
        return returnTo
      })
      return finishing
    },
    async signOut() {
      logVisit({ type: 'signedOut' })
      showPerson(undefined, {})
      const opened = await open()
      await opened.logout()
      look()
    },
    async headers() {
      if (state.auth.queryToken === null || auth?.user === undefined) return {}
      return { authorization: `Bearer ${await auth.getToken()}` }
    },
    refresh: look,
    askToUpgrade: isAsked => set({ isUpgradeAsked: isAsked }),
  }
}

async function readConfig(): Promise<AuthConfig> {
  const answer = await fetch('/config.json')
  if (!answer.ok) throw new Error(`The settings of sign-in could not be read: ${answer.status}`)
  // The server checks its own settings before it starts.
  return ((await answer.json()) as { auth: AuthConfig }).auth
}

/** `{email}` for an account; the features above say the rest. */
export type EmailOrAddress = { readonly email: string } | string | undefined
export type { Features }
