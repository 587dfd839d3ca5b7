import { randomUUID } from 'node:crypto'
import type { Person } from '#kernel/people.ts'
import { type Parts, personKey } from './config.ts'
import { AccountError, sessionEnded } from './errors.ts'
import { hashOf, newSecret } from './hash.ts'
import { oneLine } from './plainText.ts'

/** What tells a key from a token of sign-in. */
export const KEY_START = 'assay_'
/** What keys may be for: running SQL, reading what is the user's own, and changing it. */
export const KEY_SCOPES = ['read:query', 'read:own', 'write:own'] as const
export type KeyScope = (typeof KEY_SCOPES)[number]
const MOST_KEYS = 20
/** Saved queries that one key may be limited to. */
export const MOST_KEY_QUERIES = 50
const SHOWN_LENGTH = KEY_START.length + 6
const USED_MS = 60_000

export type ApiKey = {
  readonly id: string
  readonly name: string
  /** Its first characters, to tell it by. */
  readonly start: string
  readonly scopes: readonly string[]
  /** Ids of the saved queries that it is limited to; null for no limit. */
  readonly queries: readonly string[] | null
  readonly createdAt: Date
  readonly usedAt: Date | null
  readonly expiresAt: Date | null
}

export type ApiKeys = {
  /** The key itself is in this answer and nowhere else. Throws `accounts.expired` where access to the account ended meanwhile. */
  create(
    person: Person,
    key: {
      name: string
      scopes: readonly KeyScope[]
      expires: Date | undefined
      /** The caller has checked that they are the person's own. */
      queries?: readonly string[] | undefined
    },
  ): Promise<ApiKey & { key: string }>
  list(person: Person): Promise<ApiKey[]>
  /** Throws `accounts.not_found` where the person has no such key. */
  revoke(person: Person, id: string): Promise<void>
  /** Whose key this is; undefined where nobody's, or no longer. */
  find(key: string): Promise<Pick<Person, 'kind' | 'id' | 'scopes' | 'queries'> | undefined>
}

/** Of an account of ours, a key ends with the sign-in version under which it was made. */
const IS_CURRENT = `(k.sign_in_version IS NULL
  OR EXISTS (SELECT 1 FROM assay.accounts a WHERE a.id = k.person AND a.sign_in_version = k.sign_in_version))`

export function createApiKeys({ query, now, note }: Parts): ApiKeys {
  const ofPerson = ({ kind, id }: Person) => [kind, id]
  return {
    async create(person, { name: given, scopes, expires, queries }) {
      const at = new Date(now())
      const name = oneLine(given)
      if (name === '') throw new AccountError('accounts.form', 'Name the key.')
      if (expires !== undefined && !(expires > at))
        throw new AccountError('accounts.form', 'The date on which it expires must be ahead.')
      checkQueries(scopes, queries)
      const [{ held } = { held: 0 }] = await query<{ held: number }>(
        `SELECT count(*)::integer AS held FROM assay.api_keys k WHERE kind = $1 AND person = $2 AND ${IS_CURRENT}`,
        ofPerson(person),
      )
      if (held >= MOST_KEYS)
        throw new AccountError('accounts.keys_full', `A person may have ${MOST_KEYS} keys.`)
      const key = `${KEY_START}${newSecret()}`
      const made: ApiKey = {
        id: randomUUID(),
        name,
        start: key.slice(0, SHOWN_LENGTH),
        scopes,
        queries: queries ?? null,
        createdAt: at,
        usedAt: null,
        expiresAt: expires ?? null,
      }
      const written = await query(
        `INSERT INTO assay.api_keys (id, kind, person, name, start, key_hash, scopes, created_at, expires_at, sign_in_version, queries)
SELECT $1, $2, $3::text, $4, $5, $6, $7, $8, $9, $10::integer, $11::uuid[]
WHERE $10::integer IS NULL
  OR EXISTS (SELECT 1 FROM assay.accounts WHERE id = $3::text AND sign_in_version = $10::integer FOR SHARE)
RETURNING id`,
        [
          made.id,
          ...ofPerson(person),
          name,
          made.start,
          hashOf(key),
          [...scopes],
          at,
          made.expiresAt,
          person.signInVersion ?? null,
          queries === undefined ? null : [...queries],
        ],
      )
      if (written.length === 0) throw sessionEnded()
      await note('key made', {
        person: personKey(person),
        facts: {
          key: made.id,
          scopes: scopes.join(' '),
          ...(queries && { queries: queries.join(' ') }),
        },
      })
      return { ...made, key }
    },
    async list(person) {
      const rows = await query<KeyRow>(
        `SELECT * FROM assay.api_keys k WHERE kind = $1 AND person = $2 AND ${IS_CURRENT} ORDER BY created_at`,
        ofPerson(person),
      )
      return rows.map(toKey)
    },
    async revoke(person, id) {
      const gone = await query(
        'DELETE FROM assay.api_keys WHERE kind = $1 AND person = $2 AND id::text = $3 RETURNING id',
        [...ofPerson(person), id],
      )
      if (gone.length === 0) throw new AccountError('accounts.not_found', 'You have no such key.')
      await note('key revoked', { person: personKey(person), facts: { key: id } })
    },
    async find(key) {
      const at = new Date(now())
      const [row] = await query<KeyRow & { kind: Person['kind']; person: string }>(
        `SELECT * FROM assay.api_keys k
WHERE key_hash = $1 AND (expires_at IS NULL OR expires_at > $2) AND ${IS_CURRENT}`,
        [hashOf(key), at],
      )
      if (row === undefined) return undefined
      if (at.getTime() - (row.used_at?.getTime() ?? 0) > USED_MS)
        await query('UPDATE assay.api_keys SET used_at = $2 WHERE id = $1', [row.id, at])
      return {
        kind: row.kind,
        id: row.person,
        scopes: new Set(row.scopes),
        ...(row.queries !== null && { queries: new Set(row.queries) }),
      }
    },
  }
}

/** A key that could change the text of its queries, or read other ones, would not be limited to them. */
function checkQueries(scopes: readonly KeyScope[], queries: readonly string[] | undefined): void {
  if (queries === undefined) return
  if (queries.length === 0 || queries.length > MOST_KEY_QUERIES)
    throw new AccountError('accounts.form', `A key can be limited to 1 to ${MOST_KEY_QUERIES} saved queries.`)
  if (scopes.some(scope => scope !== 'read:query'))
    throw new AccountError(
      'accounts.form',
      'A key limited to saved queries has the scope read:query alone.',
      {
        hint: 'Make a second key for the other scopes.',
      },
    )
}

type KeyRow = {
  id: string
  name: string
  start: string
  scopes: string[]
  queries: string[] | null
  created_at: Date
  used_at: Date | null
  expires_at: Date | null
}

const toKey = (row: KeyRow): ApiKey => ({
  id: row.id,
  name: row.name,
  start: row.start,
  scopes: row.scopes,
  queries: row.queries,
  createdAt: row.created_at,
  usedAt: row.used_at,
  expiresAt: row.expires_at,
})
