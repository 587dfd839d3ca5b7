/** A broken transaction or header would be read, or refused without its field. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sign, TEST_KEY, unsigned } from '#tests/evm/sign.ts'
import { DecodeError } from './errors.ts'
import { decodeStandardHeader } from './header.ts'
import { bytesOf, type Hex, hexOf } from './hex.ts'
import { keccakHex } from './keccak.ts'
import { decodeTransaction } from './rawTransaction.ts'
import { type RlpItem, readRlp } from './rlp/reader.ts'
import { RlpWriter } from './rlp/writer.ts'

const writer = new RlpWriter()
type Nested = Hex | readonly Nested[]
const plain = (item: RlpItem): Nested => (item.items ? item.items.map(plain) : hexOf(item.bytes!))

function encoded(value: Nested): Buffer {
  const write = (each: Nested): void => {
    if (typeof each === 'string') {
      writer.hex(each)
      return
    }
    const end = writer.mark
    for (const item of each.toReversed()) write(item)
    writer.list(end)
  }
  writer.reset()
  write(value)
  return Buffer.from(writer.since(0))
}

/** The list with one of its items replaced, at any depth. */
function replaced(list: Nested, path: readonly number[], put: Nested): Nested {
  const [at, ...rest] = path
  if (at === undefined) return put
  assert.ok(typeof list !== 'string')
  return list.map((item, i) => (i === at ? replaced(item, rest, put) : item))
}
const itemAt = (list: Nested, path: readonly number[]): Nested =>
  path.reduce<Nested>((within, at) => (within as readonly Nested[])[at]!, list)

type Place = readonly [path: readonly number[], what: string]
const numbered = (names: string, from = 0): Place[] =>
  names.split(', ').flatMap((what, i): Place[] => (what === '-' ? [] : [[[from + i], what]]))

/** Holds that each field of the wrong kind is refused by its name. */
function holdFields(
  list: Nested,
  places: readonly Place[],
  decode: (bytes: Uint8Array) => unknown,
  prefix: Buffer,
) {
  const decoded = (value: Nested) => decode(Buffer.concat([prefix, encoded(value)]))
  for (const [path, what] of places) {
    const isList = typeof itemAt(list, path) !== 'string'
    assert.throws(
      () => decoded(replaced(list, path, isList ? '0x01' : [])),
      (thrown: unknown) => {
        assert.ok(thrown instanceof DecodeError, String(thrown))
        assert.ok(thrown.message.startsWith(`The ${what} is `), `${path}: ${thrown.message}, not of ${what}`)
        return true
      },
    )
  }
}

const LEGACY = 'nonce, gas price, gas limit, recipient, value, input, v, r, s'
const FEES = 'chain id, nonce, priority fee, fee cap, gas limit, recipient, value, input, access list'
const access = (at: number): Place[] => [
  [[at, 0], 'access list entry'],
  [[at, 0, 0], 'address'],
  [[at, 0, 1], 'storage keys'],
  [[at, 0, 1, 0], 'storage key'],
]
const accessList = [{ address: `0x${'44'.repeat(20)}` as Hex, storageKeys: [`0x${'55'.repeat(32)}` as Hex] }]
const fees = { maxFeePerGas: 9n, maxPriorityFeePerGas: 2n, accessList }
const authorization = {
  ...{ chainId: 1n, address: `0x${'66'.repeat(20)}` as Hex, nonce: 3n, yParity: 1n, r: 5n, s: 7n },
}
const SIGNED = [
  [unsigned('legacy', 0, { gasPrice: 5n }), numbered(LEGACY)],
  [
    unsigned('access_list', 1, { gasPrice: 5n, accessList }),
    [
      ...numbered('chain id, nonce, gas price, gas limit, recipient, value, input, access list, v, r, s'),
      ...access(7),
    ],
  ],
  [unsigned('dynamic_fee', 2, fees), [...numbered(`${FEES}, v, r, s`), ...access(8)]],
  [
    unsigned('blob', 3, {
      ...fees,
      maxFeePerBlobGas: 4n,
      blobVersionedHashes: [`0x01${'22'.repeat(31)}`],
    }),
    [...numbered(`${FEES}, blob fee cap, blob hashes, v, r, s`), [[10, 0], 'blob hash'] as const],
  ],
  [
    unsigned('set_code', 4, { ...fees, authorizations: [authorization] }),
    [
      ...numbered(`${FEES}, authorizations, v, r, s`),
      [[9, 0], 'authorization'] as const,
      ...numbered('chain id, address, nonce, parity, r, s').map(
        ([path, what]): Place => [[9, 0, ...path], what],
      ),
    ],
  ],
] as const

for (const [tx, places] of SIGNED)
  test(`each field of a transaction of type ${tx.type} is read, and refused by its name`, () => {
    const { body, raw } = sign(tx, TEST_KEY)
    const bytes = Buffer.from(bytesOf(raw))
    assert.deepEqual(decodeTransaction(bytes, writer), body)
    const prefix = bytes.subarray(0, tx.type === 0 ? 0 : 1)
    const list = plain(readRlp(bytes, prefix.length))
    const decode = (value: Uint8Array) => decodeTransaction(value, writer)
    holdFields(list, places, decode, prefix)
    assert.ok(typeof list !== 'string')
    const refused = (value: Nested, message: RegExp) =>
      assert.throws(() => decode(Buffer.concat([prefix, encoded(value)])), { message })
    refused(list.slice(0, -1), /^The transaction has \d+ items, not \d+/)
    refused([...list, '0x'], /^The transaction has \d+ items, not \d+/)
    // Nonce and gas fit in eight bytes, amounts in 32.
    for (const [path, what] of places) {
      const most = what === 'nonce' || what === 'gas limit' ? 8 : what === 'parity' ? 1 : 32
      if (!/^(nonce|gas|value|chain|priority|fee|blob fee|parity|[vrs]$)/.test(what)) continue
      refused(
        replaced(list, path, `0x01${'00'.repeat(most)}`),
        new RegExp(`^The ${what} is longer than ${most} bytes`),
      )
      refused(replaced(list, path, '0x0001'), new RegExp(`^The ${what} has leading zeros`))
    }
    for (const [path, what] of places)
      if (/^(recipient|address|storage key|blob hash)$/.test(what))
        refused(replaced(list, path, '0x010203'), new RegExp(`^The ${what} has 3 bytes, not `))
    const to = places.find(([, what]) => what === 'recipient')![0]
    const made = decode(Buffer.concat([prefix, encoded(replaced(list, to, '0x'))]))
    assert.equal(made.to, null)
  })

test('each field of a deposit is read, and refused by its name', () => {
  const list: Nested = [
    `0x${'aa'.repeat(32)}`,
    `0x${'bb'.repeat(20)}`,
    `0x${'cc'.repeat(20)}`,
    '0x05',
    '0x06',
    '0x07',
    '0x01',
    '0xdd',
  ]
  const prefix = Buffer.of(0x7e)
  const decode = (value: Nested) => decodeTransaction(Buffer.concat([prefix, encoded(value)]), writer)
  const { from, to, value, input, gasLimit, gasPrice, nonce, deposit, hash } = decode(list)
  assert.deepEqual(
    { from, to, value, input, gasLimit, gasPrice, nonce, deposit, hash },
    {
      from: `0x${'bb'.repeat(20)}`,
      to: `0x${'cc'.repeat(20)}`,
      value: 6n,
      input: '0xdd',
      gasLimit: 7n,
      gasPrice: 0n,
      nonce: 0n,
      deposit: { sourceHash: `0x${'aa'.repeat(32)}`, mint: 5n, isSystem: true },
      hash: keccakHex(Buffer.concat([prefix, encoded(list)])),
    },
  )
  assert.equal(decode(replaced(list, [6], '0x')).deposit?.isSystem, false)
  assert.throws(() => decode(replaced(list, [6], '0x02')), { message: /^The system flag is neither 0 nor 1/ })
  holdFields(
    list,
    numbered('source hash, sender, recipient, mint, value, gas limit, system flag, input'),
    bytes => decodeTransaction(bytes, writer),
    prefix,
  )
})

const HEADER =
  'parent hash, hash of uncles, miner, state root, transactions root, receipts root, logs bloom, difficulty, number, gas limit, gas used, time, extra data, mix hash, nonce, base fee, withdrawals root, blob gas used, excess blob gas, parent beacon block root, requests hash'
const hash = (digit: string): Hex => `0x${digit.repeat(64)}`
const WHOLE: readonly Hex[] = [
  ...[hash('1'), hash('2'), `0x${'33'.repeat(20)}` as Hex, hash('4'), hash('5'), hash('6')],
  ...([`0x${'77'.repeat(256)}`, '0x08', '0x09', '0x0a', '0x0b', '0x0c', '0x0d'] as Hex[]),
  ...[hash('e'), `0x${'ff'.repeat(8)}` as Hex, '0x10' as Hex, hash('7'), '0x12' as Hex, '0x13' as Hex],
  ...[hash('8'), hash('9')],
]

test('a header has the fields of its fork, each in its place', () => {
  const whole = decodeStandardHeader(encoded(WHOLE))
  const after = {
    baseFeePerGas: 0x10n,
    withdrawalsRoot: hash('7'),
    blobGasUsed: 0x12n,
    excessBlobGas: 0x13n,
    parentBeaconBlockRoot: hash('8'),
    requestsHash: hash('9'),
  }
  assert.deepEqual(whole, {
    form: 'standard',
    hash: keccakHex(encoded(WHOLE)),
    parentHash: hash('1'),
    sha3Uncles: hash('2'),
    miner: `0x${'33'.repeat(20)}`,
    stateRoot: hash('4'),
    transactionsRoot: hash('5'),
    receiptsRoot: hash('6'),
    logsBloom: `0x${'77'.repeat(256)}`,
    difficulty: 8n,
    number: 9,
    gasLimit: 10n,
    gasUsed: 11n,
    timeS: 12,
    extraData: '0x0d',
    mixHash: hash('e'),
    nonce: `0x${'ff'.repeat(8)}`,
    ...after,
  })
  for (const count of [15, 16, 17, 20, 21]) {
    const { hash: _, ...found } = decodeStandardHeader(encoded(WHOLE.slice(0, count)))
    const { hash: __, ...expected } = whole
    const gone = Object.fromEntries(Object.keys(after).map((name, i) => [name, 15 + i < count ? {} : null]))
    for (const [name, value] of Object.entries(gone))
      if (value === null) Object.assign(expected, { [name]: null })
    assert.deepEqual(found, expected, `${count} fields`)
  }
  for (const count of [14, 18, 19])
    assert.throws(() => decodeStandardHeader(encoded(WHOLE.slice(0, count))), {
      message: new RegExp(`^The header has ${count} items, not 15 or 16 or 17 or 20 or 21`),
    })
  assert.throws(() => decodeStandardHeader(encoded([...WHOLE, '0x'])), DecodeError)
})

test('each field of a header is refused by its name', () => {
  holdFields(WHOLE, numbered(HEADER), decodeStandardHeader, Buffer.alloc(0))
  const refused = (at: number, put: Hex, message: RegExp) =>
    assert.throws(() => decodeStandardHeader(encoded(replaced(WHOLE, [at], put))), { message })
  for (const [at, name, most] of [
    [8, 'number', 6],
    [9, 'gas limit', 8],
    [10, 'gas used', 8],
    [11, 'time', 6],
    [17, 'blob gas used', 8],
    [18, 'excess blob gas', 8],
    [7, 'difficulty', 32],
    [15, 'base fee', 32],
  ] as const) {
    refused(at, `0x01${'00'.repeat(most)}`, new RegExp(`^The ${name} is longer than ${most} bytes`))
    assert.doesNotThrow(() => decodeStandardHeader(encoded(replaced(WHOLE, [at], `0x${'01'.repeat(most)}`))))
  }
  for (const at of [0, 1, 2, 3, 4, 5, 6, 13, 14, 16, 19, 20]) refused(at, '0x01', / has 1 bytes, not \d+/)
})
