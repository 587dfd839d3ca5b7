import { isIPv6 } from 'node:net'
import { isAddress } from '#chains/stacks/index.ts'
import { isDay } from '#kernel/days.ts'
import { SiwsError } from './texts.ts'

/**
 * A message by which a wallet signs in, version 1. Source of the form: EIP-4361 as the draft SIP “Sign in with Stacks”
 * (stacksgov/sips, pull request 70) takes it over.
 */
export type SiwsMessage = {
  /** Host of who asks, with its port. */
  readonly domain: string
  readonly address: string
  /** One line. */
  readonly statement?: string
  readonly uri: string
  readonly version: '1'
  readonly chainId: number
  readonly nonce: string
  readonly issuedAt: string
  readonly expirationTime?: string
  readonly notBefore?: string
  readonly requestId?: string
  readonly resources?: readonly string[]
}

const GREETING = ' wants you to sign in with your Stacks account:'
const ISO =
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[Tt]([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/
const NONCE = /^[a-zA-Z0-9]{8,}$/
/** `pchar` of RFC 3986, and what of it may stand in a host and in front of one. */
const PCHAR = "(?:[-._~!$&'()*+,;=:@a-zA-Z0-9]|%[0-9a-fA-F]{2})"
const HOST_CHAR = "(?:[-._~!$&'()*+,;=a-zA-Z0-9]|%[0-9a-fA-F]{2})"
const REQUEST_ID = new RegExp(`^${PCHAR}*$`)
const AUTHORITY = `(?:(?:${HOST_CHAR}|:)*@)?(?:\\[(?<literal>[^\\]]*)\\]|${HOST_CHAR}*)(?::\\d*)?`
const SEGMENTS = `(?:/${PCHAR}*)*`
const REST = `(?:${PCHAR}|[/?])*`
/** `URI` of RFC 3986, appendix A. An authority may be empty only before a path, as in `file:///`. */
const URI = new RegExp(
  `^[a-zA-Z][a-zA-Z0-9+.-]*:(?://(?!$|[?#])${AUTHORITY}${SEGMENTS}|/?(?:${PCHAR}+${SEGMENTS})?)(?:\\?${REST})?(?:#${REST})?$`,
)
/** `IPvFuture` of RFC 3986. */
const FUTURE_IP = /^v[0-9a-f]+\.[-._~!$&'()*+,;=:a-z0-9]+$/i
const MOST_CHAIN_ID = 0xffff_ffff
/** A message of ours has some four hundred characters. */
const LONGEST = 4096

function isUri(text: string): boolean {
  const found = URI.exec(text)
  const literal = found?.groups?.literal
  if (literal === undefined) return found !== null
  // A zone behind a percent sign is of one machine, and no part of the grammar.
  return FUTURE_IP.test(literal) || (isIPv6(literal) && !literal.includes('%'))
}

// Date.parse reads 30 February as 2 March.
const isTime = (text: string): boolean =>
  ISO.test(text) && isDay(text.slice(0, 10)) && !Number.isNaN(Date.parse(text))

/** The message as it is signed. Throws SiwsError for a field that is not as it must be. */
export function writeSiws(message: SiwsMessage): string {
  demandFields(message)
  const { domain, address, statement, expirationTime, notBefore, requestId, resources } = message
  return [
    `${domain}${GREETING}`,
    address,
    '',
    ...(statement ? [statement] : []),
    '',
    `URI: ${message.uri}`,
    `Version: ${message.version}`,
    `Chain ID: ${message.chainId}`,
    `Nonce: ${message.nonce}`,
    `Issued At: ${message.issuedAt}`,
    ...(expirationTime === undefined ? [] : [`Expiration Time: ${expirationTime}`]),
    ...(notBefore === undefined ? [] : [`Not Before: ${notBefore}`]),
    ...(requestId === undefined ? [] : [`Request ID: ${requestId}`]),
    ...(resources === undefined ? [] : ['Resources:', ...resources.map(uri => `- ${uri}`)]),
  ].join('\n')
}

/** Reads a message; only one that is written exactly as `writeSiws` would is one. Throws SiwsError. */
export function parseSiws(text: string): SiwsMessage {
  if (text.length > LONGEST) throw new SiwsError('parse')
  const lines = text.split('\n')
  const first = lines.shift() ?? ''
  const address = lines.shift() ?? ''
  const statement = lines[1] === '' ? undefined : lines[1]
  const rest = statement === undefined ? lines.slice(2) : lines.slice(3)
  const take = (label: string): string | undefined =>
    rest[0]?.startsWith(`${label}: `) ? rest.shift()?.slice(label.length + 2) : undefined
  const [uri, version, chainId, nonce, issuedAt] = ['URI', 'Version', 'Chain ID', 'Nonce', 'Issued At'].map(
    take,
  )
  const [expirationTime, notBefore, requestId] = ['Expiration Time', 'Not Before', 'Request ID'].map(take)
  const resources = rest[0] === 'Resources:' ? rest.splice(0).slice(1) : undefined
  if (!first.endsWith(GREETING) || issuedAt === undefined || rest.length > 0) throw new SiwsError('parse')
  if (resources?.some(line => !line.startsWith('- '))) throw new SiwsError('parse')
  const message = {
    domain: first.slice(0, -GREETING.length),
    address,
    uri: uri ?? '',
    version: version as '1',
    chainId: /^\d{1,10}$/.test(chainId ?? '') ? Number(chainId) : Number.NaN,
    nonce: nonce ?? '',
    issuedAt,
    ...(statement !== undefined && { statement }),
    ...(expirationTime !== undefined && { expirationTime }),
    ...(notBefore !== undefined && { notBefore }),
    ...(requestId !== undefined && { requestId }),
    ...(resources !== undefined && { resources: resources.map(line => line.slice(2)) }),
  }
  // What was read in another way than it would be written (order, doubled lines, spaces) differs here.
  if (writeSiws(message) !== text) throw new SiwsError('parse')
  return message
}

function demandFields(message: SiwsMessage): void {
  if (message.domain === '' || /[\s?#/]/.test(message.domain)) throw new SiwsError('domainMissing')
  if (!isAddress(message.address)) throw new SiwsError('address')
  if (!isUri(message.uri)) throw new SiwsError('uri')
  if (message.version !== '1') throw new SiwsError('version')
  if (!NONCE.test(message.nonce)) throw new SiwsError('nonceForm')
  const { chainId } = message
  if (!Number.isInteger(chainId) || chainId < 1 || chainId > MOST_CHAIN_ID) throw new SiwsError('parse')
  for (const time of [message.issuedAt, message.expirationTime, message.notBefore])
    if (time !== undefined && !isTime(time)) throw new SiwsError('time')
  if (message.statement?.includes('\n')) throw new SiwsError('parse')
  if (message.requestId !== undefined && !REQUEST_ID.test(message.requestId)) throw new SiwsError('parse')
  for (const uri of message.resources ?? []) if (!isUri(uri)) throw new SiwsError('uri')
}
