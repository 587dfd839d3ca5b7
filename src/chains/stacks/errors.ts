import { BytesError } from '../errors.ts'

export { AddressError, CheckError } from '../errors.ts'

/** Why bytes are no value, transaction, microblock or block of Stacks. */
export type DecodeReason =
  /** The bytes end too early. */
  | 'short'
  /** A count or a length that the bytes left cannot hold. */
  | 'count'
  /** Bytes follow the end. */
  | 'trailing'
  /** Longer than the node reads. */
  | 'too_large'
  /** A kind, mode, code or version that no rule of the chain knows. */
  | 'unknown_kind'
  /** A name that Clarity does not allow. */
  | 'name'
  /** Bytes that are no text of their kind. */
  | 'text'
  /** Nested deeper than the node reads. */
  | 'depth'
  /** A tuple without fields, or with one twice. */
  | 'tuple'
  /** A part that does not go with the rest. */
  | 'conflict'

/** Bytes that are no value, transaction, microblock or block of Stacks. */
export class DecodeError extends BytesError<DecodeReason> {}
