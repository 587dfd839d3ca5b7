/** Hashes, addresses and contract addresses of EVM layers would be wrong. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pointFromScalar } from 'tiny-secp256k1'
import { recordedJson, recordedLines } from '#tests/recordedEvm.ts'
import { skipWithoutShared } from '#tests/shared.ts'
import { checksumAddress, create2Address, createAddress, parseAddress } from './address.ts'
import { bytesOf, type Hex, hexOf } from './hex.ts'
import { AddressError, DecodeError, openEvmCodec } from './index.ts'
import { keccak, keccakHex } from './keccak.ts'
import { type RlpItem, readRlp } from './rlp/reader.ts'
import { RlpWriter } from './rlp/writer.ts'
import { transactionHash, writeTransaction } from './serialize.ts'

const codec = openEvmCodec({ chainId: 1, headerForm: 'standard', checksumChainId: null })
const writer = new RlpWriter()
const addressOfKey = (key: Hex): Hex =>
  hexOf(keccak(pointFromScalar(bytesOf(key), false)!.subarray(1)).subarray(12))

test('keccak-256 is Ethereum’s, on all published vectors', skipWithoutShared, () => {
  for (const { data, keccak256 } of recordedJson('vectors-hashes.json.gz'))
    assert.equal(keccakHex(bytesOf(data)), keccak256)
})

test('RLP vectors encode and decode', skipWithoutShared, () => {
  type Nested = string | Nested[]
  const write = (value: Nested): void => {
    if (typeof value === 'string') {
      writer.hex(value)
      return
    }
    const end = writer.mark
    for (const item of value.toReversed()) write(item)
    writer.list(end)
  }
  const plain = (item: RlpItem): Nested => (item.items ? item.items.map(plain) : hexOf(item.bytes!))
  for (const { name, decoded, encoded } of recordedJson('vectors-rlp.json.gz')) {
    writer.reset()
    write(decoded)
    assert.equal(hexOf(writer.since(0)), encoded, name)
    assert.deepEqual(plain(readRlp(bytesOf(encoded))), decoded, name)
  }
})

test('bytes that are no RLP are refused with their place', () => {
  const refusals: [string, number, RegExp][] = [
    ['0x', 0, /end where an item should begin/],
    ['0x83aabb', 0, /states 3 bytes, 2 are left/],
    ['0x8101', 0, /prefix it must not have/],
    ['0xb801ff', 0, /not in its shortest form/],
    ['0xb90000', 0, /not in its shortest form/],
    ['0xc1', 0, /states 1 bytes, 0 are left/],
    ['0xc28201', 1, /states 2 bytes/],
    ['0x0102', 1, /1 bytes follow the end/],
    ['0xbfffffffffffffffff', 0, /are left/],
    [`0x${'c1'.repeat(60)}c0`, 33, /states 1 bytes|nest deeper/],
  ]
  for (const [hex, offset, words] of refusals)
    assert.throws(
      () => readRlp(bytesOf(hex)),
      (thrown: unknown) => {
        assert.ok(thrown instanceof DecodeError)
        assert.match(thrown.message, words, hex)
        if (!hex.startsWith('0xc1c1')) assert.equal(thrown.facts.offset, offset, hex)
        return true
      },
    )
})

const SIGNED = ['Legacy', 'Eip155', 'Berlin', 'London', 'Cancun'] as const

test(
  'signed transactions of all types decode to their fields and sender, and back to their bytes',
  skipWithoutShared,
  () => {
    let count = 0
    for (const vector of recordedJson('vectors-transactions.json.gz'))
      for (const kind of SIGNED) {
        const raw: Hex | '' | undefined = vector[`signed${kind}`]
        // The file leaves out what the fields cannot make.
        if (!raw) continue
        const tx = codec.decodeTransaction(bytesOf(raw))
        const { transaction, privateKey } = vector
        const signature = vector[`signature${kind}`]
        const name = `${vector.name} ${kind}`
        assert.equal(tx.from, addressOfKey(privateKey), name)
        assert.equal(tx.to, transaction.to?.toLowerCase() ?? null, name)
        assert.equal(tx.nonce, BigInt(transaction.nonce ?? 0), name)
        assert.equal(tx.value, BigInt(transaction.value ?? 0), name)
        assert.equal(tx.input, transaction.data?.toLowerCase() ?? '0x', name)
        assert.equal(tx.gasLimit, BigInt(transaction.gasLimit ?? 0), name)
        assert.deepEqual([tx.signature?.r, tx.signature?.s], [BigInt(signature.r), BigInt(signature.s)], name)
        if (kind === 'Berlin' || kind === 'London')
          assert.deepEqual(
            tx.accessList.map(({ address, storageKeys }) => [address, storageKeys]),
            (transaction.accessList ?? []).map((entry: { address: string; storageKeys: string[] }) => [
              entry.address.toLowerCase(),
              entry.storageKeys.map(key => key.toLowerCase()),
            ]),
            name,
          )
        if (kind === 'Cancun')
          assert.deepEqual(tx.blobVersionedHashes, transaction.blobVersionedHashes ?? [], name)
        assert.equal(hexOf(writeTransaction(tx, writer)!), raw, name)
        assert.equal(tx.hash, keccakHex(bytesOf(raw)), name)
        count += 1
      }
    assert.equal(count, 606)
  },
)

test(
  'OP Stack deposits, raw and as a node gives them, have their published hashes',
  skipWithoutShared,
  () => {
    const kinds = new Set<string>()
    for (const { raw, hash, fields, result } of recordedLines('op-stack-deposits.jsonl')) {
      if (raw !== undefined) {
        const tx = codec.decodeTransaction(bytesOf(raw))
        assert.equal(tx.hash, hash)
        assert.equal(tx.deposit?.sourceHash, fields.sourceHash)
        assert.equal(tx.deposit?.isSystem, fields.isSystemTx === '0x01')
        assert.equal(tx.gasLimit, BigInt(fields.gas))
        assert.equal(tx.input, fields.data)
        assert.equal(hexOf(writeTransaction(tx, writer)!), raw)
        kinds.add('raw')
      } else if (result.sourceHash !== undefined) {
        const tx = codec.readTransaction(result)
        assert.equal(transactionHash(tx, writer), result.hash)
        assert.equal(tx.kind, 'deposit')
        assert.equal(tx.nonce, BigInt(result.nonce))
        kinds.add('answer')
      } else {
        const { l1, depositNonce } = codec.readReceipt(result)
        assert.equal(l1?.feeWei, BigInt(result.l1Fee))
        assert.equal(l1?.gasUsed, BigInt(result.l1GasUsed))
        assert.equal(l1?.blobBaseFeeWei, BigInt(result.l1BlobBaseFee))
        assert.equal(l1?.operatorFeeConstant, 1n)
        assert.equal(depositNonce, BigInt(result.depositNonce))
        kinds.add('receipt')
      }
    }
    assert.deepEqual([...kinds].sort(), ['answer', 'raw', 'receipt'])
  },
)

test('checksums: EIP-55 and Rootstock’s, and a wrong letter is found', skipWithoutShared, () => {
  const { eip55, rskip60, invalid } = recordedJson('vectors-checksum.json')
  for (const address of eip55) assert.equal(checksumAddress(address), address)
  for (const chainId of [30, 31])
    for (const address of rskip60[chainId]) {
      assert.equal(checksumAddress(address, chainId), address)
      assert.equal(parseAddress(address, chainId), address.toLowerCase())
    }
  // Valid in Rootstock's form only where Rootstock is meant; EIP-55 is taken everywhere.
  assert.throws(() => parseAddress(rskip60[30][0]), AddressError)
  assert.equal(parseAddress(eip55[0], 30), eip55[0].toLowerCase())
  // The last one is EIP-55 as it stands: on a chain that states no id of its own it is right.
  for (const address of invalid[1234].filter((one: string) => !eip55.includes(one)))
    assert.throws(() => parseAddress(address), { code: 'address.checksum' }, address)
  assert.throws(() => parseAddress('0x12'), { code: 'address.form' })
  assert.equal(parseAddress(`0x${'AB'.repeat(20)}`), `0x${'ab'.repeat(20)}`)
  for (const { address } of recordedJson('vectors-accounts.json.gz'))
    assert.equal(checksumAddress(address.toLowerCase()), address)
})

test('contracts get their addresses by CREATE and CREATE2', skipWithoutShared, () => {
  for (const { sender, creates } of recordedJson('vectors-create.json.gz'))
    for (const { nonce, address } of creates)
      assert.equal(checksumAddress(createAddress(sender, BigInt(nonce))), address)
  for (const { sender, creates } of recordedJson('vectors-create2.json.gz'))
    for (const { salt, initCodeHash, address } of creates)
      assert.equal(checksumAddress(create2Address(sender, salt, initCodeHash)), address)
})
