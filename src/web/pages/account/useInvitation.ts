import { useCallback, useEffect, useState } from 'react'

/** Where an invitation waits while its holder signs in: the address alone would lose it on the way. */
const KEY = 'team-invitation'

export type WaitingInvitation = { readonly token: string | undefined; forget(): void }

/** The invitation that the reader came by. Its secret is moved out of the address, so that no history and no copy has it. */
export function useInvitation(): WaitingInvitation {
  const [token, setToken] = useState<string>()
  useEffect(() => {
    const take = () => {
      const found = /^#join=([\w-]{1,200})$/.exec(window.location.hash)?.[1]
      if (found !== undefined) {
        sessionStorage.setItem(KEY, found)
        const { pathname, search } = window.location
        window.history.replaceState(window.history.state, '', pathname + search)
      }
      setToken(sessionStorage.getItem(KEY) ?? undefined)
    }
    take()
    window.addEventListener('hashchange', take)
    return () => window.removeEventListener('hashchange', take)
  }, [])
  const forget = useCallback(() => {
    sessionStorage.removeItem(KEY)
    setToken(undefined)
  }, [])
  return { token, forget }
}
