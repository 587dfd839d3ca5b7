/** Stacks transactions would be read differently than the network publishes them. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { encodeNakamotoBlock, encodeTransaction } from '#tests/encodeStacks.ts'
import { publicForm, publicPostCondition, publicValue } from '#tests/publicStacksForm.ts'
import { bytesOfHex, type StacksVector, stacksVectors } from '#tests/recordedStacks.ts'
import { shared, skipWithoutShared } from '#tests/shared.ts'
import {
  addressOfKeys,
  bitcoinAddressOf,
  bitcoinTwinOf,
  blockIdOf,
  type ClarityValue,
  checkNakamotoBlock,
  decodeAddress,
  encodeAddress,
  encodeValue,
  memoText,
  openStacksCodec,
  poxAddressOf,
  reprOf,
  typeOf,
} from './index.ts'

const codec = openStacksCodec()

test(
  'transactions decode to every field that the public codec answers, and back to their bytes',
  skipWithoutShared,
  () => {
    const counts: Record<string, number> = {}
    const kinds = new Set<string>()
    for (const name of [
      'tx-mainnet-decoded',
      'tx-devnet-nakamoto-decoded',
      'tx-decode-fixtures',
      'tx-mainnet-version-misc',
    ]) {
      const vectors = stacksVectors<StacksVector<Record<string, unknown>>>(name)
      counts[name] = vectors.length
      for (const { input, expected, node } of vectors) {
        const bytes = bytesOfHex(input)
        const tx = codec.decodeTransaction(bytes)
        assert.deepEqual(publicForm(tx), expected)
        assert.deepEqual(encodeTransaction(tx), bytes)
        kinds.add(tx.payload.kind)
        if (node?.raw_result === undefined) continue
        const result = bytesOfHex(node.raw_result)
        assert.deepEqual(encodeValue(codec.decodeValue(result)), result)
      }
    }
    assert.deepEqual(counts, {
      'tx-mainnet-decoded': 191,
      'tx-devnet-nakamoto-decoded': 33,
      'tx-decode-fixtures': 17,
      'tx-mainnet-version-misc': 37,
    })
    assert.equal(kinds.size, 9, 'every kind of payload occurs')
  },
)

test('arguments of main-network calls have the published text, type and bytes', skipWithoutShared, () => {
  type Expected = { repr: string; hex: string; type_id: number; type: string }[]
  const vectors = stacksVectors<StacksVector<Expected>>('clarity-call-args-mainnet')
  assert.equal(vectors.length, 202)
  for (const { input, expected } of vectors) {
    const values = codec.decodeValues(bytesOfHex(input))
    assert.deepEqual(
      values.map(value => ({ ...publicValue(value), type: typeOf(value) })),
      expected,
    )
  }
})

test('post-conditions of the main network have the published fields', skipWithoutShared, () => {
  type Expected = { post_condition_mode: number; post_conditions: unknown[] }
  const vectors = stacksVectors<StacksVector<Expected>>('post-conditions-mainnet')
  assert.equal(vectors.length, 220)
  for (const { input, expected } of vectors) {
    const bytes = bytesOfHex(input)
    assert.deepEqual(
      codec.decodePostConditions(bytes.subarray(1)).map(publicPostCondition),
      expected.post_conditions,
    )
    assert.equal(bytes[0], expected.post_condition_mode)
  }
})

test(
  'values, lists of values, memos, addresses of other fixtures meet their answers',
  skipWithoutShared,
  () => {
    type Fixture = { what: string; input: [string | number, string]; expected: unknown }
    const byKind: Readonly<Record<string, (input: Fixture['input'], expected: never) => void>> = {
      decodeClarityValueList([hex], expected) {
        if (hex === '0x' || hex === '0x0000') {
          // The public codec takes nothing, or half a count, for no values. On the wire a list begins with its count, and the node refuses bytes
          // without one (stacks-core `read_next_vec`): so do we.
          assert.throws(() => codec.decodeValues(bytesOfHex(hex)), { code: 'decode.short' })
          return
        }
        assert.deepEqual(codec.decodeValues(bytesOfHex(hex as string)).map(publicValue), expected)
      },
      decodeClarityValue([hex], expected: { repr?: string; __partial?: { contract_name: string } }) {
        const bytes = bytesOfHex(hex as string)
        const value = codec.decodeValue(bytes)
        if (expected.__partial !== undefined)
          assert.match(reprOf(value), new RegExp(`\\.${expected.__partial.contract_name}$`))
        else assert.equal(reprOf(value), expected.repr)
        assert.deepEqual(encodeValue(value), bytes)
      },
      decodeClarityValueToRepr: ([hex], expected) =>
        assert.equal(reprOf(codec.decodeValue(bytesOfHex(hex as string))), expected),
      decodeClarityValueToPrincipal: ([hex], expected) =>
        assert.equal(codec.decodePrincipal(bytesOfHex(hex as string)), expected),
      memoToString: ([hex], expected) => assert.equal(memoText(bytesOfHex(hex as string)), expected),
      stacksAddressFromParts: ([version, hex], expected) =>
        assert.equal(encodeAddress(version as number, bytesOfHex(hex)), expected),
      decodePostConditions: ([hex], expected: { post_conditions: unknown[] }) =>
        assert.deepEqual(
          codec.decodePostConditions(bytesOfHex(hex as string).subarray(1)).map(publicPostCondition),
          expected.post_conditions,
        ),
    }
    const fixtures = stacksVectors<Fixture>('clarity-and-misc-fixtures')
    assert.equal(fixtures.length, 19)
    for (const { what, input, expected } of fixtures) byKind[what]!(input, expected as never)
  },
)

test(
  'addresses seen on the main network have the version and hash that two programs agree on',
  skipWithoutShared,
  () => {
    type Expected = { version: number; hash160: string; bitcoin: string }
    const vectors = stacksVectors<StacksVector<Expected>>('addresses-mainnet')
    assert.equal(vectors.length, 180)
    for (const { input, expected } of vectors) {
      const { version, hash160 } = decodeAddress(input)
      assert.deepEqual([version, Buffer.from(hash160).toString('hex')], [expected.version, expected.hash160])
      assert.equal(encodeAddress(version, hash160), input)
      assert.equal(bitcoinTwinOf(input), expected.bitcoin)
    }
  },
)

test('Bitcoin addresses become the published PoX addresses, and back', skipWithoutShared, () => {
  type Expected = {
    format: string
    hashbytes: string
    pox_version?: number
    network?: string
    bitcoin?: string
  }
  const vectors = stacksVectors<StacksVector<Expected>>('pox-and-btc-addresses')
  assert.equal(vectors.length, 29)
  for (const { input, expected } of vectors) {
    if (expected.bitcoin !== undefined) {
      assert.equal(bitcoinTwinOf(input), expected.bitcoin)
      continue
    }
    const network = expected.network === 'testnet' ? 'testnet3' : 'mainnet'
    const pox = poxAddressOf(input, network)
    assert.equal(Buffer.from(pox.hashBytes).toString('hex'), expected.hashbytes)
    if (expected.pox_version !== undefined) assert.equal(pox.version, expected.pox_version)
    assert.equal(bitcoinAddressOf(pox, network), input)
  }
})

test(
  'Nakamoto blocks and tenures have their published headers, hashes and merkle roots',
  skipWithoutShared,
  () => {
    type Expected = Record<string, unknown>
    type Vector = { input: string; expected?: Expected; expected_first_block?: Expected }
    const blockCounts: number[] = []
    for (const { input, expected, expected_first_block } of stacksVectors<Vector>('nakamoto-blocks')) {
      const bytes = bytesOfHex(input)
      const blocks = codec.decodeTenure(bytes)
      blockCounts.push(blocks.length)
      for (const block of blocks) checkNakamotoBlock(block)
      // Newest first: each block follows the next one.
      blocks.slice(1).forEach(({ header }, i) => {
        assert.equal(blocks[i]!.header.parentBlockId, header.blockId)
      })
      assert.deepEqual(Buffer.concat(blocks.map(encodeNakamotoBlock)), bytes)
      const { header, transactions } = blocks[0]!
      const hex = (value: Uint8Array | undefined) => `0x${Buffer.from(value ?? []).toString('hex')}`
      const published = expected ?? expected_first_block!
      const got = {
        version: header.version,
        chain_length: Number(header.chainLength),
        burn_spent: Number(header.burnSpent),
        consensus_hash: `0x${header.consensusHash}`,
        parent_block_id: `0x${header.parentBlockId}`,
        tx_merkle_root: `0x${header.txMerkleRoot}`,
        state_index_root: `0x${header.stateIndexRoot}`,
        timestamp: Number(header.timeS),
        miner_signature: hex(header.minerSignature),
        signer_signature_count: header.signerSignatures.length,
        signer_signature_first: hex(header.signerSignatures[0]),
        signer_signature_last: hex(header.signerSignatures.at(-1)),
        pox_treatment_bits: header.poxTreatment.length,
        pox_treatment_bytes: header.poxTreatment.bytes.length,
        block_hash: `0x${header.blockHash}`,
        index_block_hash: `0x${header.blockId}`,
        tx_count: transactions.length,
      }
      assert.deepEqual(
        'txids' in published ? { ...got, txids: transactions.map(tx => `0x${tx.txid}`) } : got,
        published,
      )
    }
    assert.deepEqual(blockCounts, [1, 23, 1])
  },
)

test(
  'the ids of a whole main-network tenure follow from block hash and consensus hash',
  skipWithoutShared,
  () => {
    type Tenure = { consensus_hash: string; stacks_blocks: { block_id: string; block_hash: string }[] }
    const path = shared('data/stacks/vectors/mainnet-tenure-900000.json')
    const tenure: Tenure = JSON.parse(readFileSync(path, 'utf8'))
    assert.equal(tenure.stacks_blocks.length, 39)
    for (const { block_id, block_hash } of tenure.stacks_blocks) {
      assert.equal(blockIdOf(block_hash, tenure.consensus_hash), block_id)
    }
  },
)

test('a public key makes its published addresses, and a signed structure its hash', skipWithoutShared, () => {
  type Case = { what: string; input: unknown; expected: unknown }
  const cases = stacksVectors<Case>('signatures-and-messages')
  const key = cases.find(one => one.what === 'address from public key')!
  const bytes = bytesOfHex((key.input as { publicKey: string }).publicKey)
  assert.deepEqual(
    { mainnet: addressOfKeys([bytes], 1, 'P2PKH', true), testnet: addressOfKeys([bytes], 1, 'P2PKH', false) },
    key.expected,
  )
  const values: Readonly<Record<string, ClarityValue>> = {
    '(string-ascii) Hello World': { type: 'string-ascii', value: 'Hello World' },
    '(string-ascii) empty': { type: 'string-ascii', value: '' },
    '(tuple (name "Test App") (version "1.0.0") (chain-id u1))': {
      type: 'tuple',
      fields: [
        { name: 'name', value: { type: 'string-ascii', value: 'Test App' } },
        { name: 'version', value: { type: 'string-ascii', value: '1.0.0' } },
        { name: 'chain-id', value: { type: 'uint', value: 1n } },
      ],
    },
  }
  const hashed = cases.filter(one => one.what.startsWith('SIP-018 structured data hash'))
  assert.equal(hashed.length, 3)
  for (const { input, expected } of hashed) {
    assert.equal(hash('sha256', encodeValue(values[input as string]!), 'hex'), expected)
  }
})
