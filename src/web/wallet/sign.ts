import { demandSignature } from '#kernel/stacksRules.ts'
import { isMultisig } from './accounts.ts'
import { askWallet, textIn } from './askWallet.ts'
import { type ClarityInput, hexOf } from './clarity.ts'
import { endSession } from './endSession.ts'
import { type Outcome, runRequest } from './requests.ts'
import { storedSession, type WalletSession } from './session.ts'
import { WalletError } from './walletError.ts'
import { walletOf } from './wallets.ts'

export type Signed = {
  /** 65 bytes in hex, the recovery byte last. */
  readonly signature: string
  /** Hex; null where the wallet does not tell. */
  readonly publicKey: string | null
}

/** Domain of structured messages (SIP-018): version and chain are fixed by the specification. */
const DOMAIN = { name: 'Assay', version: '1.0.0', chainId: 1 } as const

/** Has the connected wallet sign a text. */
export const signMessage = (message: string, outcome?: Outcome<Signed>): Promise<Signed | undefined> =>
  runRequest('message', () => signatureOf(connected(), 'stx_signMessage', { message }), outcome)

/** Has the connected wallet sign a Clarity value together with our domain (SIP-018). */
export const signStructured = (
  message: ClarityInput,
  outcome?: Outcome<Signed>,
): Promise<Signed | undefined> =>
  runRequest(
    'structured',
    async () => {
      const domain = {
        type: 'tuple',
        value: {
          name: { type: 'ascii', value: DOMAIN.name },
          version: { type: 'ascii', value: DOMAIN.version },
          'chain-id': { type: 'uint', value: BigInt(DOMAIN.chainId) },
        },
      } as const
      const params = { message: await hexOf(message), domain: await hexOf(domain) }
      return signatureOf(connected(), 'stx_signStructuredMessage', params)
    },
    outcome,
  )

/** The stored session. Throws `wallet.disconnected`. */
export function connected(): WalletSession {
  const session = storedSession()
  if (session === undefined)
    throw new WalletError('disconnected', 'No wallet is connected.', { hint: 'Connect one first.' })
  return session
}

/**
 * What the wallet signs for the account of the session. Throws `Invalid signature` where it is none of 65 bytes, and
 * `wallet.account_changed`, having ended the session, where another account signed.
 */
async function signatureOf(
  { userData }: WalletSession,
  method: 'stx_signMessage' | 'stx_signStructuredMessage',
  params: object,
): Promise<Signed> {
  const answer = await askWallet(userData.walletId, method, params)
  const signature = demandSignature(plainHex(textIn(answer, 'signature') ?? ''))
  const publicKey = textIn(answer, 'publicKey') ?? null
  if (publicKey !== null) await demandAccount(userData, publicKey)
  return { signature, publicKey }
}

const plainHex = (text: string): string => text.replace(/^0x/i, '').toLowerCase()

/** One owner of a multisig account signs with a key of their own. */
async function demandAccount({ address, walletId }: WalletSession['userData'], publicKey: string) {
  if (isMultisig(address)) return
  const { getAddressFromPublicKey } = await import('./crypto.ts')
  if (getAddressFromPublicKey(plainHex(publicKey), 'mainnet') !== address) await accountChanged(walletId)
}

/** Ends the session, since its wallet speaks for another account now. */
export async function accountChanged(walletId: WalletSession['userData']['walletId']): Promise<never> {
  await endSession()
  throw new WalletError('account_changed', `Another account is in use in ${walletOf(walletId).name} now.`, {
    hint: 'You were disconnected. Connect again to go on with the other account.',
  })
}
