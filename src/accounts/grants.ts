import { isAddress } from '#chains/stacks/index.ts'
import type { Person } from '#kernel/people.ts'
import { emailKey, type Parts } from './config.ts'
import { AccountError } from './errors.ts'
import { isEmail } from './plainText.ts'

export type Grant = {
  readonly id: string
  /** An email, an address of Stacks, or the subject of an account. */
  readonly holder: string
  readonly features: readonly string[]
  readonly until: Date | null
  readonly reason: string
  readonly grantedBy: string
  readonly grantedAt: Date
  readonly revokedAt: Date | null
}

export type Grants = {
  /** Throws `accounts.form` where holder, features, reason or date are none. */
  give(grant: {
    holder: string
    features: readonly string[]
    until: Date | undefined
    reason: string
    by: string
  }): Promise<Grant>
  /** The newest first; those that hold now alone, unless all are asked for. */
  list(isAll?: boolean): Promise<Grant[]>
  /** Takes one back by its number, or all of a holder; how many there were. */
  revoke(which: string, by: string): Promise<number>
}

const FEATURE = /^[a-z][a-z0-9_-]{0,39}$/

/** How a holder is written down: addresses as they are, emails as they are compared. Throws `accounts.form`. */
export function holderOf(text: string): string {
  const trimmed = text.trim()
  if (isAddress(trimmed)) return trimmed
  if (isEmail(trimmed)) return emailKey(trimmed)
  throw new AccountError(
    'accounts.form',
    `${JSON.stringify(text)} is neither an email nor an address of Stacks.`,
  )
}

/** By which words grants may hold for a person: an email only once it is proved. */
export const holdersOf = ({ id, email }: Person): string[] => (email === null ? [id] : [id, emailKey(email)])

export function createGrants({ query, now, note }: Pick<Parts, 'query' | 'now' | 'note'>): Grants {
  return {
    async give({ holder, features, until, reason, by }) {
      const at = new Date(now())
      const wrong = features.find(name => !FEATURE.test(name))
      if (features.length === 0 || wrong !== undefined)
        throw new AccountError('accounts.form', `${JSON.stringify(wrong ?? '')} is no name of a feature.`, {
          hint: 'Available: dashboard, query and bitcoin, separated by commas.',
        })
      if (reason.trim() === '') throw new AccountError('accounts.form', 'A grant needs its reason.')
      if (until !== undefined && !(until > at))
        throw new AccountError('accounts.form', 'The date until which it holds must be ahead.')
      const [row] = await query<GrantRow>(
        `INSERT INTO assay.grants (holder, features, until, reason, granted_by, granted_at)
VALUES ($1, $2, $3, $4, $5, $6) RETURNING *`,
        [holderOf(holder), [...new Set(features)], until ?? null, reason.trim(), by, at],
      )
      const grant = toGrant(row as GrantRow)
      await note('granted', {
        person: grant.holder,
        facts: { grant: grant.id, features: grant.features.join(','), reason: grant.reason, by },
      })
      return grant
    },
    async list(isAll = false) {
      const rows = await query<GrantRow>(
        `SELECT * FROM assay.grants WHERE $1 OR (revoked_at IS NULL AND (until IS NULL OR until > $2)) ORDER BY id DESC`,
        [isAll, new Date(now())],
      )
      return rows.map(toGrant)
    },
    async revoke(which, by) {
      const [column, value] = /^\d{1,15}$/.test(which) ? ['id', which] : ['holder', holderOf(which)]
      const rows = await query<GrantRow>(
        `UPDATE assay.grants SET revoked_at = $2, revoked_by = $3 WHERE ${column} = $1 AND revoked_at IS NULL RETURNING *`,
        [value, new Date(now()), by],
      )
      for (const { id, holder } of rows)
        await note('revoked', { person: holder, facts: { grant: String(id), by } })
      return rows.length
    },
  }
}

type GrantRow = {
  id: string | number
  holder: string
  features: string[]
  until: Date | null
  reason: string
  granted_by: string
  granted_at: Date
  revoked_at: Date | null
}

const toGrant = (row: GrantRow): Grant => ({
  id: String(row.id),
  holder: row.holder,
  features: row.features,
  until: row.until,
  reason: row.reason,
  grantedBy: row.granted_by,
  grantedAt: row.granted_at,
  revokedAt: row.revoked_at,
})
