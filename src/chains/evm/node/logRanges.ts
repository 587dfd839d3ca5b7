import { NodeError } from '../../node/errors.ts'
import { inField } from '../errors.ts'
import { asList } from '../fields.ts'
import type { Hex } from '../hex.ts'
import { type EvmLog, readLog } from '../logs.ts'
import type { EvmClient } from './client.ts'

export type LogFilter = {
  readonly fromBlock: number
  readonly toBlock: number
  readonly address?: Hex | readonly Hex[] | undefined
  readonly topics?: readonly (Hex | readonly Hex[] | null)[] | undefined
}

/** Logs of a stretch that one answer covered. */
export type LogStretch = {
  readonly fromBlock: number
  readonly toBlock: number
  readonly logs: readonly EvmLog[]
}

/** How many blocks to ask for at once; it learns from what nodes refuse. */
export type RangeSize = { blocks: number }

const FIRST_BLOCKS = 2_000
const MOST_BLOCKS = 50_000
/** An answer of this many logs is as large as it should get. */
const WANTED_LOGS = 5_000

export const openRangeSize = (blocks = FIRST_BLOCKS): RangeSize => ({ blocks })

/**
 * Logs of a stretch of blocks in order, in as many answers as the nodes make of it: halved where one refuses, grown where
 * answers are small. Each answer is checked: within its stretch, in order, none twice, none taken back.
 */
export async function* logsIn(
  client: EvmClient,
  filter: LogFilter,
  size: RangeSize,
  signal?: AbortSignal,
): AsyncGenerator<LogStretch> {
  let from = filter.fromBlock
  while (from <= filter.toBlock) {
    const to = Math.min(filter.toBlock, from + size.blocks - 1)
    try {
      const logs = await ask(client, filter, from, to, signal)
      yield { fromBlock: from, toBlock: to, logs }
      from = to + 1
      if (logs.length < WANTED_LOGS / 4) size.blocks = Math.min(MOST_BLOCKS, Math.ceil(size.blocks * 1.5))
      else if (logs.length > WANTED_LOGS) size.blocks = Math.max(1, Math.floor(size.blocks / 2))
    } catch (thrown) {
      if (!isTooMuch(thrown) || to === from) throw thrown
      const suggested = thrown.facts.suggestedTo
      const asked = to - from + 1
      size.blocks =
        typeof suggested === 'number' && suggested >= from && suggested < to
          ? suggested - from + 1
          : Math.max(1, Math.floor(asked / 2))
    }
  }
}

/** A node that falls silent over a wide range may answer a narrow one. */
const isTooMuch = (thrown: unknown): thrown is NodeError =>
  thrown instanceof NodeError && (thrown.code === 'node.range' || thrown.code === 'node.timeout')

function ask(
  client: EvmClient,
  filter: LogFilter,
  from: number,
  to: number,
  signal?: AbortSignal,
): Promise<EvmLog[]> {
  const { address, topics } = filter
  return client.call(
    (result, name) => {
      const logs = inField('logs', () => asList(result).map((log, at) => inField(at, () => readLog(log))))
      checkLogs(name, logs, from, to)
      return logs
    },
    [
      'eth_getLogs',
      {
        fromBlock: hexNumber(from),
        toBlock: hexNumber(to),
        ...(address && { address }),
        ...(topics && { topics }),
      },
    ],
    signal,
  )
}

/** @throws NodeError `node.lied` for logs outside the stretch, out of order, twice, or taken back. */
function checkLogs(name: string, logs: readonly EvmLog[], from: number, to: number): void {
  let block = -1
  let at = -1
  const hashes = new Map<number, Hex>()
  for (const log of logs) {
    const { blockNumber, logIndex } = log
    if (blockNumber < from || blockNumber > to)
      throw lied(name, log, `it was asked for blocks ${from} to ${to}`)
    if (log.isRemoved) throw lied(name, log, 'it says itself that the log was taken back')
    if (blockNumber < block || (blockNumber === block && logIndex <= at))
      throw lied(name, log, `it stands behind log ${at} of block ${block}`)
    const hash = hashes.get(blockNumber) ?? log.blockHash
    if (hash !== log.blockHash) throw lied(name, log, `the log before it was of another block ${blockNumber}`)
    hashes.set(blockNumber, hash)
    block = blockNumber
    at = logIndex
  }
}

const lied = (name: string, { blockNumber, logIndex }: EvmLog, why: string): NodeError =>
  new NodeError('node.lied', `${name} answered log ${logIndex} of block ${blockNumber}: ${why}.`, {
    facts: { blockNumber, logIndex },
  })

/** A height as JSON-RPC writes it. */
export const hexNumber = (value: number): Hex => `0x${value.toString(16)}`
