/** Events of Stacks contracts would be read under the wrong name or with the wrong fields. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { bytesOfHex, recordedMessages } from '#tests/recordedStacks.ts'
import { shared, skipWithoutShared } from '#tests/shared.ts'
import listed from '../../../../catalog/stacks/prints.json' with { type: 'json' }
import {
  type ClarityValue,
  nameArguments,
  openStacksCodec,
  type PrintShape,
  parseInterface,
  parsePrintCatalogue,
  parsePrints,
  parseType,
  recognisePrint,
  reprOf,
  typeText,
} from '../index.ts'

const codec = openStacksCodec()
const catalogue = parsePrintCatalogue(listed)
/** Shapes of a contract in the catalogue; none where it is not in it. */
const printsOf = (contract: string): readonly PrintShape[] => catalogue.get(contract) ?? []

test('types are read in every notation and written in one', () => {
  for (const text of [
    'uint',
    '(list 128 (buff 33))',
    '(tuple (a (optional (string-utf8 12))) (b (response bool int)))',
    '(optional ?)',
  ]) {
    assert.equal(typeText(parseType(text)), text)
  }
  assert.equal(
    typeText(parseType('{a: uint, b: {c: principal}}')),
    '(tuple (a uint) (b (tuple (c principal))))',
  )
  assert.equal(typeText(parseType('<sip-010-trait>')), 'trait_reference')
  for (const wrong of [
    '',
    'uintt',
    '(list uint)',
    '(buff -1)',
    '{a uint}',
    '(optional uint',
    'uint)',
    '('.repeat(10_000),
  ]) {
    assert.throws(() => parseType(wrong), { code: 'clarity.type' })
  }
})

test('every shape in the catalogue is a type, and every contract has its shapes', () => {
  const shapes = [...catalogue.values()].flat()
  assert.deepEqual([catalogue.size, shapes.length], [415, 1897])
})

test(
  'prints of two recorded main-network transactions are recognised by the shapes of their contracts',
  skipWithoutShared,
  () => {
    type Logged = { contract_log?: { contract_id: string; value: { hex: string; repr: string } } }
    const topics = new Map<string | null, string>()
    let count = 0
    for (const file of globSync('tx-*.json', { cwd: shared('facts/clarity/examples') })) {
      const { events }: { events: Logged[] } = JSON.parse(
        readFileSync(shared(`facts/clarity/examples/${file}`), 'utf8'),
      )
      for (const { contract_log: log } of events) {
        if (log === undefined) continue
        const value = codec.decodeValue(bytesOfHex(log.value.hex))
        assert.equal(reprOf(value), log.value.repr)
        const shapes = printsOf(log.contract_id)
        if (shapes.length === 0) continue
        const print = recognisePrint(value, shapes)
        assert.ok(print !== null, `${log.contract_id} ${log.value.repr}`)
        topics.set(print.topic, log.contract_id)
        count += 1
      }
    }
    assert.equal(count, 23)
    const pool = 'SP102V8P0F7JX67ARQ77WEA3D3CFB5XW39REDT0AM.amm-pool-v2-01'
    assert.deepEqual([topics.get('swap-x-for-y'), topics.get('swap-y-for-x')], [pool, pool])
  },
)

test(
  'what the sBTC registry prints in a recording is told apart by its fixed texts',
  skipWithoutShared,
  () => {
    const shapes = printsOf('SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4.sbtc-registry')
    const seen = new Map<string, readonly string[]>()
    for (const [, { events = [] }] of recordedMessages('regtest-sbtc-new_block.jsonl')) {
      for (const { contract_event: event } of events) {
        if (!event?.contract_identifier.endsWith('.sbtc-registry')) continue
        const print = recognisePrint(codec.decodeValue(bytesOfHex(event.raw_value)), shapes)
        if (print?.topic) seen.set(print.topic, print.functionNames)
      }
    }
    assert.deepEqual(seen.get('completed-deposit'), ['complete-deposit'])
    assert.deepEqual(seen.get('withdrawal-create'), ['create-withdrawal-request'])
  },
)

test('of shapes that fit, those with the most fixed texts are meant; none is a null', () => {
  const shapes = parsePrints([
    { in: 'any', shape: '{a: ?, n: uint}' },
    { in: 'buy', shape: '{a: (string-ascii 8), n: uint}', literals: { a: 'buy' } },
    { in: 'buy-more', shape: '{a: (string-ascii 8), n: uint}', literals: { a: 'buy' } },
    { in: 'bare', shape: '(string-ascii 5)', literals: { value: 'hello' } },
  ])
  const tuple = (a: string): ClarityValue => ({
    type: 'tuple',
    fields: [
      { name: 'a', value: { type: 'string-ascii', value: a } },
      { name: 'n', value: { type: 'uint', value: 1n } },
    ],
  })
  assert.deepEqual(recognisePrint(tuple('buy'), shapes), {
    topic: 'buy',
    functionNames: ['buy', 'buy-more'],
    fields: [{ name: 'n', value: { type: 'uint', value: 1n } }],
  })
  assert.deepEqual(recognisePrint(tuple('sell'), shapes)?.functionNames, ['any'])
  assert.equal(recognisePrint({ type: 'string-ascii', value: 'hello' }, shapes)?.topic, 'hello')
  assert.equal(recognisePrint({ type: 'string-ascii', value: 'other' }, shapes), null)
})

test('arguments have the names of the interface, and keep their values where it has none', () => {
  const known = parseInterface({
    functions: [
      {
        name: 'transfer',
        access: 'public',
        args: [
          { name: 'amount', type: 'uint128' },
          { name: 'memo', type: { optional: { buffer: { length: 34 } } } },
        ],
        outputs: { type: { response: { ok: 'bool', error: 'uint128' } } },
      },
    ],
    fungible_tokens: [{ name: 'gold' }],
    non_fungible_tokens: [{ name: 'ape', type: 'uint128' }],
  })
  const value: ClarityValue = { type: 'uint', value: 5n }
  const named = (name: string, count: number) =>
    nameArguments(known, name, new Array(count).fill(value)).map(arg => [
      arg.name,
      arg.type && typeText(arg.type),
    ])
  assert.deepEqual(named('transfer', 3), [
    ['amount', 'uint'],
    ['memo', '(optional (buff 34))'],
    [null, null],
  ])
  assert.deepEqual(named('burn', 1), [[null, null]])
  assert.deepEqual(
    [known.fungibleTokens, known.nonFungibleTokens.map(token => token.name)],
    [['gold'], ['ape']],
  )
  for (const wrong of [null, [], { functions: [{}] }, { functions: [{ name: 'a', access: 'secret' }] }]) {
    assert.throws(() => parseInterface(wrong), { code: 'clarity.type' })
  }
})
