import { NodeError } from '../../node/errors.ts'
import { readAhead } from '../../node/readAhead.ts'
import type { EvmBlock } from '../block.ts'
import type { CheckOptions, Proofs } from '../check.ts'
import type { EvmCodec } from '../codec.ts'
import { inField } from '../errors.ts'
import { asFields, hash, index, maybe, need, quantity } from '../fields.ts'
import type { Hex } from '../hex.ts'
import type { ContractCreation } from '../traces.ts'
import type { EvmClient } from './client.ts'
import type { RpcCall } from './endpoint.ts'
import { gap, reorged, wrongNumber } from './faults.ts'
import { hexNumber } from './logRanges.ts'
import { createReceiptsReader } from './receipts.ts'
import { createTracesReader } from './traces.ts'

export type EvmBlockRef = {
  readonly number: number
  readonly hash: Hex
  readonly parentHash: Hex
  readonly timeS: number
  /** 0 without proof of work. */
  readonly difficulty: bigint
}

/** A block as it came, read and recomputed. */
export type SourcedBlock = {
  readonly block: EvmBlock
  readonly proofs: Proofs
  /** Contracts that it made, by its traces; null where they were not asked for, or no endpoint offers them. */
  readonly creations: readonly ContractCreation[] | null
}

export type SourceOptions = CheckOptions & {
  /** Ask for traces too: contracts that transactions make on their way are found in no other answer. */
  readonly traces?: boolean
}

/** What a second look at a height found. */
export type Agreement = {
  readonly number: number
  readonly hash: Hex
  readonly agreeing: readonly string[]
  readonly differing: readonly { readonly name: string; readonly hash: Hex }[]
  /** Endpoints that gave no answer, and why. */
  readonly silent: readonly { readonly name: string; readonly why: string }[]
}

/** The best chain of an EVM network as its endpoints tell it; every block is recomputed before it is handed on. */
export type EvmSource = Disposable & {
  readonly name: string
  readonly client: EvmClient
  tip(signal?: AbortSignal): Promise<EvmBlockRef>
  /** The newest block that the chain says cannot go any more; null where a node has no such word. */
  finalized(signal?: AbortSignal): Promise<EvmBlockRef | null>
  /** null beyond the tip. */
  hashAt(number: number, signal?: AbortSignal): Promise<Hex | null>
  /** Sum of the difficulties of a stretch; null where the chain has lost one of its blocks meanwhile. */
  work(from: number, to: number, signal?: AbortSignal): Promise<bigint | null>
  /**
   * The blocks of a stretch with their receipts, in order, each linked to the one before. Throws `node.reorged` where the
   * chain changed under the questions, `node.gap` where no endpoint has a block below the tip.
   */
  blocks(from: number, to: number, signal?: AbortSignal): AsyncIterable<SourcedBlock>
  /** Asks every endpoint for a height. Throws `node.disagree` where most of them contradict `hash`. */
  crossCheck(number: number, hash: Hex, signal?: AbortSignal): Promise<Agreement>
}

const FIRST_BLOCKS = 10
const MOST_BLOCKS = 50
/** JSON of one request that is answered comfortably. */
const WANTED_BYTES = 4_000_000
const READ_AHEAD = 2

export function createEvmSource(
  codec: EvmCodec,
  client: EvmClient,
  { traces: isTraced = false, ...check }: SourceOptions = {},
): EvmSource {
  const receipts = createReceiptsReader(client)
  const traces = isTraced ? createTracesReader(client) : undefined

  const refOf = (result: unknown): EvmBlockRef => {
    const from = asFields(result)
    return {
      number: need(from, 'number', index),
      hash: need(from, 'hash', hash),
      parentHash: need(from, 'parentHash', hash),
      timeS: need(from, 'timestamp', index),
      difficulty: maybe(from, 'difficulty', quantity) ?? 0n,
    }
  }

  const refAt = (tag: string, signal?: AbortSignal): Promise<EvmBlockRef | null> =>
    client.call(
      result => (result === null ? null : inField('block', () => refOf(result))),
      ['eth_getBlockByNumber', tag, false],
      signal,
    )

  async function tip(signal?: AbortSignal): Promise<EvmBlockRef> {
    const ref = await refAt('latest', signal)
    if (ref !== null) return ref
    throw new NodeError('node.shape', `The endpoints of ${client.name} have no latest block.`)
  }

  async function finalized(signal?: AbortSignal): Promise<EvmBlockRef | null> {
    try {
      return await refAt('finalized', signal)
    } catch (thrown) {
      const isUnknownWord =
        thrown instanceof NodeError && ['node.rpc', 'node.method', 'node.missing'].includes(thrown.code)
      if (isUnknownWord) return null
      throw thrown
    }
  }

  async function fetch(from: number, count: number, signal?: AbortSignal): Promise<SourcedBlock[]> {
    const numbers = Array.from({ length: count }, (_, i) => from + i)
    const sourced = await receipts.withReceipts(numbers, signal, (answers, name) =>
      answers.map(({ block: answer, receipts: given }, i) => {
        const number = numbers[i]!
        if (answer === null || answer === undefined) throw gap(name, number)
        const block = codec.readBlock({ block: answer, receipts: given })
        if (block.header.number !== number) throw wrongNumber(name, number, block)
        return { block, proofs: proved(name, block), creations: null }
      }),
    )
    const creations = await traces?.creationsIn(
      sourced.map(({ block }) => block),
      signal,
    )
    return creations === undefined ? sourced : sourced.map((one, i) => ({ ...one, creations: creations[i]! }))
  }

  function proved(name: string, block: EvmBlock): Proofs {
    const { header, receipts: given } = block
    // Block and receipts are two answers: a reorg between them gives those of two blocks.
    if (
      given?.some(({ blockHash, blockNumber }) => blockHash !== header.hash && blockNumber === header.number)
    )
      throw reorged(name, header.number, 'its receipts are already those of another block')
    return codec.checkBlock(block, check)
  }

  async function work(from: number, to: number, signal?: AbortSignal): Promise<bigint | null> {
    const calls = Array.from(
      { length: to - from + 1 },
      (_, i): RpcCall => ['eth_getBlockByNumber', hexNumber(from + i), false],
    )
    return client.batch(
      answers =>
        answers.includes(null)
          ? null
          : answers.reduce<bigint>((sum, one) => sum + inField('block', () => refOf(one)).difficulty, 0n),
      calls,
      signal,
    )
  }

  async function* requests(from: number, to: number, signal?: AbortSignal) {
    const mean = { bytes: WANTED_BYTES / FIRST_BLOCKS }
    for (let at = from; at <= to; ) {
      const first = at
      const wanted = Math.floor(WANTED_BYTES / mean.bytes)
      const count = Math.max(1, Math.min(MOST_BLOCKS, wanted, to - first + 1))
      at += count
      yield async (): Promise<SourcedBlock[]> => {
        const blocks = await fetch(first, count, signal)
        const bytes = blocks.reduce((sum, { block }) => sum + sizeOf(block), 0) / count
        mean.bytes = Math.max(2_000, (mean.bytes + bytes) / 2)
        return blocks
      }
    }
  }

  async function* blocks(from: number, to: number, signal?: AbortSignal): AsyncGenerator<SourcedBlock> {
    let before: EvmBlock | undefined
    for await (const sourced of readAhead(requests(from, to, signal), READ_AHEAD)) {
      const { header } = sourced.block
      if (before !== undefined && header.parentHash !== before.header.hash)
        throw reorged(
          client.name,
          header.number,
          `its parent is not the block ${before.header.hash} before it`,
        )
      before = sourced.block
      yield sourced
    }
  }

  async function crossCheck(number: number, wanted: Hex, signal?: AbortSignal): Promise<Agreement> {
    const answers = await client.callEach(
      result => (result === null ? null : inField('block', () => refOf(result)).hash),
      ['eth_getBlockByNumber', hexNumber(number), false],
      signal,
    )
    const agreeing: string[] = []
    const differing: { name: string; hash: Hex }[] = []
    const silent: { name: string; why: string }[] = []
    for (const { name, answer } of answers) {
      if (answer === wanted) agreeing.push(name)
      else if (typeof answer === 'string') differing.push({ name, hash: answer })
      else silent.push({ name, why: answer === null ? 'it does not have this block' : answer.message })
    }
    if (differing.length > agreeing.length)
      throw new NodeError(
        'node.disagree',
        `Block ${number} of ${client.name} is ${wanted} here, but ${differing.map(({ name, hash }) => `${hash} at ${name}`).join(', ')}.`,
        {
          hint: 'Nothing was stored above it. Which endpoint is right? Remove the other one.',
          facts: { number, hash: wanted, agreeing: agreeing.length, differing: differing.length },
        },
      )
    return { number, hash: wanted, agreeing, differing, silent }
  }

  return {
    name: client.name,
    client,
    tip,
    finalized,
    hashAt: async (number, signal) => (await refAt(hexNumber(number), signal))?.hash ?? null,
    work,
    blocks,
    crossCheck,
    [Symbol.dispose]: () => client[Symbol.dispose](),
  }
}

/** About what a block's JSON takes. */
const sizeOf = ({ transactions, receipts }: EvmBlock): number =>
  2_000 +
  transactions.reduce((sum, { input }) => sum + 900 + input.length, 0) +
  (receipts ?? []).reduce((sum, { logs }) => sum + 1_100 + logs.length * 900, 0)
