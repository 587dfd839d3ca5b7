import { type AssayError, sentenceOf } from '#kernel/errors.ts'
import { say } from '../../people/toasts.ts'
import { WalletError } from '../walletError.ts'
import type { SendState } from './Sending.tsx'

/**
 * What a form shows of a transaction that was not sent. It is said beside the page too, since who signed in the wallet may look elsewhere;
 * who cancelled knows.
 */
export function notSent(error: AssayError): SendState {
  const [why, raw] = [sentenceOf(error), rawOf(error)]
  if (error.code !== 'wallet.cancelled')
    say({ title: 'The transaction was not sent', text: why, raw, isError: true })
  return { name: 'failed', why, raw }
}

export const walletGone = (): WalletError =>
  new WalletError('none', 'The connected wallet is not in this browser any more.', {
    hint: 'Unlock or install it, then send again.',
  })

/** The node’s own name of the reason, else ours, and what the wallet said. */
function rawOf({ code, facts: { reason }, cause }: AssayError): string {
  const said = cause instanceof Error ? [cause.message] : []
  return [typeof reason === 'string' ? reason : code, ...said].join(': ')
}
