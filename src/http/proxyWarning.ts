import { BlockList, isIPv4 } from 'node:net'
import type { Log } from '#kernel/log.ts'

const NEAR = new BlockList()
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  NEAR.addSubnet(network, prefix, 'ipv4')
NEAR.addAddress('::1', 'ipv6')
NEAR.addSubnet('fc00::', 7, 'ipv6')

/**
 * Warns once where requests come through a proxy of the own network that `TRUST_PROXY` does not name: all readers behind it share
 * the limits of one caller.
 * @param peer address that the connection comes from
 * @param isForwarded whether the request says for whom it was forwarded
 */
export function createProxyWarning(
  isTrusting: boolean,
  log: Log,
): (peer: string | undefined, isForwarded: boolean) => void {
  let hasWarned = isTrusting
  return (peer, isForwarded) => {
    if (hasWarned || !isForwarded || peer === undefined) return
    const address = peer.replace(/^::ffff:(?=\d+\.)/i, '')
    if (!NEAR.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')) return
    hasWarned = true
    log.warn(
      'requests come through a proxy that is not trusted, so its readers share the limits of one caller',
      {
        proxy: address,
        hint: `Set TRUST_PROXY=${address} if this proxy is yours.`,
      },
    )
  }
}
