import { askPerson } from './askPerson.ts'
import type { People } from './peopleState.ts'
import {
  type AliasEntry,
  type GatedItem,
  type Loading,
  type LoadingEvent,
  loadingAfter,
  loadingAtStart,
  type PageItem,
} from './states/loading.ts'

/** What is loaded beside the page, by who asks: names of addresses, what is closed to them, texts of the site. */
export type Loads = {
  readonly subscribe: (listener: () => void) => () => void
  readonly read: () => Loading
  /** Follows who asks; ends with the function that it returns. */
  start(): () => void
}

/** What fails is silent: names and gated pieces are then none, and so are pages. */
export function createLoads(people: Pick<People, 'headers' | 'read' | 'subscribe'>): Loads {
  let state = loadingAtStart
  const listeners = new Set<() => void>()
  const after = (event: LoadingEvent) => {
    const next = loadingAfter(state, event)
    if (next === state) return
    state = next
    for (const listener of listeners) listener()
  }
  const list = async <Item>(asked: Promise<unknown>): Promise<readonly Item[] | undefined> => {
    try {
      const answer = await asked
      // The schemas of the server make these answers.
      return Array.isArray(answer) ? (answer as Item[]) : undefined
    } catch {
      return undefined
    }
  }
  const follow = () => {
    const before = state.turn
    const { loading, identity, features } = people.read().auth
    after({ type: 'auth', loading, identity, features })
    const { turn, names } = state
    if (turn === before) return
    void list<AliasEntry>(askPerson(people, '/api/wallets/aliases/mine')).then(answer =>
      after({ type: 'aliases', turn, answer }),
    )
    if (names.gated === 'asking')
      void list<GatedItem>(askPerson(people, '/api/cms/content/gated')).then(answer =>
        after({ type: 'gated', turn, answer }),
      )
  }
  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    read: () => state,
    start() {
      after({ type: 'start' })
      // The same for everybody: it neither says who asks nor waits for whoever signs in.
      void list<PageItem>(fetch('/api/cms/content/pages').then(answer => answer.json())).then(answer =>
        after({ type: 'pages', answer }),
      )
      follow()
      return people.subscribe(follow)
    },
  }
}
