import { AccountError } from '../errors.ts'

/** Why a sign-in message is refused, to the letter of the specification and of the libraries before it. */
export const SIWS_TEXTS = {
  domainMissing: 'Invalid domain.',
  domain: 'Domain do not match provided domain for verification.',
  nonce: 'Nonce do not match provided nonce for verification.',
  nonceForm: 'Nonce size smaller then 8 characters or is not alphanumeric.',
  expired: 'Expired message.',
  early: 'Message is not valid yet.',
  signature: 'Signature do not match address of the message.',
  signatureForm: 'Invalid signature',
  address: 'Invalid address.',
  uri: 'URI does not conform to RFC 3986.',
  time: 'Invalid time format.',
  version: 'Invalid message version.',
  parse: 'Unable to parse the message.',
} as const

export type SiwsFault = keyof typeof SIWS_TEXTS

/** A sign-in message or its signature that is refused. */
export class SiwsError extends AccountError {
  readonly fault: SiwsFault

  constructor(fault: SiwsFault, hint?: string) {
    super('accounts.proof', SIWS_TEXTS[fault], { hint, facts: { fault }, isExact: true })
    this.fault = fault
  }
}
