import { AssayError, type Facts } from '#kernel/errors.ts'

/** Why a wallet did not do what it was asked for. */
export type WalletReason =
  /** No wallet of that kind is in the browser. */
  | 'none'
  /** Its owner said no, or closed its window. */
  | 'cancelled'
  /** It answered with an error of its own. */
  | 'refused'
  /** It asked a node to take a transaction, and the node did not. */
  | 'rejected'
  | 'silent'
  /** It answered in a form that is not known here. */
  | 'answer'
  /** It has no account on the main network. */
  | 'network'
  /** It answered for another account than the one that is connected. */
  | 'account_changed'
  /** The token that it signed does not hold. */
  | 'token'
  /** Several people own the address; one signature proves nothing of it. */
  | 'multisig'
  /** Nobody is connected. */
  | 'disconnected'

/** What a wallet did not do; the message can be shown. Codes: `wallet.` and a `WalletReason`. */
export class WalletError extends AssayError {
  readonly reason: WalletReason

  constructor(
    reason: WalletReason,
    message: string,
    more: { hint?: string; facts?: Facts; cause?: unknown } = {},
  ) {
    super(`wallet.${reason}`, message, more)
    this.reason = reason
  }
}

/** The words of `@stacks/connect` 7, which the specification keeps. */
const NO_WALLET = '[Connect] No installed Stacks wallet found'

export const noWallet = (): WalletError =>
  new WalletError('none', NO_WALLET, { hint: 'Install a wallet, or unlock it, and try again.' })
