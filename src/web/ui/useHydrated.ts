import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** False on the server and in the first drawing of the browser, true after: for controls that only a script can work. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
