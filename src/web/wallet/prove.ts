import type { AssayError } from '#kernel/errors.ts'
import { ask } from '../api.ts'
import { isMultisig } from './accounts.ts'
import { textIn } from './askWallet.ts'
import { connected, signMessage } from './sign.ts'
import { WalletError } from './walletError.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

/**
 * Proves to the server that the address of the session is its user's: the server makes a message, the wallet signs it, and a cookie that no
 * script reads is the proof from then on. Returns the address. Throws `WalletError`, `ApiRefusal`; `wallet.multisig` for an address of
 * several keys, of which one signature proves nothing. Aborted, a signature that comes later proves nothing either.
 */
export async function proveAddress(signal?: AbortSignal): Promise<string> {
  const { address } = connected().userData
  if (isMultisig(address))
    throw new WalletError(
      'multisig',
      'This address belongs to several keys, and one signature cannot prove it.',
      {
        hint: 'You can look at everything that is public. For what is yours alone, connect a wallet with an address of one key.',
      },
    )
  const post = (path: string, body: object): Promise<unknown> =>
    ask(path, {
      method: 'POST',
      headers: JSON_TYPE,
      body: JSON.stringify(body),
      ...(signal && { signal }),
    })
  const asked = await post('/siws/nonce', { address })
  const message = textIn(asked, 'message')
  if (message === undefined)
    throw new WalletError('answer', 'The server gave no message to sign.', { hint: 'Try again in a moment.' })
  let failure: AssayError | undefined
  const signed = await signMessage(message, {
    ...(signal && { signal }),
    onCancel: error => {
      failure = error
    },
  })
  if (signed === undefined) throw failure ?? new WalletError('refused', 'The wallet did not sign.')
  const proved = await post('/siws/verify', { message, signature: signed.signature })
  return textIn(proved, 'address') ?? address
}
