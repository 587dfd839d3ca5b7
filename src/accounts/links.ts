import type { Parts } from './config.ts'
import { AccountError } from './errors.ts'
import { hashOf, newSecret } from './hash.ts'
import { type Member, type MemberRow, toMember } from './memberRow.ts'

/** What a mailed link is for. */
export type Purpose = 'reset' | 'confirm'

/** One browser's sign-in at the embedded provider. */
export type BrowserSession = {
  readonly account: string
  /** The provider's session record. */
  readonly session: string
  /** The grant behind the tokens of this browser; undefined before the first token. */
  readonly grant: string | undefined
}

export type Links = {
  /** Returns the URL of a new link, which replaces the account's earlier one of that purpose. */
  create(account: string, purpose: Purpose): Promise<string>
  /** The account of an unused, unexpired link. */
  find(purpose: Purpose, secret: string): Promise<Member | undefined>
  /**
   * Uses up a link, marks the email as confirmed, sets the new password if one is given, and ends all access to the
   * account: sessions, tokens, sign-ins in progress, API keys and open links. Only `keep` stays signed in. All of it
   * happens in one statement, or none. Throws `accounts.link`.
   */
  use(
    purpose: Purpose,
    secret: string,
    more: { passwordHash?: string; keep?: BrowserSession | undefined },
  ): Promise<Member>
}

const LINK_MS: Readonly<Record<Purpose, number>> = { reset: 3600_000, confirm: 7 * 24 * 3600_000 }

const IS_KEPT = `(coalesce(r.grant_id = $5, false) OR (r.model = 'Session' AND r.id = $6))`

/**
 * `FOR UPDATE`: of two uses at once, the second waits and then finds no link. A request in flight may write a record after the
 * rows are deleted: it carries the earlier sign-in version and is refused.
 */
const USE = `WITH link AS (
  SELECT account FROM assay.account_links WHERE token_hash = $1 AND purpose = $2 AND expires_at > $3 FOR UPDATE
), member AS (
  UPDATE assay.accounts a
  SET email_proved_at = coalesce(a.email_proved_at, $3), password_hash = coalesce($4, a.password_hash),
    sign_in_version = a.sign_in_version + 1
  FROM link WHERE a.id = link.account RETURNING a.*
), links AS (
  DELETE FROM assay.account_links l USING link WHERE l.account = link.account
), keys AS (
  DELETE FROM assay.api_keys k USING link WHERE k.kind = 'account' AND k.person = link.account
), kept AS (
  UPDATE assay.oidc_records r
  SET sign_in_version = m.sign_in_version,
    payload = jsonb_set(r.payload, '{accountId}', to_jsonb(m.id || '#' || m.sign_in_version))
  FROM member m
  WHERE r.account = m.id AND r.sign_in_version = m.sign_in_version - 1 AND ${IS_KEPT}
), records AS (
  DELETE FROM assay.oidc_records r USING link WHERE r.account = link.account AND NOT ${IS_KEPT}
)
SELECT * FROM member`

export function createLinks({ query, config, now }: Parts): Links {
  return {
    async create(account, purpose) {
      const secret = newSecret()
      await query('DELETE FROM assay.account_links WHERE account = $1 AND purpose = $2', [account, purpose])
      await query(
        'INSERT INTO assay.account_links (token_hash, account, purpose, expires_at) VALUES ($1, $2, $3, $4)',
        [hashOf(secret), account, purpose, new Date(now() + LINK_MS[purpose])],
      )
      return `${config.publicUrl}/idp/u/${purpose}/${secret}`
    },
    async find(purpose, secret) {
      const [row] = await query<MemberRow>(
        `SELECT a.* FROM assay.account_links l JOIN assay.accounts a ON a.id = l.account
WHERE l.token_hash = $1 AND l.purpose = $2 AND l.expires_at > $3`,
        [hashOf(secret), purpose, new Date(now())],
      )
      return toMember(row)
    },
    async use(purpose, secret, { passwordHash, keep }) {
      const [row] = await query<MemberRow>(USE, [
        hashOf(secret),
        purpose,
        new Date(now()),
        passwordHash ?? null,
        keep?.grant ?? '',
        keep?.session ?? '',
      ])
      const member = toMember(row)
      if (member === undefined)
        throw new AccountError('accounts.link', 'This link was used already, or its time is over.', {
          hint: 'Ask for a new one.',
        })
      return member
    },
  }
}
