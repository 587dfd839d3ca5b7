import type { HashMode } from '#kernel/stacks.ts'
import { demandMultisigKeys, StacksInputError } from '#kernel/stacksRules.ts'
import { hash160, sha256 } from '../hash.ts'
import { encodeAddress } from './c32.ts'
import { signerVersion } from './signer.ts'

const OP_0 = 0x00
const OP_1 = 0x51
const OP_CHECKMULTISIG = 0xae

/**
 * Address that public keys make, in the order given, when `signaturesRequired` of them must sign. Errors: `StacksInputError` for more
 * than 15 keys, for a number of signatures that they cannot give, and for several keys in a mode of one. Source: SIP-005, stacks-core
 * `StacksAddress::from_public_keys`.
 */
export function addressOfKeys(
  keys: readonly Uint8Array[],
  signaturesRequired: number,
  hashMode: HashMode,
  isMainnet: boolean,
): string {
  demandMultisigKeys(keys)
  const [first] = keys
  const isSingle = hashMode === 'P2PKH' || hashMode === 'P2WPKH'
  const isPossible = Number.isInteger(signaturesRequired) && signaturesRequired >= 1
  if (
    first === undefined ||
    !isPossible ||
    signaturesRequired > keys.length ||
    (isSingle && keys.length > 1)
  ) {
    throw new StacksInputError(
      'multisig',
      `${signaturesRequired} of ${keys.length} keys make no ${hashMode} address.`,
      keys.length,
    )
  }
  return encodeAddress(
    signerVersion(hashMode, isMainnet),
    keysHash(keys, first, signaturesRequired, hashMode),
  )
}

function keysHash(
  keys: readonly Uint8Array[],
  first: Uint8Array,
  signaturesRequired: number,
  hashMode: HashMode,
): Uint8Array {
  switch (hashMode) {
    case 'P2PKH':
      return hash160(first)
    case 'P2WPKH':
      return hash160(witnessProgram(hash160(first)))
    case 'P2SH':
    case 'P2SHNonSequential':
      return hash160(multisigScript(keys, signaturesRequired))
    case 'P2WSH':
    case 'P2WSHNonSequential':
      return hash160(witnessProgram(sha256(multisigScript(keys, signaturesRequired))))
  }
}

const witnessProgram = (hash: Uint8Array): Buffer => Buffer.concat([Buffer.of(OP_0, hash.length), hash])

const multisigScript = (keys: readonly Uint8Array[], signaturesRequired: number): Buffer =>
  Buffer.concat([
    Buffer.of(OP_1 + signaturesRequired - 1),
    ...keys.flatMap(key => [Buffer.of(key.length), key]),
    Buffer.of(OP_1 + keys.length - 1, OP_CHECKMULTISIG),
  ])
