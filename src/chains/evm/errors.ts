import { AssayError, type Facts } from '#kernel/errors.ts'

/** Why an answer, or bytes, are nothing that this codec knows. */
export type DecodeReason =
  | 'json'
  | 'missing'
  | 'type'
  | 'hex'
  | 'length'
  | 'range'
  | 'short'
  | 'trailing'
  | 'shortest_form'
  | 'too_deep'
  | 'list'
  | 'signature'
  | 'abi'

export type DecodeFacts = Facts & {
  /** Field of a JSON answer: `transactions.3.value`; '' for the whole, undefined for bytes. */
  readonly path?: string
  /** Place in bytes; undefined for JSON. */
  readonly offset?: number
}

/** Input that does not decode. `code` is `decode.<reason>`; `facts` hold `path` for JSON and `offset` for bytes. */
export class DecodeError extends AssayError {
  declare readonly facts: DecodeFacts
  readonly #what: string

  constructor(reason: DecodeReason, what: string, facts: DecodeFacts) {
    super(`decode.${reason}`, sentence(what, facts), { facts })
    this.#what = what
  }

  /** The same error seen from a level above: `prefix` is the field that held what did not decode. */
  within(prefix: string): DecodeError {
    const { path, ...rest } = this.facts
    const reason = this.code.slice('decode.'.length) as DecodeReason
    return new DecodeError(reason, this.#what, { ...rest, path: path ? `${prefix}.${path}` : prefix })
  }
}

function sentence(what: string, { path, offset }: DecodeFacts): string {
  if (path) return `${path}: ${what}.`
  return offset === undefined ? `${what}.` : `${what}, at byte ${offset}.`
}

/** Names the field around whatever `read` finds wrong; costs nothing while all is well. */
export function inField<T>(name: string | number, read: () => T): T {
  try {
    return read()
  } catch (thrown) {
    throw thrown instanceof DecodeError ? thrown.within(String(name)) : thrown
  }
}

/** An answer that decodes but contradicts itself or the rules of the chain. `code` is `check.<rule>`. */
export class CheckError extends AssayError {
  constructor(rule: string, message: string, facts: Facts, hint?: string) {
    super(`check.${rule}`, message, { facts, hint })
  }
}

/** Text that is no address of the chain asked for. `code` is `address.<reason>`. */
export class AddressError extends AssayError {
  constructor(reason: string, message: string, facts: Facts, hint?: string) {
    super(`address.${reason}`, message, { facts, hint })
  }
}

/** A signature that cannot be parsed, or a catalogue entry that is none. `code` is `abi.<reason>`. */
export class AbiError extends AssayError {
  constructor(reason: string, message: string, facts: Facts) {
    super(`abi.${reason}`, message, { facts })
  }
}
