import type { Person } from '#kernel/people.ts'
import { type Parts, personKey } from './config.ts'
import { AccountError } from './errors.ts'
import { CLIENT_ID } from './provider/place.ts'

/** How much is kept of what a browser calls itself. */
export const DEVICE_LENGTH = 200

/** A device on which a person is signed in. */
export type PersonSession = {
  readonly id: string
  /** What its browser called itself at the sign-in; empty where that is not known. */
  readonly device: string
  readonly since: Date
  readonly seen: Date | null
  readonly expires: Date | null
}

export type Sessions = {
  list(person: Person): Promise<PersonSession[]>
  /** Throws `accounts.not_found` where the person has no such session. */
  end(person: Person, id: string): Promise<void>
  /** Ends all of an account of ours, its tokens too. */
  endAll(account: string): Promise<void>
}

/**
 * Of a wallet: its proofs. Of an account of ours: its grants, one for each sign-in, by which all its tokens hold. A
 * tenant keeps its own.
 */
export function createSessions({ query, note, now }: Parts): Sessions {
  /**
   * In one transaction: between two statements a request of the device could write a session with the grant, or give a session
   * that is not ended yet another grant.
   */
  const endGrant = async (account: string, grant: string): Promise<boolean> => {
    const [row] = await query<{ ended: boolean }>('SELECT assay.end_grant($1, $2, $3) AS ended', [
      account,
      grant,
      CLIENT_ID,
    ])
    return row?.ended === true
  }

  const endWalletSession = async (address: string, id: string): Promise<boolean> => {
    const ended = await query(
      'DELETE FROM assay.wallet_sessions WHERE address = $1 AND id::text = $2 RETURNING id',
      [address, id],
    )
    return ended.length > 0
  }

  return {
    async list({ kind, id }) {
      const at = new Date(now())
      return kind === 'wallet'
        ? await query<PersonSession>(
            `SELECT id::text, device, created_at AS since, seen_at AS seen, expires_at AS expires
FROM assay.wallet_sessions WHERE address = $1 AND expires_at > $2 ORDER BY created_at DESC`,
            [id, at],
          )
        : await query<PersonSession>(
            `SELECT g.id, g.device, g.created_at AS since,
  (SELECT max(r.created_at) FROM assay.oidc_records r WHERE r.grant_id = g.id AND r.model = 'RefreshToken') AS seen,
  g.expires_at AS expires
FROM assay.oidc_records g JOIN assay.accounts a ON a.id = g.account AND a.sign_in_version = g.sign_in_version
WHERE g.model = 'Grant' AND g.account = $1 AND g.expires_at > $2 ORDER BY g.created_at DESC`,
            [id, at],
          )
    },
    async end(person, id) {
      const hasEnded = await (person.kind === 'wallet' ? endWalletSession : endGrant)(person.id, id)
      if (!hasEnded) throw new AccountError('accounts.not_found', 'You have no such session.')
      await note('session ended', { person: personKey(person), facts: { session: id.slice(0, 8) } })
    },
    async endAll(account) {
      await query('DELETE FROM assay.oidc_records WHERE account = $1', [account])
    },
  }
}
