/** Calls on EVM layers would show a wrong function or wrong arguments. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import rootstock from '../../../../catalog/chains/rootstock.json' with { type: 'json' }
import catalogEvents from '../../../../catalog/evm/events.json' with { type: 'json' }
import catalogFunctions from '../../../../catalog/evm/functions.json' with { type: 'json' }
import { ChainFacts, EventFacts, eventsOf, FunctionFacts } from '../facts.ts'
import type { Hex } from '../hex.ts'
import { keccakHex } from '../keccak.ts'
import { createEventIndex } from './events.ts'
import { createFunctionIndex } from './functions.ts'
import { bridgeMoveOf } from './meaning.ts'
import { parseSignature } from './types.ts'

const functions = FunctionFacts.parse(catalogFunctions)
const index = createFunctionIndex(functions)
const facts = ChainFacts.parse(rootstock)
const events = createEventIndex(eventsOf(EventFacts.parse(catalogEvents), facts))
const word = (value: bigint | string): string =>
  typeof value === 'string' ? value.padStart(64, '0') : value.toString(16).padStart(64, '0')

/** Selectors as block explorers and public decoders list them. */
const SELECTORS: Record<string, string> = {
  '0xa9059cbb': 'transfer',
  '0x095ea7b3': 'approve',
  '0x38ed1739': 'swapExactTokensForTokens',
  '0x6a761202': 'execTransaction',
  '0x1fad948c': 'handleOps',
  '0x765e827f': 'handleOps',
  '0xd764ad0b': 'relayMessage',
  '0x015d8eb9': 'setL1BlockValues',
  '0x440a5e20': 'setL1BlockValuesEcotone',
  '0x0c5a9990': 'updateCollections',
}

test('the catalogue’s functions have the selectors that are known of them', () => {
  for (const [selector, name] of Object.entries(SELECTORS)) {
    const { signature } = functions.find(one => one.selector === selector)!
    assert.equal(parseSignature(signature).name, name)
  }
})

test('a call is read with its arguments, by name where the catalogue has one', () => {
  const to = 'ab'.repeat(20)
  assert.deepEqual(index.decode(`0xa9059cbb${word(to)}${word(2n ** 256n - 1n)}`), {
    name: 'transfer',
    args: [
      { name: 'to', type: 'address', value: `0x${to}` },
      { name: 'amount', type: 'uint256', value: 2n ** 256n - 1n },
    ],
  })
  assert.deepEqual(index.decode('0xd0e30db0'), { name: 'deposit', args: [] })
  assert.equal(index.decode('0xdeadbeef'), null)
})

test('an input that is not of its function’s form keeps the name and tells no arguments', () => {
  assert.deepEqual(index.decode('0xa9059cbb00'), { name: 'transfer', args: null })
  fc.assert(
    fc.property(fc.constantFrom(...functions), fc.uint8Array({ maxLength: 400 }), ({ selector }, bytes) => {
      const decoded = index.decode(`${selector}${Buffer.from(bytes).toString('hex')}` as Hex)
      assert.ok(decoded !== null && (decoded.args === null || Array.isArray(decoded.args)))
    }),
  )
})

test('a selector that is not that of its signature, or stands twice, is told', () => {
  const [first] = functions
  assert.throws(
    () => createFunctionIndex([{ ...first!, selector: '0x00000000' }]),
    /is 0xa9059cbb, not 0x00000000/,
  )
  assert.throws(() => createFunctionIndex([first!, first!]), /stands here twice/)
  assert.match(
    FunctionFacts.safeParse([{ ...first, selector: '0x00000000' }]).error?.message ?? '',
    /is 0xa9059cbb/,
  )
})

test('what crosses Rootstock’s peg is told in wei of the coin, whose events count satoshis', () => {
  const [bridge] = facts.systemContracts
  const account = 'cd'.repeat(20)
  const topicOf = (signature: string) => keccakHex(parseSignature(signature).canonical)
  const pegin = events.decode({
    address: bridge!.address,
    topics: [
      topicOf('pegin_btc(address,bytes32,int256,int256)'),
      `0x${word(account)}`,
      `0x${'11'.repeat(32)}`,
    ],
    data: `0x${word(500_000n)}${word(1n)}`,
  })
  assert.deepEqual(pegin && bridgeMoveOf(pegin), {
    direction: 'in',
    bridge: bridge!.address,
    account: `0x${account}`,
    asset: null,
    amount: 5_000_000_000_000_000n,
  })
  const pegout = {
    address: bridge!.address,
    topics: [topicOf('release_request_received(address,string,uint256)'), `0x${word(account)}`],
    data: `0x${word(64n)}${word(400_000n)}${word(3n)}${Buffer.from('abc').toString('hex').padEnd(64, '0')}`,
  } as const
  const out = events.decode({ ...pegout, topics: [...pegout.topics] })
  assert.deepEqual(out && [bridgeMoveOf(out)?.direction, bridgeMoveOf(out)?.amount], [
    'out',
    4_000_000_000_000_000n,
  ])
  // The same event of any other contract is nobody's peg.
  assert.equal(events.decode({ ...pegout, topics: [...pegout.topics], address: `0x${account}` }), null)
})
