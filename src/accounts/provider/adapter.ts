import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider'
import type { Parts } from '../config.ts'
import { hashOf } from '../hash.ts'

/** Their id is the secret itself: it is kept as its hash. */
const SECRET_MODELS = new Set(['AuthorizationCode', 'RefreshToken', 'PushedAuthorizationRequest'])

/** Where the provider keeps its records: the table `oidc_records`. */
export const createAdapter =
  ({ query, now }: Pick<Parts, 'query' | 'now'>): AdapterFactory =>
  (model): Adapter => {
    const isSecret = SECRET_MODELS.has(model)
    const keyOf = (id: string): string => (isSecret ? hashOf(id).toString('base64url') : id)
    const findBy = async (column: 'id' | 'uid', value: string) =>
      (
        await query<{ id: string; payload: AdapterPayload }>(
          `SELECT id, payload FROM assay.oidc_records WHERE model = $1 AND ${column} = $2 AND (expires_at IS NULL OR expires_at > $3)`,
          [model, value, new Date(now())],
        )
      )[0]
    return {
      async upsert(id, payload, expiresIn) {
        const { jti: _, ...withoutId } = payload
        await query(
          `INSERT INTO assay.oidc_records (model, id, payload, account, grant_id, uid, created_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (model, id) DO UPDATE SET payload = $3, account = $4, grant_id = $5, uid = $6, expires_at = $8`,
          [
            model,
            keyOf(id),
            isSecret ? withoutId : payload,
            payload.accountId ?? null,
            // A grant is revoked by its own id as by that of what rests on it.
            (model === 'Grant' ? id : payload.grantId) ?? null,
            payload.uid ?? null,
            new Date(now()),
            expiresIn === undefined ? null : new Date(now() + expiresIn * 1000),
          ],
        )
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
        await query('DELETE FROM assay.oidc_records WHERE model = $1 AND id = $2', [model, keyOf(id)])
      },
      async revokeByGrantId(grantId) {
        await query('DELETE FROM assay.oidc_records WHERE grant_id = $1', [grantId])
      },
    }
  }
