import { decodeAddress } from '#chains/stacks/index.ts'
import { ADDRESS_VERSIONS, CHAIN_IDS } from '#kernel/stacks.ts'
import { AccountError } from '../errors.ts'
import { parseSiws, type SiwsMessage } from './message.ts'
import { SiwsError } from './texts.ts'

/** RSV, with or without 0x. */
const SIGNATURE = /^(?:0x)?([0-9a-f]{130})$/i

/** Both are loaded with the first proof: nobody else needs them. */
const libraries = async () => {
  const [encryption, transactions] = await Promise.all([
    import('@stacks/encryption'),
    import('@stacks/transactions'),
  ])
  return { ...encryption, ...transactions }
}

export type Expected = {
  readonly domain: string
  readonly nonce: string
  /** Milliseconds since 1970. */
  readonly now: number
}

/**
 * The message, once it is shown to be signed by the one key of its main-network address, for this domain and nonce, at
 * this time. Throws SiwsError, and AccountError for an address that several keys share.
 */
export async function verifySiws(text: string, signature: string, expected: Expected): Promise<SiwsMessage> {
  const message = parseSiws(text)
  if (message.domain !== expected.domain) throw new SiwsError('domain')
  if (message.nonce !== expected.nonce) throw new SiwsError('nonce')
  const { expirationTime, notBefore } = message
  if (expirationTime !== undefined && expected.now >= Date.parse(expirationTime))
    throw new SiwsError('expired')
  if (notBefore !== undefined && expected.now < Date.parse(notBefore)) throw new SiwsError('early')
  if (message.chainId !== CHAIN_IDS.mainnet) throw new SiwsError('address')
  demandProvable(message.address)
  const [, rsv] = SIGNATURE.exec(signature) ?? []
  if (rsv === undefined) throw new SiwsError('signatureForm')
  if ((await signerOf(text, rsv.toLowerCase())) !== message.address) throw new SiwsError('signature')
  return message
}

/** Throws for an address that one signature cannot prove. */
export function demandProvable(address: string): void {
  const { version } = decodeAddress(address)
  if (version === ADDRESS_VERSIONS.mainnetMultisig)
    throw new AccountError(
      'accounts.multisig',
      'This address belongs to several keys, and one signature does not prove all of them.',
      {
        hint: 'Sign in with an address of one key (it begins with SP), or with an account by email.',
      },
    )
  if (version !== ADDRESS_VERSIONS.mainnetSinglesig)
    throw new SiwsError('address', 'It must be an address of the main network.')
}

/** The main-network address of the key that signed; undefined where no key can have. */
async function signerOf(text: string, signature: string): Promise<string | undefined> {
  const { getAddressFromPublicKey, hashMessage, publicKeyFromSignatureRsv, verifyMessageSignatureRsv } =
    await libraries()
  try {
    // The key is recovered over the hash in use today: a signature over the older prefix leads to another address.
    const publicKey = publicKeyFromSignatureRsv(Buffer.from(hashMessage(text)).toString('hex'), signature)
    return verifyMessageSignatureRsv({ message: text, signature, publicKey })
      ? getAddressFromPublicKey(publicKey, 'mainnet')
      : undefined
  } catch {
    return undefined
  }
}
