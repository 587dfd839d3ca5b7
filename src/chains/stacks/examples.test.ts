/** Documented answers of a Stacks node would not be understood. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bytesOfHex, stacksVectors } from '#tests/recordedStacks.ts'
import { skipWithoutShared } from '#tests/shared.ts'
import { openStacksCodec, parseInterface, parseMessage, reprOf } from './index.ts'
import { readInfo, readSortitions, readStackerSet, readTenureBlocks } from './node/nodeAnswers.ts'

const codec = openStacksCodec()
type Example = { readonly name: string; readonly response: Record<string, unknown> }
const exampleOf = (name: string): Record<string, unknown> => {
  const found = stacksVectors<Example>('node-api-examples').find(one => one.name === name)
  assert.ok(found, name)
  return found.response
}

test('answers of a node as its documentation shows them are read', skipWithoutShared, () => {
  assert.equal(readInfo(exampleOf('node-info')).burnHeight, 16)
  const [sortition] = readSortitions(exampleOf('get-sortitions'))
  assert.equal(sortition?.burnHeight, 902_499)
  assert.equal(readTenureBlocks(exampleOf('tenure-blocks')).blocks.length > 0, true)
  const { signers } = readStackerSet(exampleOf('get-stacker-set'))
  assert.equal(
    signers?.[0]?.signingKey,
    '0x02d0a27e4f1bf186b4391eecfcc4d4a0d403684ad089b477b8548a69dd6378bf26',
  )
  const { functions } = parseInterface(exampleOf('contract-interface'))
  assert.equal(functions.get('protocol-mint-many-iter')?.access, 'private')
  assert.equal(
    reprOf(codec.decodeValue(bytesOfHex(String(exampleOf('clarity-data').data)))),
    '(some (tuple (monster-id u1)))',
  )
  const { okay, result } = exampleOf('read-only-function-success')
  assert.equal(okay, true)
  assert.equal(reprOf(codec.decodeValue(bytesOfHex(String(result)))), 'u1')
  assert.equal(exampleOf('read-only-function-failure').okay, false)
  const { tx } = exampleOf('get-transaction')
  assert.equal(codec.decodeTransaction(bytesOfHex(String(tx))).chainId, 0x80000000)
})

test('interfaces of the main network are read whole', skipWithoutShared, () => {
  type Abi = {
    contract: string
    abi: { functions: unknown[]; fungible_tokens: unknown[]; non_fungible_tokens: unknown[] }
  }
  const recorded = stacksVectors<Abi>('contract-abis-mainnet')
  assert.equal(recorded.length, 8)
  for (const { contract, abi } of recorded) {
    const { functions, fungibleTokens, nonFungibleTokens } = parseInterface(abi)
    assert.deepEqual(
      [functions.size, fungibleTokens.length, nonFungibleTokens.length],
      [abi.functions.length, abi.fungible_tokens.length, abi.non_fungible_tokens.length],
      contract,
    )
  }
})

type Case = {
  readonly what: string
  readonly input: readonly { readonly path: string; readonly body: unknown }[]
  readonly expected: readonly {
    readonly call: string
    readonly args: Record<string, unknown>
    readonly field: string
    readonly expected: unknown
  }[]
}

test('names of BNS move as the published state says, whoever calls', skipWithoutShared, () => {
  let checked = 0
  for (const { what, input, expected } of stacksVectors<Case>('bns-events')) {
    // The other cases are the value of one print each.
    if (!Array.isArray(input)) continue
    /** Names as `name.namespace`, with who got them last and by which transaction. */
    const owners = new Map<string, { owner: string | null; txid: string }>()
    for (const { path, body } of input) {
      const message = parseMessage(path, JSON.stringify(body))
      if (message.kind !== 'block') continue
      for (const { txid, body: event } of [...message.block.events].sort((a, b) => a.index - b.index)) {
        if (event.kind !== 'transfer' || !event.asset?.endsWith('.bns::names') || event.tokenId === null)
          continue
        const token = codec.decodeValue(event.tokenId)
        assert.ok(token.type === 'tuple')
        const [name, space] = token.fields.map(({ value }) => {
          assert.ok(value.type === 'buffer')
          return Buffer.from(value.value).toString('latin1')
        })
        owners.set(`${name}.${space}`, { owner: event.recipient, txid })
      }
    }
    for (const { call, args, field, expected: value } of expected) {
      const held = call === 'getName' ? owners.get(String(args.name)) : undefined
      if (held === undefined) continue
      if (field === 'result.tx_id') assert.equal(held.txid, value, `${what}: ${args.name}`)
      else if (field === 'result.address') assert.equal(held.owner, value, `${what}: ${args.name}`)
      else continue
      checked += 1
    }
  }
  assert.equal(checked, 6)
})

test('prints of BNS have the published fields', skipWithoutShared, () => {
  const cases = stacksVectors<{ input: unknown; expected: Record<string, unknown> }>('bns-events').filter(
    ({ input }) => typeof input === 'string',
  )
  assert.equal(cases.length, 2)
  const texts = cases.map(({ input }) => reprOf(codec.decodeValue(bytesOfHex(String(input)))))
  const [, attachment] = cases
  const { hash, name, namespace, op } = attachment!.expected
  const hexOf = (text: unknown): string => `0x${Buffer.from(String(text)).toString('hex')}`
  for (const part of [
    `(hash 0x${hash})`,
    `(name ${hexOf(name)})`,
    `(namespace ${hexOf(namespace)})`,
    `(op "${op}")`,
  ])
    assert.ok(texts[1]!.includes(part), `${part} is not in ${texts[1]}`)
  assert.match(texts[0]!, /\(namespace 0x78797a\)/)
  assert.match(texts[0]!, /\(launched-at \(some u14\)\)/)
})
