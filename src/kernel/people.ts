/** Who asks, proved. `id`: subject of the identity provider, or a main-network Stacks address. */
export type Person = {
  readonly kind: 'account' | 'wallet'
  readonly id: string
  /** Null unless its owner proved it: what is granted to an address is granted to who reads its mail. */
  readonly email: string | null
  readonly name: string | null
  readonly scopes: ReadonlySet<string>
  /** How it was proved in this request. */
  readonly via: 'token' | 'wallet' | 'key'
  /** Of an account of ours by its token: the version of its sign-in, by which a key made in this request is bound. */
  readonly signInVersion?: number
  /** Ids of the saved queries that a key is limited to: it runs these and reads their results, nothing else. */
  readonly queries?: ReadonlySet<string>
}

/** What a person may use, by name. `dashboard`, `query` and `bitcoin` are known here; further names pass through. */
export type Features = Readonly<Record<string, boolean>>

export const hasFeatures = (features: Features): boolean => Object.values(features).includes(true)

/** What the browser must know to sign people in; nothing of it is secret. */
export type PeopleConfig = {
  readonly auth: {
    /** Auth0's `domain`: a host, or an http or https address with a path. */
    readonly domain: string
    readonly clientId: string
    readonly audience: string
    readonly scope: string
  }
  /** Shells that may hold the site in a frame, as origins. */
  readonly asignaOrigins: readonly string[]
  /** Hosts of hubs and profiles that the browser may ask, as origins. */
  readonly hubHosts: readonly string[]
}

/** What premium opens, and a trial. */
export const PREMIUM: Features = { dashboard: true, query: true, bitcoin: true }
