/** One caller would get around rate limits by spelling its address differently. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fixture from './callerNetwork.fixture.json' with { type: 'json' }
import { callerNetwork, widerKey } from './callerNetwork.ts'

test('every spelling of an address counts as the same network', () => {
  for (const [address = '', network] of fixture.cases) assert.equal(callerNetwork(address), network, address)
})

test('addresses of one /64 are one caller, however many zeros their text leaves out', () => {
  const networks = Array.from({ length: 1000 }, (_, at) =>
    callerNetwork(`2001:db8::${(at + 1).toString(16)}`),
  )
  assert.equal(new Set(networks).size, 1)
  const spread = Array.from({ length: 1000 }, (_, at) => callerNetwork(`2001:db8:0:${at.toString(16)}::1`))
  assert.equal(new Set(spread).size, 1000)
  assert.deepEqual([...new Set(spread.map(widerKey))], ['2001:db8:0::/48'])
})

test('only a key that ends with a /64 has a wider one', () => {
  assert.equal(widerKey('ann@example.org 2001:db8:a:5::/64'), 'ann@example.org 2001:db8:a::/48')
  for (const key of ['192.0.2.1', 'ann@example.org 192.0.2.1', '', '2001:db8:a::/48'])
    assert.equal(widerKey(key), undefined)
})
