import { AssayError, type Facts } from '#kernel/errors.ts'
import { DecodeError as ChainDecodeError, type DecodeFacts } from '../errors.ts'

export { AddressError, CheckError } from '../errors.ts'

/** Why an answer, or bytes, are nothing that this codec knows. */
export type DecodeReason =
  | 'missing'
  | 'type'
  | 'hex'
  | 'length'
  | 'range'
  | 'short'
  | 'trailing'
  | 'shortest_form'
  | 'depth'
  | 'list'
  | 'signature'
  | 'abi'

/** An answer, or bytes, that this codec cannot read. */
export class DecodeError extends ChainDecodeError<DecodeReason> {
  readonly #reason: DecodeReason
  readonly #message: string

  constructor(reason: DecodeReason, message: string, facts: DecodeFacts) {
    super(reason, message, facts)
    this.#reason = reason
    this.#message = message
  }

  /** The same error seen from a level above: `prefix` is the field that held what did not decode. */
  within(prefix: string): DecodeError {
    const { path, ...rest } = this.facts
    return new DecodeError(this.#reason, this.#message, {
      ...rest,
      path: path ? `${prefix}.${path}` : prefix,
    })
  }
}

/** Names the field around whatever `read` finds wrong; costs nothing while all is well. */
export function inField<T>(name: string | number, read: () => T): T {
  try {
    return read()
  } catch (thrown) {
    throw thrown instanceof DecodeError ? thrown.within(String(name)) : thrown
  }
}

/** A signature that cannot be parsed, or an entry of the catalogue that is none. `code` is `abi.<reason>`. */
export class AbiError extends AssayError {
  constructor(reason: string, message: string, facts: Facts) {
    super(`abi.${reason}`, message, { facts })
  }
}
