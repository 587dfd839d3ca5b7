/** One caller could get around rate limits by changing addresses, or lock out its neighbors. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callerNetwork } from '#kernel/callerNetwork.ts'
import { createLimiter } from './limits.ts'

const REFUSED = { code: 'accounts.too_many' }
const of = (address: string) => callerNetwork(address)

test('addresses of one /64 share a limit, however they are written', async () => {
  const limit = createLimiter('tries', 2, 60)
  await limit.take(of('2001:db8::1'))
  await limit.take(of('2001:0db8:0:0:ffff::1'))
  await assert.rejects(limit.take(of('2001:db8::ffff:1:2:3')), REFUSED)
  await limit.take(of('2001:db8:0:1::1'))
})

test('all networks of a /48 together have four times the limit, and what is given back counts no more', async () => {
  const limit = createLimiter('tries', 1, 60)
  for (const network of [1, 2, 3, 4]) await limit.take(of(`2001:db8:0:${network}::1`))
  await assert.rejects(limit.take(of('2001:db8:0:5::1')), REFUSED)
  await limit.giveBack(of('2001:db8:0:4::1'))
  await limit.giveBack(of('2001:db8:0:5::1'))
  await limit.take(of('2001:db8:0:6::1'))
  await limit.take(of('2001:db8:1:1::1'))
})

test('what is forgotten of one network counts for its /48 no more', async () => {
  const limit = createLimiter('tries', 2, 60)
  const [first, ...others] = [1, 2, 3, 4].map(network => of(`2001:db8:0:${network}::1`))
  assert.ok(first)
  for (let tries = 0; tries < 20; tries++) {
    await limit.take(first)
    await limit.forget(first)
  }
  await limit.take(first)
  await limit.take(first)
  await assert.rejects(limit.take(first), REFUSED)
  await limit.forget(first)
  for (const other of others) {
    await limit.take(other)
    await limit.take(other)
  }
  await limit.take(first)
  await limit.take(first)
  await assert.rejects(limit.take(of('2001:db8:0:9::1')), REFUSED)
})

test('an IPv4 address written as IPv6 is the same caller', async () => {
  const limit = createLimiter('tries', 1, 60)
  await limit.take(of('192.0.2.1'))
  await assert.rejects(limit.take(of('::ffff:c000:201')), REFUSED)
})
