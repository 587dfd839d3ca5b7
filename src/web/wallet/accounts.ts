import { askWallet, fieldOf, textIn } from './askWallet.ts'
import { WalletError } from './walletError.ts'
import { type WalletId, walletOf } from './wallets.ts'

/** An account on the main network. */
export type StacksAccount = {
  readonly address: string
  readonly addressParts: AddressParts
  /** Hex; null for one of several owners, or where the wallet does not tell. */
  readonly publicKey: string | null
}

/** What an address is made of. Source: SIP-005. */
export type AddressParts = {
  /** 22 for one key, 20 for several. */
  readonly version: number
  /** Hash160 of the key or the script, 40 hex digits. */
  readonly hash: string
}

/** Version bytes 22 (one key) and 20 (several) of the main network as they read. */
const MAIN_NETWORK = /^S[PM][0-9A-HJKMNP-TV-Z]{37,39}$/

/** Whether several keys own an address of the main network. */
export const isMultisig = (address: string): boolean => address.startsWith('SM')

/** Version and hash of an address of the main network; undefined for any other text, and where its checksum does not hold. */
export async function mainAddressParts(text: string): Promise<AddressParts | undefined> {
  if (!MAIN_NETWORK.test(text)) return undefined
  const { createAddress, validateStacksAddress } = await import('./crypto.ts')
  if (!validateStacksAddress(text)) return undefined
  const { version, hash160 } = createAddress(text)
  return { version, hash: hash160 }
}

/** Asks the wallet which account is in use; it may ask its owner first. Throws `WalletError`, `network` where it is none of the main network. */
export const askAccount = async (id: WalletId): Promise<StacksAccount> =>
  accountIn(await askWallet(id, 'getAddresses'), id)

/** The Stacks account in a wallet's list of addresses. */
export async function accountIn(answer: unknown, id: WalletId): Promise<StacksAccount> {
  const { name } = walletOf(id)
  const listed = Array.isArray(answer) ? answer : fieldOf(answer, 'addresses')
  if (!Array.isArray(listed)) throw new WalletError('answer', `${name} returned no addresses.`)
  const found: unknown = listed.find((one: unknown) => MAIN_NETWORK.test(textIn(one, 'address') ?? ''))
  const address = textIn(found, 'address') ?? ''
  const addressParts = await mainAddressParts(address)
  if (addressParts === undefined)
    throw new WalletError('network', `${name} has no address of the main network in use.`, {
      hint: `Choose the main network in ${name} and connect again.`,
    })
  return { address, addressParts, publicKey: textIn(found, 'publicKey') ?? null }
}
