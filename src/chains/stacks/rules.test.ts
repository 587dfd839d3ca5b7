/** Input that Stacks allows would be refused, or input that it forbids accepted. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADDRESS_VERSIONS, CHAIN_IDS } from '#kernel/stacks.ts'
import {
  demandAnchorMode,
  demandHash160,
  demandIdentifier,
  demandMultisigKeys,
  demandNetworkName,
  demandPrivateKey,
  demandSignature,
  demandStringLength,
  demandUint,
  StacksInputError,
} from '#kernel/stacksRules.ts'
import { demandContractAddress, MEMO_BYTES, SIGNATURE_BYTES } from './index.ts'

/** Asserts that each is refused, with an error that people can be shown. */
function refuses<T>(demand: (given: T) => unknown, given: readonly T[], message?: string): void {
  for (const one of given) {
    assert.throws(
      () => demand(one),
      (error: unknown) =>
        error instanceof StacksInputError && (message === undefined || error.message === message),
      String(one),
    )
  }
}

test('the constants are those of the specification', () => {
  assert.deepEqual(CHAIN_IDS, { mainnet: 1, testnet: 2147483648 })
  assert.deepEqual(ADDRESS_VERSIONS, {
    mainnetSinglesig: 22,
    mainnetMultisig: 20,
    testnetSinglesig: 26,
    testnetMultisig: 21,
  })
  assert.deepEqual([MEMO_BYTES, SIGNATURE_BYTES], [34, 65])
})

test('an unsigned integer lies within 0 and 2^128 − 1', () => {
  assert.equal(demandUint('0'), 0n)
  assert.equal(demandUint('340282366920938463463374607431768211455'), 2n ** 128n - 1n)
  refuses(demandUint, [
    '340282366920938463463374607431768211456',
    '-1',
    '',
    '1.0',
    '0x1',
    ' 1',
    '9'.repeat(1000),
  ])
})

test('an identifier starts with a letter, has letters, digits and - _ ! ? + < > = / *, and is under 128 characters', () => {
  for (const good of ['a', 'Z9-_!?+<>=/*', 'a'.repeat(127)]) assert.equal(demandIdentifier(good), good)
  refuses(demandIdentifier, ['', '1a', '-a', '+', 'a b', 'ä', 'a.b', 'a\n', 'a'.repeat(128)])
})

test('a string has at most 128 bytes unless said otherwise', () => {
  assert.equal(demandStringLength('é'.repeat(64)), 'é'.repeat(64))
  refuses(demandStringLength, ['é'.repeat(65), 'a'.repeat(129)])
  assert.equal(demandStringLength('a'.repeat(129), 129).length, 129)
})

test('a signature is exactly 65 bytes', () => {
  assert.equal(demandSignature('0a'.repeat(65)).length, 130)
  refuses(
    demandSignature,
    ['', '0a'.repeat(64), '0a'.repeat(66), `${'0a'.repeat(64)}0g`],
    'Invalid signature',
  )
})

test('a multisig address has at most 15 public keys', () => {
  assert.equal(demandMultisigKeys(new Array(15).fill('')).length, 15)
  refuses(demandMultisigKeys, [new Array(16).fill('')])
})

test('a network has one of four names, and the text says which', () => {
  for (const name of ['mainnet', 'testnet', 'devnet', 'mocknet']) assert.equal(demandNetworkName(name), name)
  refuses(
    demandNetworkName,
    ['', 'Mainnet', 'regtest', 'constructor'],
    'Invalid network name provided. Must be one of the following: mainnet, testnet, devnet, mocknet',
  )
})

test('an anchor mode has one of three names', () => {
  for (const name of ['onChainOnly', 'offChainOnly', 'any']) assert.equal(demandAnchorMode(name), name)
  refuses(demandAnchorMode, ['', 'Any', 'onchainonly', '3'])
})

test('a contract address starts with S, is longer than 5 characters and has a valid checksum', () => {
  for (const good of ['SP000000000000000000002Q6VF78', 'SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4']) {
    assert.equal(demandContractAddress(good), good)
  }
  refuses(demandContractAddress, [
    '',
    'SP000',
    'XP000000000000000000002Q6VF78',
    'SP000000000000000000002Q6VF79',
    'SP00000000000000000002Q6VF78',
    'SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4.sbtc-token',
    'S'.repeat(10_000),
  ])
})

test('a hash160 is 40 hex characters, a private key 32 or 33 bytes', () => {
  assert.equal(demandHash160('aB'.repeat(20)), 'aB'.repeat(20))
  refuses(demandHash160, ['', 'ab'.repeat(19), 'ab'.repeat(21), 'zz'.repeat(20)])
  for (const length of [32, 33]) assert.equal(demandPrivateKey(new Uint8Array(length)).length, length)
  refuses(demandPrivateKey, [new Uint8Array(31), new Uint8Array(34), new Uint8Array(0)])
})
