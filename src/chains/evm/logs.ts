import { DecodeError } from './errors.ts'
import { address, asFields, dataHex, hash, index, listOf, maybe, need } from './fields.ts'
import type { Hex } from './hex.ts'

export type EvmLog = {
  readonly address: Hex
  /** None to four of 32 bytes. */
  readonly topics: readonly Hex[]
  readonly data: Hex
  /** Place within the block. */
  readonly logIndex: number
  readonly blockNumber: number
  readonly blockHash: Hex
  readonly transactionHash: Hex
  readonly transactionIndex: number
  /** A node says so of logs of a block that is no longer in its chain. */
  readonly isRemoved: boolean
}

export function readLog(value: unknown): EvmLog {
  const from = asFields(value)
  const topics = listOf(from, 'topics', hash)
  if (topics.length > 4)
    throw new DecodeError('range', `a log has ${topics.length} topics, not at most 4`, { path: 'topics' })
  return {
    address: need(from, 'address', address),
    topics,
    data: need(from, 'data', dataHex),
    logIndex: need(from, 'logIndex', index),
    blockNumber: need(from, 'blockNumber', index),
    blockHash: need(from, 'blockHash', hash),
    transactionHash: need(from, 'transactionHash', hash),
    transactionIndex: need(from, 'transactionIndex', index),
    isRemoved: maybe(from, 'removed', value => value === true) ?? false,
  }
}
