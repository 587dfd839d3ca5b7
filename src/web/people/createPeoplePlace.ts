import { COUNTED } from '../shell/calm.ts'
import { isAccountKey, isCallback, mayHaveAccount } from './account/accountAuth.ts'
import { showPerson } from './hint.ts'
import { readLocal } from './local.ts'
import { authOfNobody, type People, type PeopleState, peopleAtStart, WALLET_KEY } from './peopleState.ts'
import { isBot, logVisit } from './visitLog.ts'

const mayBeSomebody = (): boolean => mayHaveAccount() || readLocal(WALLET_KEY) !== null

/**
 * Where a page finds out who reads it, there from the first. Most are read by nobody: those have their visits counted and load
 * nothing more. What signs in, proves and asks is loaded where this browser keeps a session, when another tab begins one, or
 * when somebody asks for it.
 */
export function createPeoplePlace(): People {
  let own: PeopleState = peopleAtStart
  let loaded: People | undefined
  let loading: Promise<People> | undefined
  let path: string | undefined
  let stop: (() => void) | undefined
  const listeners = new Set<() => void>()

  const tell = () => {
    for (const listener of listeners) listener()
  }
  const set = (next: Partial<PeopleState>) => {
    own = { ...own, ...next }
    tell()
  }
  const load = (): Promise<People> => {
    loading ??= (async () => {
      const people = (await import('./createPeople.ts')).createPeople()
      loaded = people
      people.subscribe(tell)
      stop = people.start()
      if (path !== undefined) people.visit(path)
      if (own.isUpgradeAsked) people.askToUpgrade(true)
      return people
    })()
    // The next who asks tries again.
    loading.catch(() => {
      loading = undefined
    })
    return loading
  }
  const count = () => {
    if (path === undefined || own.auth.loading || isBot(navigator.userAgent)) return
    const counted = window[COUNTED]
    delete window[COUNTED]
    if (counted === path) return
    set({ isBlocked: logVisit({ type: 'visit', path, now: Date.now(), hasFeatures: false }) })
  }
  const beNobody = () => {
    showPerson(undefined, {})
    set({ auth: authOfNobody })
    count()
  }
  /** Another tab signs in. Once the rest is loaded, it listens by itself. */
  const hear = ({ key, newValue }: StorageEvent) => {
    if (key === null || newValue === null || loading !== undefined) return
    if (isAccountKey(key) || key === WALLET_KEY) void load()
  }

  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    read: () => loaded?.read() ?? own,
    start() {
      window.addEventListener('storage', hear)
      if (mayBeSomebody() || isCallback()) load().catch(beNobody)
      else beNobody()
      return () => {
        window.removeEventListener('storage', hear)
        stop?.()
      }
    },
    visit(at) {
      path = at
      if (loaded) loaded.visit(at)
      else count()
    },
    signIn: async (returnTo, isNew) => (await load()).signIn(returnTo, isNew),
    finishSignIn: async () => (await load()).finishSignIn(),
    signOut: async () => (await load()).signOut(),
    openWallets: modal => void load().then(people => people.openWallets(modal)),
    walletFinished: address => void load().then(people => people.walletFinished(address)),
    walletCancelled: async () => (await load()).walletCancelled(),
    disconnectWallet: async () => (await load()).disconnectWallet(),
    // Nobody proves nothing; who may be somebody is waited for.
    headers: async () => (await loading)?.headers() ?? {},
    refresh: () => void load().then(people => people.refresh()),
    askToUpgrade: isAsked => (loaded ? loaded.askToUpgrade(isAsked) : set({ isUpgradeAsked: isAsked })),
  }
}
