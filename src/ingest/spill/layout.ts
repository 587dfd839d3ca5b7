import type { Bytes } from '#kernel/bytes.ts'

/** Words of a transaction as the cache of prevouts holds it, and where in it things stand behind the txid. */
export const TX_WORDS = 12
export const FIRST_OUTPUT = 8
export const NUMBER = 9
export const HEIGHT = 10
export const TIME = 11
/** Words of an output there, and where in it things stand behind the value. */
export const OUTPUT_WORDS = 4
export const TYPE = 2
export const SCRIPT_END = 3
/** In place of a script type: spent, or never to be. */
export const GONE = 255

/** What leaves the cache: the first `txCount` transactions of its arrays. */
export type Leaving = {
  readonly txs: Uint32Array
  readonly outputs: Uint32Array
  readonly scripts: Bytes
  readonly txCount: number
}

/**
 * A record on disk, in words: its length in words, txid, height, time, number of outputs, then for each output its index,
 * low and high word of its satoshis, script type and length of the script; then the scripts, filled up to a whole word.
 */
export const RECORD = {
  words: 0,
  txid: 1,
  height: 9,
  timeS: 10,
  outputCount: 11,
  outputs: 12,
} as const
/** In a record's output, behind index and value: script type in the high eight bits, bytes of its script in the low ones. */
export const TYPE_AND_LENGTH = 3
export const LENGTH_BITS = 0xff_ffff

export const typeOf = (typeAndLength: number): number => typeAndLength >>> 24
export const lengthOf = (typeAndLength: number): number => typeAndLength & LENGTH_BITS
