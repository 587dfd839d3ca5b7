import { ADDRESS_VERSIONS, type HashMode } from '#kernel/stacks.ts'

/**
 * Version byte of the address that keys of a hash mode make. A segwit single key is wrapped in P2SH and so shares the byte of
 * multisig. Source: stacks-core `SinglesigSpendingCondition::address_mainnet` and its likes.
 */
export function signerVersion(hashMode: HashMode, isMainnet: boolean): number {
  if (hashMode === 'P2PKH') {
    return isMainnet ? ADDRESS_VERSIONS.mainnetSinglesig : ADDRESS_VERSIONS.testnetSinglesig
  }
  return isMainnet ? ADDRESS_VERSIONS.mainnetMultisig : ADDRESS_VERSIONS.testnetMultisig
}
