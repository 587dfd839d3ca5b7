import { decryptPrivateKey, getAddressFromDID, makeAuthRequestToken, verifyAuthResponse } from '@stacks/auth'
import { makeECPrivateKey } from '@stacks/encryption'
import { mainAddressParts } from './accounts.ts'
import { fieldOf, textIn } from './askWallet.ts'
import type { TokenProvider } from './providers.ts'
import type { WalletUser } from './session.ts'
import { WalletError } from './walletError.ts'
import { appDetails, type WalletId } from './wallets.ts'

const SCOPES = ['store_write', 'publish_data']
const EXPIRES_AFTER_MS = 30 * 24 * 60 * 60 * 1000

/** What sign-in by token gives. */
export type TokenSignIn = { readonly userData: WalletUser; readonly transitKey: string }

/**
 * Signs in by token (Stacks Auth 1.4): asks with a token that a key of this moment signs, and takes the answer only where its signature, issuer
 * and times hold. Null where the token names no account of the main network: the wallet is then to be asked in another way.
 * Throws `WalletError`, or whatever the wallet threw.
 */
export async function signInByToken(id: WalletId, provider: TokenProvider): Promise<TokenSignIn | null> {
  const transitKey = makeECPrivateKey()
  const { origin } = window.location
  const request = makeAuthRequestToken(
    transitKey,
    `${origin}/`,
    `${origin}/manifest.json`,
    SCOPES,
    origin,
    Date.now() + EXPIRES_AFTER_MS,
    { appDetails: appDetails() },
  )
  const userData = await readAuthResponse(id, await provider.authenticationRequest(request), transitKey)
  return userData && { userData, transitKey }
}

/** What a signed answer tells; null where it names no account of the main network. Throws `wallet.token` where it does not hold. */
export async function readAuthResponse(
  id: WalletId,
  token: unknown,
  transitKey: string,
): Promise<WalletUser | null> {
  if (typeof token !== 'string' || !(await holds(token)))
    throw new WalletError('token', 'What the wallet signed to sign in does not hold.', {
      hint: 'Check the clock of this device and connect again.',
    })
  const payload = payloadOf(token)
  const profile = fieldOf(payload, 'profile') ?? null
  const addresses = fieldOf(profile, 'stxAddress')
  const address = textIn(addresses, 'mainnet') ?? (typeof addresses === 'string' ? addresses : '')
  const addressParts = await mainAddressParts(address)
  if (addressParts === undefined) return null
  const issuer = textIn(payload, 'iss') ?? null
  const keys = fieldOf(payload, 'public_keys')
  return {
    walletId: id,
    address,
    addressParts,
    // The keys of the token are those of an identity, not of the address.
    publicKey: null,
    addresses: { mainnet: address, testnet: textIn(addresses, 'testnet') ?? null },
    appPrivateKey: await appKeyIn(textIn(payload, 'private_key'), transitKey),
    associationToken: textIn(payload, 'associationToken') ?? null,
    hubUrl: textIn(payload, 'hubUrl') ?? null,
    public_keys: Array.isArray(keys) ? keys.filter(key => typeof key === 'string') : [],
    profile,
    profile_url: textIn(payload, 'profile_url') ?? null,
    username: textIn(payload, 'username') ?? null,
    version: textIn(payload, 'version') ?? null,
    decentralizedID: issuer,
    identityAddress: issuer === null ? null : (getAddressFromDID(issuer) ?? null),
  }
}

/** Times, signature and issuer. Without an algorithm or with several keys the library throws. */
async function holds(token: string): Promise<boolean> {
  try {
    return headerAlgorithm(token) === 'ES256K' && (await verifyAuthResponse(token))
  } catch {
    return false
  }
}

async function appKeyIn(encrypted: string | undefined, transitKey: string): Promise<string | null> {
  if (encrypted === undefined) return null
  try {
    return await decryptPrivateKey(transitKey, encrypted)
  } catch (cause) {
    throw new WalletError('token', 'Couldn’t read the key that the wallet created for Assay.', {
      hint: 'Connect again.',
      cause,
    })
  }
}

const partOf = (token: string, part: number): unknown => {
  const text = token.split('.')[part] ?? ''
  const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), one =>
    one.charCodeAt(0),
  )
  return JSON.parse(new TextDecoder().decode(bytes))
}

const payloadOf = (token: string): unknown => partOf(token, 1)
const headerAlgorithm = (token: string): string | undefined => textIn(partOf(token, 0), 'alg')?.toUpperCase()
