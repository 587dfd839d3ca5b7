/** An operator would not learn that rate limits count the proxy instead of its callers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Log } from '#kernel/log.ts'
import { createProxyWarning } from './proxyWarning.ts'

// If this fails, readers behind a proxy use up each other's rate limit and the operator does not learn why.
function warned(
  isTrusting: boolean,
  requests: readonly (readonly [string | undefined, boolean])[],
): unknown[] {
  const told: unknown[] = []
  const log = { warn: (_: string, facts: { proxy: string }) => told.push(facts.proxy) } as unknown as Log
  const warn = createProxyWarning(isTrusting, log)
  for (const [peer, isForwarded] of requests) warn(peer, isForwarded)
  return told
}

test('an untrusted proxy in a private network is logged once', () => {
  for (const peer of ['127.0.0.1', '::ffff:10.1.2.3', '172.20.0.5', '192.168.1.1', '::1', 'fd00::1'])
    assert.deepEqual(
      warned(false, [
        [peer, true],
        [peer, true],
      ]),
      [peer.replace('::ffff:', '')],
    )
})

test('nothing is logged for trusted proxies, direct readers, or headers sent from public addresses', () => {
  assert.deepEqual(warned(true, [['127.0.0.1', true]]), [])
  assert.deepEqual(
    warned(false, [
      ['127.0.0.1', false],
      ['203.0.113.7', true],
      ['2001:db8::1', true],
      [undefined, true],
    ]),
    [],
  )
})
