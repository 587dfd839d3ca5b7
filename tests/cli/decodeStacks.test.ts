/** Stacks transactions could not be decoded on the command line. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { encodeValue } from '#chains/stacks/index.ts'
import { encodeTransaction, TRANSFER } from '../encodeStacks.ts'
import { type StacksVector, stacksVectors } from '../recordedStacks.ts'
import { skipWithoutShared } from '../shared.ts'
import { runAssay, temporaryHome } from './runAssay.ts'

const BYTES = encodeTransaction(TRANSFER)
const HEX = BYTES.toString('hex')
const FIELDS = [
  'txid',
  'version',
  'chainId',
  'authType',
  'hashMode',
  'sender',
  'sponsor',
  'nonce',
  'feeUstx',
  'anchorMode',
  'postConditionMode',
  'postConditions',
  'payload',
  'says',
]

/** What a line can hold: a transaction, a value or an error. */
type Line = {
  readonly txid: string
  readonly authType: string
  readonly anchorMode: string
  readonly postConditionMode: string
  readonly nonce: unknown
  readonly payload: { readonly kind: string; readonly amountUstx?: unknown }
  readonly repr: string
  readonly error: string
  readonly offset: number
}

async function decode(args: readonly string[], input = ''): Promise<{ code: number | null; lines: Line[] }> {
  const { code, out } = await runAssay(['decode', 'stacks', ...args], {}, input)
  return {
    code,
    lines: out
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line)),
  }
}

test('hex, with or without 0x, and a file of bytes give the same object with the fields in their order', async () => {
  await using home = await temporaryHome()
  const file = join(home.path, 'tx.bin')
  await writeFile(file, BYTES)
  const { code, lines } = await decode([HEX, `0x${HEX.toUpperCase()}`, file])
  assert.equal(code, 0)
  assert.deepEqual(Object.keys(lines[0]!), FIELDS)
  assert.deepEqual(lines[1], lines[0])
  assert.deepEqual(lines[2], lines[0])
  assert.deepEqual(lines[0]!.payload, {
    kind: 'token_transfer',
    recipient: 'SP000000000000000000002Q6VF78',
    amountUstx: 1_000_000,
    memo: '00'.repeat(34),
    memoText: '',
  })
})

test('with -, each line of standard input is one input; a bad one tells where, the others are decoded, the end is 1', async () => {
  const { code, lines } = await decode(['-'], `${HEX}\n\n${HEX.slice(0, 20)}\r\nnonsense\n${HEX}00\n${HEX}`)
  assert.equal(code, 1)
  assert.deepEqual(
    lines.map(line => ('error' in line ? line.offset : 'decoded')),
    ['decoded', 6, 0, 180, 'decoded'],
  )
  assert.match(lines[1]!.error!, /^line 3: The bytes end inside the spending condition/)
})

test('a file of hex lines is read like standard input, and a missing one is told', async () => {
  await using home = await temporaryHome()
  const file = join(home.path, 'txs.hex')
  await writeFile(file, `0x${HEX}\n${HEX}\n`)
  const { code, lines } = await decode([file, join(home.path, 'absent')])
  assert.equal(code, 1)
  assert.equal(lines.length, 3)
  assert.match(lines[2]!.error!, /no hex and no file here/)
})

test('integers beyond 2^53 are decimal text, those up to it numbers', async () => {
  const amount = async (amountUstx: bigint, nonce: bigint) => {
    const bytes = encodeTransaction({
      ...TRANSFER,
      auth: { ...TRANSFER.auth, origin: { ...TRANSFER.auth.origin, nonce } },
      payload: { ...TRANSFER.payload, amountUstx } as never,
    })
    const { lines } = await decode([bytes.toString('hex')])
    return [lines[0]!.payload.amountUstx, lines[0]!.nonce]
  }
  assert.deepEqual(await amount(2n ** 53n - 1n, 0n), [9007199254740991, 0])
  assert.deepEqual(await amount(2n ** 64n - 1n, 2n ** 53n), ['18446744073709551615', '9007199254740992'])
})

test('--value gives type and readable text, up to the ends of what can be', async () => {
  const most = encodeValue({ type: 'uint', value: 2n ** 128n - 1n }).toString('hex')
  const deep = (levels: number) => `${'0a'.repeat(levels - 1)}03`
  const { code, lines } = await decode(['--value', most, deep(32), deep(33), '09'])
  assert.equal(code, 1)
  assert.deepEqual(lines[0], { type: 'uint', repr: 'u340282366920938463463374607431768211455' })
  assert.equal(lines[1]!.repr, `${'(some '.repeat(31)}true${')'.repeat(31)}`)
  assert.deepEqual(Object.keys(lines[2]!), ['error', 'offset'])
  assert.equal(lines[2]!.offset, 32)
  assert.deepEqual(lines[3], { type: '(optional UnknownType)', repr: 'none' })
})

test(
  'recorded transactions of every kind print their published ids, and names of the vocabulary',
  skipWithoutShared,
  async () => {
    const vectors = [
      'tx-mainnet-decoded',
      'tx-devnet-nakamoto-decoded',
      'tx-decode-fixtures',
      'tx-mainnet-version-misc',
    ].flatMap(name => stacksVectors<StacksVector<{ tx_id: string }>>(name))
    const { code, lines } = await decode(['-'], vectors.map(({ input }) => input).join('\n'))
    assert.equal(code, 0)
    assert.deepEqual(
      lines.map(line => `0x${line.txid}`),
      vectors.map(({ expected }) => expected.tx_id),
    )
    const seen = (name: 'authType' | 'anchorMode' | 'postConditionMode') =>
      [...new Set(lines.map(line => line[name]))].sort()
    assert.deepEqual(seen('authType'), ['Sponsored', 'Standard'])
    assert.deepEqual(seen('anchorMode'), ['any', 'onChainOnly'])
    assert.deepEqual(seen('postConditionMode'), ['Allow', 'Deny'])
    assert.deepEqual([...new Set(lines.map(line => line.payload.kind))].sort(), [
      'coinbase',
      'coinbase_to_alt_recipient',
      'contract_call',
      'nakamoto_coinbase',
      'poison_microblock',
      'smart_contract',
      'tenure_change',
      'token_transfer',
      'versioned_smart_contract',
    ])
    assert.doesNotMatch(JSON.stringify(lines.map(({ payload, ...rest }) => rest)), /"0x/)
  },
)

test('recorded arguments of calls print their published types and texts', skipWithoutShared, async () => {
  const args = stacksVectors<StacksVector<{ hex: string; type: string; repr: string }[]>>(
    'clarity-call-args-mainnet',
  ).flatMap(({ expected }) => expected)
  const { code, lines } = await decode(['--value', '-'], args.map(({ hex }) => hex).join('\n'))
  assert.equal(code, 0)
  assert.deepEqual(
    lines,
    args.map(({ type, repr }) => ({ type, repr })),
  )
})
