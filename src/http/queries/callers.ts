import { AccountError, demandPerson, limitedKey, personKey } from '#accounts/index.ts'
import type { Features, Person } from '#kernel/people.ts'
import type { QueryRole, RunCaller } from '#queries/index.ts'
import { ApiError, problemOf } from '../apiError.ts'

export type Who = { readonly person: Person | undefined; readonly features: Features }

/** Identity of the caller for the query tool. */
export type QueryCaller = RunCaller & Who

type OwnScope = 'read:own' | 'write:own'

/**
 * Larger limits for users with the feature `query`. A token or key that runs SQL needs the scope `read:query`; a key limited to
 * saved queries is refused.
 */
export function roleOf(person: Person | undefined, features: Features): QueryRole {
  if (person?.queries !== undefined) throw limitedKey()
  return limitsOf(person, features)
}

function limitsOf(person: Person | undefined, features: Features): QueryRole {
  if (person !== undefined && !person.scopes.has('read:query'))
    throw new AccountError('accounts.scope', 'This key or token is not for SQL.', {
      hint: 'It needs the scope read:query.',
    })
  return features.query === true ? 'member' : 'guest'
}

type Asking = Who & { readonly asker: string }

/** Runs belong to the signed-in user, or else to the network. Refuses keys limited to saved queries. */
export function callerOf(asking: Asking): QueryCaller {
  roleOf(asking.person, asking.features)
  return namedCallerOf(asking)
}

/** The same for endpoints that keys limited to saved queries may use. */
export function namedCallerOf({ asker, person, features }: Asking): QueryCaller {
  const role = limitsOf(person, features)
  const owner = person === undefined ? `network ${asker}` : personKey(person)
  const isMember = role === 'member'
  return {
    owner,
    caller: isMember ? owner : asker,
    role,
    hasHistory: isMember,
    uploadsOf: uploadsOf(person, features),
    person,
    features,
  }
}

/** Owner of the uploads that a caller may query. Needs the feature `query` and a sign-in or key with access to private data. */
export function uploadsOf(person: Person | undefined, features: Features): string | undefined {
  if (person === undefined || features.query !== true) return undefined
  return person.scopes.has(person.via === 'key' ? 'read:own' : 'read:private') ? personKey(person) : undefined
}

/** The `personKey` of a user whose sign-in or API key has access to private data. */
export function ownerWith(person: Person, scope: OwnScope, subject: string): string {
  if (!person.scopes.has(person.via === 'key' ? scope : 'read:private'))
    throw new AccountError('accounts.scope', `This key or token is not for ${subject}.`, {
      hint: person.via === 'key' ? `It needs the scope ${scope}.` : 'It needs the scope read:private.',
    })
  return personKey(person)
}

/** Owner of saved queries: a signed-in user, or one whose key has the scope. Undefined if the caller is not signed in. */
export function ownerOf(person: Person | undefined, scope: OwnScope): string | undefined {
  if (person === undefined) return undefined
  if (person.queries !== undefined) throw limitedKey()
  return ownerWith(person, scope, 'saved queries')
}

/** User who reads a saved query. A key limited to certain queries reads as its owner. Undefined if the caller is not signed in. */
export function readerOf(id: string, person: Person | undefined): string | undefined {
  if (person?.queries === undefined) return ownerOf(person, 'read:own')
  if (!person.queries.has(id)) throw limitedKey()
  return personKey(person)
}

/** Saving and history are for users with the feature `query`. */
export function requireOwner({ person, features }: Who, scope: OwnScope): string {
  const owner = ownerOf(demandPerson(person), scope) ?? ''
  if (features.query !== true)
    throw new ApiError(
      problemOf('sql.premium', 'Saving queries and their history needs Premium.', {
        hint: 'See /pricing. Copy the text of the query to keep it meanwhile.',
      }),
    )
  return owner
}
