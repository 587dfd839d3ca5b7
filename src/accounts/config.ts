import type { Log } from '#kernel/log.ts'
import type { Person } from '#kernel/people.ts'
import type { Store } from '#store/index.ts'

/** What is configured of people. */
export type AccountsConfig = {
  /** The one origin, without a closing slash. */
  readonly publicUrl: string
  /** A tenant that speaks OpenID Connect as Auth0 does; absent: the embedded provider. */
  readonly tenant?: { readonly domain: string; readonly clientId: string } | undefined
  /** What access tokens must be made for. */
  readonly audience: string
  /** Emails and addresses of who may do what operators do. */
  readonly operators: readonly string[]
  readonly trialDays: number
  readonly asignaOrigins: readonly string[]
  readonly hubHosts: readonly string[]
  /** Where mail goes out; without it mails are printed to the log of the server. */
  readonly mail?: { readonly url: string; readonly from: string } | undefined
  /** How long an access token of the embedded provider holds, seconds. */
  readonly accessTokenSeconds?: number
  /** How often what may be tried. */
  readonly limits?: Partial<Limits>
}

/** Tries in a time, by the address that asks and by the account or wallet that is asked for. */
export type Limits = {
  /** Wrong passwords of one address, in ten minutes. */
  readonly failuresByAddress: number
  /** Wrong passwords for one account from one address, in ten minutes. */
  readonly failuresByAccount: number
  /** Wrong passwords for one account from all addresses where its owner was never in, in an hour. */
  readonly failuresOfAccount: number
  /** New accounts and mails of one address, in an hour. */
  readonly mailsByAddress: number
  /** Mails of each kind to one email, in an hour. */
  readonly mailsByAccount: number
  /** Messages to sign for one address that asks, in a minute. */
  readonly noncesByAddress: number
  /** Messages to sign for one wallet from one address, in a minute. */
  readonly noncesByWallet: number
  /** Signed messages of one address that asks, in a minute. */
  readonly proofsByAddress: number
  /** Changes that one person makes, in a minute. */
  readonly changesByPerson: number
  /** Team invitations opened or accepted from one address in a minute. */
  readonly invitationsByAddress: number
}

export const LIMITS: Limits = {
  failuresByAddress: 30,
  failuresByAccount: 8,
  failuresOfAccount: 50,
  mailsByAddress: 20,
  mailsByAccount: 3,
  noncesByAddress: 30,
  noncesByWallet: 10,
  proofsByAddress: 30,
  changesByPerson: 60,
  invitationsByAddress: 30,
}

/** What a plan that is paid for gives; the billing part reads it. */
export type Plan = { readonly name: string; readonly features: readonly string[] }

export type AccountsDeps = {
  readonly store: Pick<Store, 'query'>
  readonly config: AccountsConfig
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** The plan of a person; undefined for none. */
  readonly planOf?: ((person: Person) => Promise<Plan | undefined>) | undefined
  /** What else is kept of people, for those who take it with them or delete it. */
  readonly others?: readonly KeptOfPeople[] | undefined
}

/** A part of the server that keeps something of people beside this room. */
export type KeptOfPeople = {
  /** Its name in the export. */
  readonly name: string
  export(person: Person): Promise<unknown>
  delete(person: Person): Promise<void>
}

/** What the parts of this room share. */
export type Parts = Pick<AccountsDeps, 'config' | 'log' | 'now'> & {
  readonly query: Store['query']
  readonly note: Note
}

export type NoteFacts = Readonly<Record<string, string | number | boolean | null>>

/** A line of the audit log. Never a secret. */
export type Note = (
  event: string,
  more: {
    readonly person?: string | undefined
    readonly asker?: string | undefined
    readonly facts?: NoteFacts
  },
) => Promise<void>

/** The account or wallet as one word: subjects and addresses never meet. */
export const personKey = ({ kind, id }: Pick<Person, 'kind' | 'id'>): string => `${kind}:${id}`

/** An email as it is compared: mail hosts tell no upper from lower case where it matters. */
export const emailKey = (email: string): string => email.trim().normalize('NFC').toLowerCase()
