/**
 * A Clarity value. Integers are bigints, principals are texts (`SP…` or `SP….contract`), the fields of a tuple are sorted by
 * name as the node keeps them. Source: SIP-002, SIP-005.
 */
export type ClarityValue =
  | ClarityInt
  | ClarityUint
  | ClarityBool
  | ClarityBuffer
  | ClarityAscii
  | ClarityUtf8
  | ClarityPrincipal
  | ClarityOptional
  | ClarityResponse
  | ClarityList
  | ClarityTuple

/** Signed, 128 bit. */
export type ClarityInt = { readonly type: 'int'; readonly value: bigint }
/** Unsigned, 128 bit. */
export type ClarityUint = { readonly type: 'uint'; readonly value: bigint }
export type ClarityBool = { readonly type: 'bool'; readonly value: boolean }
export type ClarityBuffer = { readonly type: 'buffer'; readonly value: Uint8Array }
export type ClarityAscii = { readonly type: 'string-ascii'; readonly value: string }
export type ClarityUtf8 = { readonly type: 'string-utf8'; readonly value: string }
export type ClarityPrincipal = { readonly type: 'principal'; readonly value: string }
/** `value` is null for none. */
export type ClarityOptional = { readonly type: 'optional'; readonly value: ClarityValue | null }
export type ClarityResponse = {
  readonly type: 'response'
  readonly isOk: boolean
  readonly value: ClarityValue
}
export type ClarityList = { readonly type: 'list'; readonly items: readonly ClarityValue[] }
export type ClarityTuple = { readonly type: 'tuple'; readonly fields: readonly ClarityField[] }
export type ClarityField = { readonly name: string; readonly value: ClarityValue }

/** First byte of a serialized value. Source: SIP-005. */
export const TYPE_PREFIX = {
  int: 0x00,
  uint: 0x01,
  buffer: 0x02,
  true: 0x03,
  false: 0x04,
  standardPrincipal: 0x05,
  contractPrincipal: 0x06,
  ok: 0x07,
  err: 0x08,
  none: 0x09,
  some: 0x0a,
  list: 0x0b,
  tuple: 0x0c,
  stringAscii: 0x0d,
  stringUtf8: 0x0e,
} as const

/** Longest sequence of a value. Source: stacks-core `MAX_VALUE_SIZE`. */
export const MOST_VALUE_BYTES = 1024 * 1024
/** Deepest type: the limit of every value that a contract can hold. Source: stacks-core `MAX_TYPE_DEPTH`. */
export const MOST_TYPE_DEPTH = 32
/** Deepest value in a transaction. Source: stacks-core `UNSANITIZED_DEPTH_CHECK`. */
export const MOST_WIRE_DEPTH = 16

/** The value of a field, or undefined where the tuple has none of this name. */
export const fieldOf = (tuple: ClarityTuple, name: string): ClarityValue | undefined =>
  tuple.fields.find(field => field.name === name)?.value
