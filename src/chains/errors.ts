import { AssayError, type Facts } from '#kernel/errors.ts'

/** Where input does not decode: bytes by their offset, answers in JSON by their field. */
export type DecodeFacts = Facts & {
  /** Place in bytes from the start; undefined for JSON. */
  readonly offset?: number
  /** Field of a JSON answer: `transactions.3.value`; undefined for bytes. */
  readonly path?: string
}

/** The place in bytes, and what was being read there. */
export type BytesFacts = DecodeFacts & { readonly offset: number; readonly what: string }

/** Input that does not decode. `code` is `decode.<reason>`; `facts` hold the place, which the message names too. */
export class DecodeError<Reason extends string = string> extends AssayError {
  declare readonly facts: DecodeFacts

  constructor(reason: Reason, message: string, facts: DecodeFacts) {
    super(`decode.${reason}`, placed(message, facts), { facts })
  }
}

/** Bytes that do not decode. */
export class BytesError<Reason extends string = string> extends DecodeError<Reason> {
  declare readonly facts: BytesFacts

  // Written out because it asks for more than its base does: the place.
  constructor(reason: Reason, message: string, facts: BytesFacts) {
    super(reason, message, facts)
  }

  /** The place, in bytes from the start. */
  get offset(): number {
    return this.facts.offset
  }
}

function placed(message: string, { path, offset }: DecodeFacts): string {
  if (path) return `${path}: ${message}.`
  return offset === undefined ? `${message}.` : `${message}, at byte ${offset}.`
}

/** Text that is no address of the network asked for. `code` is `address.<reason>`. */
export class AddressError extends AssayError {
  constructor(reason: string, message: string, facts: Facts, hint?: string) {
    super(`address.${reason}`, message, { facts, hint })
  }
}

/** A block that decodes but contradicts itself or a rule of its chain. `code` is `check.<rule>`. */
export class CheckError extends AssayError {
  constructor(rule: string, message: string, facts: Facts, hint?: string) {
    super(`check.${rule}`, message, { facts, hint })
  }
}
