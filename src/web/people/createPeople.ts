import { hasFeatures } from '#kernel/people.ts'
import {
  type AccountAuth,
  type AuthConfig,
  isAccountKey,
  isCallback,
  mayHaveAccount,
} from './account/accountAuth.ts'
import type { SignInStep } from './account/signInCode.ts'
import { showPerson } from './hint.ts'
import { readLocal } from './local.ts'
import { type People, type PeopleState, peopleAtStart, WALLET_KEY } from './peopleState.ts'
import { ProofRefused, readFeatures } from './readFeatures.ts'
import { type AuthEvent, authAfter } from './states/authState.ts'
import { requestsAfter, type WalletSignInEvent, walletAfter } from './states/walletRequests.ts'
import { isBot, logVisit } from './visitLog.ts'

/** One for a page of the browser; nothing happens before `start`. Pages reach it through `createPeoplePlace`. */
export function createPeople(): People {
  let state = peopleAtStart
  let auth: AccountAuth | undefined
  let opening: Promise<AccountAuth> | undefined
  let finishing: Promise<string> | undefined
  let door: Promise<typeof import('../wallet/index.ts')> | undefined
  let path = '/'
  // The identity provider is loading until its code is exchanged for a session: nothing happens before.
  let isProviderLoading = false
  const listeners = new Set<() => void>()

  const set = (next: Partial<PeopleState>) => {
    state = { ...state, ...next }
    for (const listener of listeners) listener()
  }
  const after = (event: AuthEvent, beside: Partial<PeopleState> = {}) => {
    const before = state.auth
    const next = authAfter(before, event)
    if (next === before) return
    set({ ...beside, auth: next })
    if (next.loading) return
    showPerson(kindOf(), next.features)
    count()
  }
  const count = () => {
    const { loading, features } = state.auth
    if (loading || isBot(navigator.userAgent)) return
    set({
      isBlocked: logVisit({ type: 'visit', path, now: Date.now(), hasFeatures: hasFeatures(features) }),
    })
  }

  const kindOf = () =>
    state.wallet.address !== null ? ('wallet' as const) : auth?.user ? ('account' as const) : undefined

  const sign = (event: WalletSignInEvent) => set({ wallet: walletAfter(state.wallet, event) })
  /** The wallet's part of the program, with what it tells of requests and of other accounts. */
  const openWallet = () => {
    door ??= (async () => {
      const opened = await import('../wallet/index.ts')
      opened.watchRequests((of, on) => set({ requests: requestsAfter(state.requests, { of, on }) }))
      opened.watchSession(session => {
        // Another tab connects or disconnects; this one tells by itself.
        const address = session?.userData.address ?? null
        if (
          address === state.wallet.address ||
          state.requests.auth === 'loading' ||
          state.modal !== undefined
        )
          return
        sign(address === null ? { on: 'sign out' } : { on: 'stored session', address })
        look()
      })
      opened.watchAccount(() => {
        sign({ on: 'other account' })
        look()
        void import('./toasts.ts').then(({ say }) =>
          say({
            title: 'The wallet was disconnected',
            text: 'It switched to another account. Connect it again to use that one.',
          }),
        )
      })
      return opened
    })()
    door.catch(() => {
      door = undefined
    })
    return door
  }

  const open = () => {
    opening ??= (async () => {
      const [{ openAccountAuth }, config] = await Promise.all([
        import('./account/openAccountAuth.ts'),
        readConfig(),
      ])
      auth = await openAccountAuth(config)
      return auth
    })()
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
    const { turn } = state.auth
    const account = auth?.user
    const wallet = state.wallet.address
    after(
      { type: 'looked', isProviderLoading, wallet, account: account?.sub ?? null },
      { account, isUnproved: false },
    )
    if (state.auth.turn !== turn) void ask(state.auth.turn)
  }
  const ask = async (turn: number) => {
    if (state.auth.name === 'wallet asks') return askOfWallet(turn)
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
  const askOfWallet = async (turn: number) => {
    try {
      const address = state.auth.queryToken ?? ''
      after({ type: 'features', turn, features: await readFeatures({ 'wallet-address': address }) })
    } catch (error) {
      if (turn === state.auth.turn && error instanceof ProofRefused) set({ isUnproved: true })
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
      isProviderLoading = isCallback()
      const found: Promise<unknown>[] = []
      if (mayHaveAccount()) found.push(open())
      if (readLocal(WALLET_KEY) !== null)
        found.push(
          openWallet().then(({ storedSession }) => {
            const address = storedSession()?.userData.address
            if (address !== undefined) sign({ on: 'stored session', address })
          }),
        )
      if (found.length === 0) look()
      else
        Promise.allSettled(found).then(ends => {
          const lost = ends.find(end => end.status === 'rejected')
          if (lost) console.error('Error fetching features', lost.reason)
          look()
        })
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
    async signIn(returnTo = window.location.pathname + window.location.search, isNew = false) {
      try {
        if (await (await open()).login(returnTo, isNew)) look()
      } catch (error) {
        await explain(error, 'login_failed')
      }
    },
    finishSignIn() {
      // A code is good for one use, however often it is asked for.
      finishing ??= open()
        .then(opened => opened.finish())
        .finally(() => {
          isProviderLoading = false
          look()
        })
      return finishing
    },
    openWallets: modal => set({ modal }),
    walletFinished(address) {
      sign({ on: 'finish', address })
      set({ modal: undefined })
      void openWallet()
      look()
    },
    async walletCancelled() {
      set({ modal: undefined })
      const { storedSession } = await openWallet()
      if (storedSession() !== undefined || state.wallet.address === null) return
      sign({ on: 'cancel' })
      look()
    },
    async disconnectWallet() {
      logVisit({ type: 'signedOut' })
      const { endSession } = await openWallet()
      sign({ on: 'sign out' })
      await endSession()
      look()
    },
    async signOut() {
      logVisit({ type: 'signedOut' })
      showPerson(undefined, {})
      const opened = await open()
      await opened.logout()
      look()
    },
    async headers() {
      if (state.auth.queryToken === null) return {}
      if (state.wallet.address !== null) return { 'wallet-address': state.wallet.address }
      if (auth?.user === undefined) return {}
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
