import { createContext, use, useSyncExternalStore } from 'react'
import type { Loads } from './createLoads.ts'
import { type Loading, loadingAtStart } from './states/loading.ts'

/** Where lists are read that come once the page stands; until then it is empty. */
export type LoadsPlace = Pick<Loads, 'subscribe' | 'read'> & { fill(loads: Loads): void }

/**
 * A place for them that is there from the first: what is handed down to a whole page must not change under it, or React draws anew
 * every section that it has not taken over yet, and the page jumps.
 */
export function createLoadsPlace(): LoadsPlace {
  let filled: Loads | undefined
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of listeners) listener()
  }
  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    read: () => filled?.read() ?? loadingAtStart,
    fill(loads) {
      filled = loads
      loads.subscribe(tell)
      tell()
    },
  }
}

export const LoadsContext = createContext<LoadsPlace | undefined>(undefined)

const never = () => () => {}
const nothing = () => loadingAtStart

/** What is loaded beside the page: names that the reader gave to addresses, what is closed to them, texts of the site. */
export function useLoads(): Loading {
  const loads = use(LoadsContext)
  return useSyncExternalStore(loads?.subscribe ?? never, loads?.read ?? nothing, nothing)
}
