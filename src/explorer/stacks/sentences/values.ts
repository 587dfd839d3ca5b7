import {
  bitcoinAddressOf,
  type ClarityValue,
  fieldOf,
  poxAddressIn,
  reprOf,
  visibleText,
} from '#chains/stacks/index.ts'
import { readUtf8 } from '../../text.ts'
import type { SentencePart } from './sentence.ts'
import { unitsText } from './tokens.ts'

/** The value behind optionals and responses; undefined for none. */
export function opened(value: ClarityValue | undefined): ClarityValue | undefined {
  let at = value
  while (at?.type === 'optional' || at?.type === 'response') at = at.value ?? undefined
  return at
}

/** A value by fields, or by places in a list. */
export function valueAt(
  value: ClarityValue | undefined,
  fields: readonly string[],
): ClarityValue | undefined {
  let at = opened(value)
  for (const field of fields) {
    if (at?.type === 'tuple') at = opened(fieldOf(at, field))
    else if (at?.type === 'list') at = opened(at.items[Number(field)])
    else return undefined
  }
  return at
}

/** Text of a string, or of a buffer whose bytes are text; null for all others. */
export function textOfValue(value: ClarityValue | undefined): string | null {
  if (value?.type === 'string-ascii' || value?.type === 'string-utf8') return value.value
  if (value?.type !== 'buffer') return null
  const text = readUtf8(value.value)?.replace(/\0+$/, '')
  return text !== undefined && text !== '' && !/\p{Cc}/u.test(text) ? text : null
}

/** `SP3K8…9AVTE.pool`. */
export function principalPart(principal: string): SentencePart {
  const [address = '', name] = principal.split('.')
  const short = address.length <= 13 ? address : `${address.slice(0, 5)}…${address.slice(-5)}`
  return { text: name === undefined ? short : `${short}.${visibleText(name, 60)}`, principal }
}

/** Bitcoin address of a tuple of PoX or sBTC; null where it is none. */
export function bitcoinAddressText(value: ClarityValue | undefined): string | null {
  const address = value === undefined ? null : poxAddressIn(value)
  return address === null ? null : bitcoinAddressOf(address, 'mainnet')
}

/** Any value in a few words: what is long is cut, what is nested counted. */
export function looseParts(value: ClarityValue | undefined): SentencePart[] {
  const at = opened(value)
  switch (at?.type) {
    case undefined:
      return [{ text: 'none' }]
    case 'principal':
      return [principalPart(at.value)]
    case 'uint':
    case 'int':
      return [{ text: unitsText(at.value, 0) }]
    case 'string-ascii':
    case 'string-utf8':
      return [{ text: `“${visibleText(at.value, 60)}”` }]
    case 'buffer':
      return [{ text: textOrHex(at) }]
    case 'list':
      return [{ text: `${at.items.length} ${at.items.length === 1 ? 'item' : 'items'}` }]
    case 'tuple':
      return [{ text: visibleText(reprOf(at), 60) }]
    case 'bool':
      return [{ text: String(at.value) }]
    default:
      return []
  }
}

const PRINTABLE = /^[\x20-\x7e]{2,}$/

/** Memos and names are bytes of text: they stand as such. */
function textOrHex(value: Extract<ClarityValue, { type: 'buffer' }>): string {
  const text = textOfValue(value)
  return text !== null && PRINTABLE.test(text) ? `“${visibleText(text, 60)}”` : hexPart(value.value)
}

export function hexPart(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex')
  return hex.length <= 16 ? `0x${hex}` : `0x${hex.slice(0, 8)}…${hex.slice(-6)}`
}
