import { createContext, use, useSyncExternalStore } from 'react'
import type { Loads } from './createLoads.ts'
import { type Loading, loadingAtStart } from './states/loading.ts'

export const LoadsContext = createContext<Loads | undefined>(undefined)

const never = () => () => {}
const nothing = () => loadingAtStart

/** What is loaded beside the page: names that the reader gave to addresses, what is closed to them, texts of the site. */
export function useLoads(): Loading {
  const loads = use(LoadsContext)
  return useSyncExternalStore(loads?.subscribe ?? never, loads?.read ?? nothing, nothing)
}
