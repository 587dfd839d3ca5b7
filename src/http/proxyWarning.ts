import { BlockList, isIPv4 } from 'node:net'
import type { Log } from '#kernel/log.ts'

/** Loopback and private addresses (RFC 1918, RFC 4193). */
const PRIVATE = new BlockList()
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  PRIVATE.addSubnet(network, prefix, 'ipv4')
PRIVATE.addAddress('::1', 'ipv6')
PRIVATE.addSubnet('fc00::', 7, 'ipv6')

/**
 * Warns once if requests arrive through a proxy in a private network while `TRUST_PROXY` is not set: all readers behind that
 * proxy then share one rate limit.
 * @param peer remote address of the connection
 * @param isForwarded whether the request has a `Forwarded` or `X-Forwarded-For` header
 */
export function createProxyWarning(
  isTrusting: boolean,
  log: Log,
): (peer: string | undefined, isForwarded: boolean) => void {
  let hasWarned = isTrusting
  return (peer, isForwarded) => {
    if (hasWarned || !isForwarded || peer === undefined) return
    const address = peer.replace(/^::ffff:(?=\d+\.)/i, '')
    if (!PRIVATE.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')) return
    hasWarned = true
    log.warn('requests arrive through an untrusted proxy, so all its readers share one rate limit', {
      proxy: address,
      hint: `Set TRUST_PROXY=${address} if this proxy is yours.`,
    })
  }
}
