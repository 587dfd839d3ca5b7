import { HASH160_BYTES } from '../constants.ts'
import { type Reader, readU8, refusal, take, unknownKind } from '../reader.ts'
import { readPrincipalContractName } from './names.ts'
import { TYPE_PREFIX } from './value.ts'

/** Versions are five bits: one base-32 character. */
const MOST_VERSION = 31

/** Version byte and hash, as text. */
export function readAddress(r: Reader, what: string): string {
  const at = take(r, 1 + HASH160_BYTES, what)
  const version = r.bytes[at]!
  if (version > MOST_VERSION) {
    throw refusal(
      'unknown_kind',
      `The address version ${version} of the ${what} has no text form`,
      what,
      at,
      {
        got: version,
        expected: `at most ${MOST_VERSION}`,
      },
    )
  }
  return r.addressText(version, r.bytes, at + 1)
}

/** Address, dot and name of a contract principal behind its type byte. */
export function readContractPrincipal(r: Reader, what: string): string {
  const address = readAddress(r, what)
  return `${address}.${readPrincipalContractName(r, 'contract name')}`
}

/** A principal with its type byte, as text. */
export function readPrincipal(r: Reader, what: string): string {
  const at = r.pos
  const prefix = readU8(r, what)
  if (prefix === TYPE_PREFIX.standardPrincipal) return readAddress(r, what)
  if (prefix === TYPE_PREFIX.contractPrincipal) return readContractPrincipal(r, what)
  throw unknownKind(`principal type of the ${what}`, prefix, at, '5 or 6')
}
