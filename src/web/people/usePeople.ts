import { createContext, use, useMemo, useSyncExternalStore } from 'react'
import type { Features } from '#kernel/people.ts'
import { type EmailOrAddress, type People, type PeopleState, peopleAtStart } from './peopleState.ts'

/** What any part of a page may know of who reads it. */
export type Auth = {
  readonly features: Features
  readonly queryToken: string | null
  readonly loading: boolean
  readonly state: PeopleState
  /** Undefined on the server and in the picture book: nobody can sign in there. */
  readonly people: People | undefined
  /** What proves the asker to the API; nothing for nobody. */
  headers(): Promise<Readonly<Record<string, string>>>
  /** The subject of the account, else the address of the wallet. */
  identity(): string | undefined
  /** `{email}` of the account, else the address of the wallet. */
  emailOrAddress(): EmailOrAddress
}

export const AuthContext = createContext<People | undefined>(undefined)

const never = () => () => {}
const nobody = () => peopleAtStart

/** The one auth context. */
export function usePeople(): Auth {
  const people = use(AuthContext)
  const state = useSyncExternalStore(people?.subscribe ?? never, people?.read ?? nobody, nobody)
  return useMemo(
    () => ({
      features: state.auth.features,
      queryToken: state.auth.queryToken,
      loading: state.auth.loading,
      state,
      people,
      headers: async () => (await people?.headers()) ?? {},
      // A wallet goes before an account, as it does in what proves the asker.
      identity: () => state.wallet.address ?? state.account?.sub,
      emailOrAddress: () =>
        state.wallet.address ??
        (state.account?.email === undefined ? undefined : { email: state.account.email }),
    }),
    [people, state],
  )
}
