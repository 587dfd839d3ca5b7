/**
 * What limits count a caller by: an IPv4 address, or the /64 network of an IPv6 address, since one subscriber has all of it
 * (RFC 6177). An IPv4 address mapped into IPv6 (RFC 4291, 2.5.5.2) or translated (NAT64: RFC 6052, 2.1) counts as IPv4. The
 * port that some proxies append is left out. Other texts stay as they are.
 */
export function callerNetwork(address: string): string {
  const host = withoutPort(address)
  const groups = groupsOf(host)
  if (groups === undefined) return host
  const [high = 0, low = 0] = groups.slice(6)
  if (IPV4_PREFIXES.includes(textOf(groups.slice(0, 6))))
    return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  return `${textOf(groups.slice(0, 4))}::/64`
}

/** The first 96 bits of addresses that carry an IPv4 address: mapped, and translated by NAT64. */
const IPV4_PREFIXES = ['0:0:0:0:0:ffff', '64:ff9b:0:0:0:0']

const withoutPort = (address: string): string =>
  address.replace(/^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/, '$1').replace(/^(\[[^\]]*\]):\d{1,5}$/, '$1')

/**
 * The same key for the /48 around its network, which a site with many /64 has at its disposal; undefined for a key without a
 * /64. Limits allow it a few times as much.
 */
export const widerKey = (key: string): string | undefined =>
  /(?<![0-9a-f:])([0-9a-f]{1,4}:[0-9a-f]{1,4}:[0-9a-f]{1,4}):[0-9a-f]{1,4}::\/64$/.test(key)
    ? key.replace(/:[0-9a-f]{1,4}::\/64$/, '::/48')
    : undefined

/** How many times the limit of one network all networks of a /48 have together. */
export const WIDER_SHARE = 4

const textOf = (groups: readonly number[]): string => groups.map(group => group.toString(16)).join(':')

/** The eight groups of an IPv6 address in any of its spellings (RFC 4291, 2.2); undefined for other texts. */
function groupsOf(address: string): number[] | undefined {
  const plain = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '')
  const halves = plain.split('::')
  if (!plain.includes(':') || halves.length > 2) return undefined
  const [head = [], tail] = halves.map(half => (half === '' ? [] : half.split(':').flatMap(wordsOf)))
  const missing = 8 - head.length - (tail?.length ?? 0)
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined
  const groups = tail === undefined ? head : [...head, ...Array<number>(missing).fill(0), ...tail]
  return groups.every(group => group >= 0 && group <= 0xffff) ? groups : undefined
}

/** A group of hex digits, or the two that a dotted IPv4 address at the end stands for. */
function wordsOf(word: string): number[] {
  const octets = word.split('.')
  if (octets.length === 4 && octets.every(octet => /^\d{1,3}$/.test(octet) && Number(octet) < 256)) {
    const [a = 0, b = 0, c = 0, d = 0] = octets.map(Number)
    return [a * 256 + b, c * 256 + d]
  }
  return [/^[0-9a-f]{1,4}$/i.test(word) ? Number.parseInt(word, 16) : Number.NaN]
}
