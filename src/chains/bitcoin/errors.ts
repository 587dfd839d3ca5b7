import { BytesError } from '../errors.ts'

export { AddressError, CheckError } from '../errors.ts'

/** Why bytes are no block or transaction. */
export type DecodeReason =
  | 'short'
  | 'count'
  | 'varint'
  | 'trailing'
  | 'witness_flag'
  | 'superfluous_witness'
  | 'no_transactions'
  | 'no_coinbase'
  | 'too_large'

/** Bytes that are no block or transaction of Bitcoin. */
export class DecodeError extends BytesError<DecodeReason> {}
