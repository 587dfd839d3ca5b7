import type { Features } from '#kernel/people.ts'
import { fromEach, type Machine, step } from './machine.ts'

const NAMES = ['waiting', 'asking', 'held'] as const
export type LoadName = (typeof NAMES)[number]
export type LoadOn = 'auth done' | 'user or features changed' | 'answer' | 'dashboard' | 'start'

/** Names of addresses: after auth, and at each change of features. A failure is silent. */
export const ALIASES: Machine<LoadName, LoadOn> = {
  title: 'Aliases',
  initial: 'waiting',
  states: NAMES,
  steps: [
    { from: 'waiting', on: 'auth done', to: 'asking' },
    ...fromEach<LoadName, LoadOn>(['asking', 'held'], { on: 'user or features changed', to: 'asking' }),
    { from: 'asking', on: 'answer', to: 'held', does: 'those with a name' },
  ],
}

/** What the asker cannot open: asked for only while `dashboard` is not true, else there is none. */
export const GATED: Machine<LoadName, LoadOn> = {
  title: 'Gated content',
  initial: 'waiting',
  states: NAMES,
  steps: [
    { from: 'waiting', on: 'auth done', to: 'asking' },
    ...fromEach<LoadName, LoadOn>(['asking', 'held'], { on: 'user or features changed', to: 'asking' }),
    ...fromEach<LoadName, LoadOn>(NAMES, { on: 'dashboard', to: 'held', does: 'the empty list' }),
    { from: 'asking', on: 'answer', to: 'held' },
  ],
}

/** Page content: once at the start; a failure gives the empty list. */
export const PAGES: Machine<LoadName, LoadOn> = {
  title: 'Page content',
  initial: 'waiting',
  states: NAMES,
  steps: [
    { from: 'waiting', on: 'start', to: 'asking' },
    { from: 'asking', on: 'answer', to: 'held' },
  ],
}

/** An alias as the server has it. */
export type AliasEntry = { readonly alias?: string | null; readonly wallet?: { readonly address: string } }
export type GatedItem = {
  readonly key: string
  readonly path: string
  readonly title: string
  readonly summary: string
  readonly requires: string
}
export type PageItem = {
  readonly key: string
  readonly title: string
  readonly html: string
  readonly updatedAt: string
}

/** Lists depend on these two alone: requested again when one of them changes. */
export type RequestedFor = { readonly identity: string | null; readonly features: Features }

export type Loading = {
  readonly names: { readonly aliases: LoadName; readonly gated: LoadName; readonly pages: LoadName }
  /** Whose lists were requested last; undefined before auth is done. */
  readonly requestedFor: RequestedFor | undefined
  /** Counts the askings, so that a late answer to an earlier one is dropped. */
  readonly turn: number
  /** From address to name. */
  readonly aliases: ReadonlyMap<string, string>
  readonly gated: readonly GatedItem[]
  readonly pages: readonly PageItem[]
}

export type LoadingEvent =
  | { readonly type: 'start' }
  /** Every change of the auth state. */
  | ({ readonly type: 'auth'; readonly loading: boolean } & RequestedFor)
  | { readonly type: 'aliases'; readonly turn: number; readonly answer: readonly AliasEntry[] | undefined }
  | { readonly type: 'gated'; readonly turn: number; readonly answer: readonly GatedItem[] | undefined }
  | { readonly type: 'pages'; readonly answer: readonly PageItem[] | undefined }

export const loadingAtStart: Loading = {
  names: { aliases: ALIASES.initial, gated: GATED.initial, pages: PAGES.initial },
  requestedFor: undefined,
  turn: 0,
  aliases: new Map(),
  gated: [],
  pages: [],
}

/** What is held afterwards. What stands at `asking` with a new turn is to be asked for. An answer of undefined is a failure. */
export function loadingAfter(state: Loading, event: LoadingEvent): Loading {
  const { names } = state
  switch (event.type) {
    case 'start':
      return { ...state, names: { ...names, pages: step(PAGES, names.pages, 'start') } }
    case 'auth': {
      const { loading, identity, features } = event
      const before = state.requestedFor
      if (loading || (before?.identity === identity && hasSameFeatures(before.features, features)))
        return state
      const on = before === undefined ? 'auth done' : 'user or features changed'
      const isOpen = features.dashboard === true
      return {
        ...state,
        requestedFor: { identity, features },
        turn: state.turn + 1,
        names: {
          ...names,
          aliases: step(ALIASES, names.aliases, on),
          gated: step(GATED, names.gated, isOpen ? 'dashboard' : on),
        },
        gated: isOpen ? [] : state.gated,
      }
    }
    case 'aliases':
      if (event.turn !== state.turn || names.aliases !== 'asking') return state
      return {
        ...state,
        names: { ...names, aliases: step(ALIASES, names.aliases, 'answer') },
        // What cannot be read is not what an earlier asker had.
        aliases: namesOf(event.answer ?? []),
      }
    case 'gated':
      if (event.turn !== state.turn || names.gated !== 'asking') return state
      return {
        ...state,
        names: { ...names, gated: step(GATED, names.gated, 'answer') },
        gated: event.answer ?? state.gated,
      }
    case 'pages':
      if (names.pages !== 'asking') return state
      return {
        ...state,
        names: { ...names, pages: step(PAGES, names.pages, 'answer') },
        pages: event.answer ?? [],
      }
  }
}

/** By content: a sign-in that ends with the same features is no change of them. */
const hasSameFeatures = (one: Features, other: Features): boolean => {
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length &&
    names.every(name => Object.hasOwn(other, name) && one[name] === other[name])
  )
}

/** From address to name, of the entries that have one. */
export const namesOf = (entries: readonly AliasEntry[]): ReadonlyMap<string, string> =>
  new Map(entries.flatMap(({ alias, wallet }) => (alias && wallet ? [[wallet.address, alias] as const] : [])))
