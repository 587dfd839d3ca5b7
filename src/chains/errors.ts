import { AssayError, type Facts } from '#kernel/errors.ts'

export type DecodeFacts = Facts & { readonly offset: number; readonly what: string }

/** Bytes that do not decode. `code` is `decode.<reason>`; `facts.offset` is the place, in bytes from the start. */
export class DecodeError<Reason extends string = string> extends AssayError {
  declare readonly facts: DecodeFacts

  constructor(reason: Reason, message: string, facts: DecodeFacts) {
    super(`decode.${reason}`, `${message}, at byte ${facts.offset}.`, { facts })
  }

  get offset(): number {
    return this.facts.offset
  }
}

/** Text that is no address of the network asked for. `code` is `address.<reason>`. */
export class AddressError extends AssayError {
  constructor(reason: string, message: string, facts: Facts, hint?: string) {
    super(`address.${reason}`, message, { facts, hint })
  }
}

/** A block that decodes but breaks a rule of its chain. `code` is `check.<rule>`. */
export class CheckError extends AssayError {
  constructor(rule: string, message: string, facts: Facts) {
    super(`check.${rule}`, message, { facts })
  }
}
