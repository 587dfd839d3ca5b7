import { AssayError, type Facts } from '#kernel/errors.ts'

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

export type DecodeFacts = Facts & { readonly offset: number; readonly what: string }

/** Bytes that do not decode. `code` is `decode.<reason>`; `facts.offset` is the place, in bytes from the start. */
export class DecodeError extends AssayError {
  declare readonly facts: DecodeFacts

  constructor(reason: DecodeReason, message: string, facts: DecodeFacts) {
    super(`decode.${reason}`, `${message}, at byte ${facts.offset}.`, { facts })
  }

  get offset(): number {
    return this.facts.offset
  }
}

/** A block that decodes but breaks a rule of the chain. `code` is `check.<rule>`. */
export class CheckError extends AssayError {
  constructor(rule: string, message: string, facts: Facts) {
    super(`check.${rule}`, message, { facts })
  }
}

/** Text that is no address of the network asked for. `code` is `address.<reason>`. */
export class AddressError extends AssayError {
  constructor(reason: string, message: string, facts: Facts, hint?: string) {
    super(`address.${reason}`, message, { facts, hint })
  }
}
