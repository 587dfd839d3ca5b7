import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider'
import type { Parts } from '../config.ts'
import { hashOf } from '../hash.ts'
import { CLIENT_ID } from './place.ts'
import { readSignIn } from './signIn.ts'

/** Their id is the secret itself: it is kept as its hash. */
const SECRET_MODELS = new Set(['AuthorizationCode', 'RefreshToken', 'PushedAuthorizationRequest'])

/**
 * What is left of a session that was ended from another device: a request that began before may still write it, and must not
 * bring it back. It goes with its time. `assay.end_grant` writes it.
 */
export const ENDED = "'null'::jsonb"

/**
 * Writes a record unless its account has a newer sign-in version than the record, its grant is gone, or its session was ended.
 * The locks are always taken in one order.
 */
const WRITE = `INSERT INTO assay.oidc_records AS r (model, id, payload, account, sign_in_version, grant_id, uid, created_at, expires_at)
SELECT $1, $2, $3::jsonb, $4::text, $5::integer, $6, $7, $8, $9
WHERE CASE
  WHEN $4::text IS NULL
    OR EXISTS (SELECT 1 FROM assay.accounts WHERE id = $4::text AND sign_in_version = $5::integer FOR SHARE)
  THEN $10::text IS NULL
    OR EXISTS (SELECT 1 FROM assay.oidc_records g WHERE g.model = 'Grant' AND g.id = $10::text FOR SHARE)
  ELSE false
END
ON CONFLICT (model, id) DO UPDATE SET payload = excluded.payload, account = excluded.account,
  sign_in_version = excluded.sign_in_version, grant_id = excluded.grant_id, uid = excluded.uid, expires_at = excluded.expires_at
  WHERE r.payload <> ${ENDED}`

/** Condition on a record `r`: it belongs to no account, or its account still has its sign-in version. */
const IS_CURRENT = `(r.account IS NULL
  OR EXISTS (SELECT 1 FROM assay.accounts a WHERE a.id = r.account AND a.sign_in_version = r.sign_in_version))`

/** The grant on which a record rests; a session names that of our one client. */
const grantOf = (model: string, { grantId, authorizations }: AdapterPayload): string | undefined =>
  model === 'Session' ? authorizations?.[CLIENT_ID]?.grantId : model === 'Grant' ? undefined : grantId

/** The sign-in of a record; that of an unfinished interaction is in its result. */
const signInOf = ({ accountId, result }: AdapterPayload): string | undefined =>
  accountId ?? result?.login?.accountId

/**
 * Where the provider keeps its records: the table `oidc_records`. A request that began before its account was reset, or its
 * device signed out, may still write: what it carries of the earlier sign-in is not kept.
 */
export const createAdapter =
  ({ query, now }: Pick<Parts, 'query' | 'now'>): AdapterFactory =>
  (model): Adapter => {
    const isSecret = SECRET_MODELS.has(model)
    const keyOf = (id: string): string => (isSecret ? hashOf(id).toString('base64url') : id)
    const findBy = async (column: 'id' | 'uid', value: string) =>
      (
        await query<{ id: string; payload: AdapterPayload }>(
          `SELECT id, payload FROM assay.oidc_records r
WHERE model = $1 AND ${column} = $2 AND (expires_at IS NULL OR expires_at > $3) AND r.payload <> ${ENDED} AND ${IS_CURRENT}`,
          [model, value, new Date(now())],
        )
      )[0]
    return {
      async upsert(id, payload, expiresIn) {
        const { jti: _, ...withoutId } = payload
        const signedIn = signInOf(payload)
        const { account, version } =
          signedIn === undefined ? { account: null, version: 0 } : readSignIn(signedIn)
        await query(WRITE, [
          model,
          keyOf(id),
          isSecret ? withoutId : payload,
          account,
          version,
          // A grant is revoked by its own id as by that of what rests on it.
          (model === 'Grant' ? id : payload.grantId) ?? null,
          payload.uid ?? null,
          new Date(now()),
          expiresIn === undefined ? null : new Date(now() + expiresIn * 1000),
          grantOf(model, payload) ?? null,
        ])
      },
      async find(id) {
        const row = await findBy('id', keyOf(id))
        return row && (isSecret ? { ...row.payload, jti: id } : row.payload)
      },
      findByUid: async uid => (await findBy('uid', uid))?.payload,
      // The flow for devices, which has such codes, is off.
      findByUserCode: async () => undefined,
      async consume(id) {
        await query(
          `UPDATE assay.oidc_records SET payload = payload || jsonb_build_object('consumed', $3::bigint) WHERE model = $1 AND id = $2`,
          [model, keyOf(id), Math.floor(now() / 1000)],
        )
      },
      async destroy(id) {
        await query(`DELETE FROM assay.oidc_records WHERE model = $1 AND id = $2 AND payload <> ${ENDED}`, [
          model,
          keyOf(id),
        ])
      },
      async revokeByGrantId(grantId) {
        await query('DELETE FROM assay.oidc_records WHERE grant_id = $1', [grantId])
      },
    }
  }
