import { randomBytes, randomUUID } from 'node:crypto'
import { isAddress } from '#chains/stacks/index.ts'
import { CHAIN_IDS } from '#kernel/stacks.ts'
import type { Parts } from './config.ts'
import { hashOf, newSecret } from './hash.ts'
import type { Limiter } from './limits.ts'
import { DEVICE_LENGTH } from './sessions.ts'
import { writeSiws } from './siws/message.ts'
import { SiwsError } from './siws/texts.ts'
import { demandProvable, verifySiws } from './siws/verify.ts'

const NONCE_MS = 10 * 60_000
const SESSION_MS = 7 * 24 * 3600_000
/** A session is noted as seen this often at most. */
const SEEN_MS = 5 * 60_000

export type SiwsOffer = { readonly nonce: string; readonly message: string; readonly expiresAt: string }
export type WalletSession = {
  readonly id: string
  readonly address: string
  readonly device: string
  readonly createdAt: Date
  readonly seenAt: Date
  readonly expiresAt: Date
}
/** Who asks, as far as HTTP knows. */
export type AskerFacts = { readonly asker: string; readonly device: string }

export type WalletSessions = {
  /** A message to sign for that address. Throws `accounts.proof`, `accounts.multisig`, `accounts.too_many`. */
  offer(address: string, asker: string): Promise<SiwsOffer>
  /** Checks the signature and opens a session; `before` is the secret of one that ends with it. Throws SiwsError, `accounts.too_many`. */
  prove(
    text: string,
    signature: string,
    more: AskerFacts & { before: string | undefined },
  ): Promise<{ address: string; secret: string; expiresAt: Date }>
  /** The session that has this secret. */
  find(secret: string): Promise<WalletSession | undefined>
  end(secret: string): Promise<void>
}

export function createWalletSessions(
  { query, config, now, note }: Parts,
  limits: { readonly byAddress: Limiter; readonly byWallet: Limiter; readonly proofsByAddress: Limiter },
): WalletSessions {
  const domain = new URL(config.publicUrl).host
  return {
    async offer(address, asker) {
      if (!isAddress(address)) throw new SiwsError('address')
      demandProvable(address)
      await limits.byAddress.take(asker)
      // Together with the caller: nobody can use up the messages of a wallet for its owner.
      await limits.byWallet.take(`${address} ${asker}`)
      const nonce = randomBytes(16).toString('hex')
      const at = now()
      const expiresAt = new Date(at + NONCE_MS).toISOString()
      await query('INSERT INTO assay.siws_nonces (nonce, address, expires_at) VALUES ($1, $2, $3)', [
        nonce,
        address,
        expiresAt,
      ])
      const message = writeSiws({
        domain,
        address,
        statement: 'Sign in to Assay. This costs nothing and moves nothing.',
        uri: config.publicUrl,
        version: '1',
        chainId: CHAIN_IDS.mainnet,
        nonce,
        issuedAt: new Date(at).toISOString(),
        expirationTime: expiresAt,
      })
      return { nonce, message, expiresAt }
    },

    async prove(text, signature, { before, asker, device }) {
      await limits.proofsByAddress.take(asker)
      // Whatever comes of it, this nonce is used: it is burned before anything is looked at.
      const [, given = ''] = /^Nonce: ([a-zA-Z0-9]{8,64})$/m.exec(text) ?? []
      const [burned] = await query<{ nonce: string; address: string; expires_at: Date }>(
        'DELETE FROM assay.siws_nonces WHERE nonce = $1 RETURNING nonce, address, expires_at',
        [given],
      )
      try {
        const at = now()
        const message = await verifySiws(text, signature, { domain, nonce: burned?.nonce ?? '', now: at })
        if (message.uri !== config.publicUrl) throw new SiwsError('domain')
        if (burned === undefined || burned.address !== message.address) throw new SiwsError('nonce')
        if (burned.expires_at.getTime() <= at) throw new SiwsError('expired')
        const secret = newSecret()
        const expiresAt = new Date(at + SESSION_MS)
        if (before !== undefined)
          await query('DELETE FROM assay.wallet_sessions WHERE token_hash = $1', [hashOf(before)])
        await query(
          `INSERT INTO assay.wallet_sessions (id, token_hash, address, device, created_at, seen_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $5, $6)`,
          [
            randomUUID(),
            hashOf(secret),
            message.address,
            device.slice(0, DEVICE_LENGTH),
            new Date(at),
            expiresAt,
          ],
        )
        await note('wallet signed in', { person: `wallet:${message.address}`, asker })
        return { address: message.address, secret, expiresAt }
      } catch (thrown) {
        if (thrown instanceof SiwsError)
          await note('wallet refused', {
            ...(burned && { person: `wallet:${burned.address}` }),
            asker,
            facts: { fault: thrown.fault },
          })
        throw thrown
      }
    },

    async find(secret) {
      const at = new Date(now())
      const [row] = await query<{
        id: string
        address: string
        device: string
        created_at: Date
        seen_at: Date
        expires_at: Date
      }>(
        `SELECT id, address, device, created_at, seen_at, expires_at FROM assay.wallet_sessions
WHERE token_hash = $1 AND expires_at > $2`,
        [hashOf(secret), at],
      )
      if (row === undefined) return undefined
      if (at.getTime() - row.seen_at.getTime() > SEEN_MS)
        await query('UPDATE assay.wallet_sessions SET seen_at = $2 WHERE id = $1', [row.id, at])
      return {
        id: row.id,
        address: row.address,
        device: row.device,
        createdAt: row.created_at,
        seenAt: row.seen_at,
        expiresAt: row.expires_at,
      }
    },

    async end(secret) {
      const [ended] = await query<{ address: string }>(
        'DELETE FROM assay.wallet_sessions WHERE token_hash = $1 RETURNING address',
        [hashOf(secret)],
      )
      if (ended !== undefined) await note('wallet signed out', { person: `wallet:${ended.address}` })
    },
  }
}
