import type { JWK } from 'jose'
import type { Store } from '#store/index.ts'
import { newSecret } from './hash.ts'

/** What the embedded provider signs with. Both outlive a restart, and all servers on one store share them. */
export type Secrets = { readonly jwk: JWK; readonly cookieKey: string }

const RSA_BITS = 2048

/** The secrets of this installation; made with the first question for them. */
export async function readSecrets(query: Store['query']): Promise<Secrets> {
  const read = async () =>
    (await query<{ value: Secrets }>(`SELECT value FROM assay.account_secrets WHERE name = 'provider'`))[0]
      ?.value
  const held = await read()
  if (held !== undefined) return held
  const { exportJWK, generateKeyPair } = await import('jose')
  const { privateKey } = await generateKeyPair('RS256', { extractable: true, modulusLength: RSA_BITS })
  const jwk = { ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256', kid: newSecret().slice(0, 12) }
  // Of two servers that start at once one is first, and both take what it wrote.
  await query(
    `INSERT INTO assay.account_secrets (name, value) VALUES ('provider', $1) ON CONFLICT (name) DO NOTHING`,
    [{ jwk, cookieKey: newSecret() }],
  )
  return (await read()) as Secrets
}
