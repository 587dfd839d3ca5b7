import { NodeError } from '../../node/errors.ts'
import type { Pool } from '../../node/pool.ts'
import type { StacksCodec } from '../decode.ts'
import { DecodeError } from '../errors.ts'
import { type Hex, MessageError } from '../messages/fields.ts'
import {
  type ApiBlock,
  type ApiCycle,
  type ApiTx,
  readApiBlock,
  readApiTxs,
  readContract,
  readCycle,
  readRawTx,
  readResults,
  readTxPage,
} from './apiAnswers.ts'
import type { Receipts } from './blockMessage.ts'
import type { StacksEndpoint } from './endpoint.ts'
import { readSortitions } from './nodeAnswers.ts'
import { proveEpoch2Block, proveNakamotoBlock, type RawBlock, type RawTx } from './rawBlock.ts'

/** What the public API tells of the chain. */
export type ApiReader = {
  /** Up to 30 blocks from one down, the newest first; from the tip where none is named. Throws `node.reorged`. */
  page(from: Hex | undefined, limit: number, signal?: AbortSignal): Promise<ApiBlock[]>
  /** A block by height or id; null where it has none. */
  block(at: number | Hex, signal?: AbortSignal): Promise<ApiBlock | null>
  /** Bytes of a block, proved, where the API passes on what its node has; null where it does not. */
  raw(block: ApiBlock, signal?: AbortSignal): Promise<RawBlock | null>
  /**
   * Bytes of transactions of a block that are not among its own: what microblocks carried, contracts that the chain itself made.
   * Each is proved by its txid; one that was made on Bitcoin has none and is missing.
   */
  others(receipts: Receipts, inBlock: readonly RawTx[], signal?: AbortSignal): Promise<RawTx[]>
  /** Txids of a block in its order. */
  txidsOf(block: ApiBlock, signal?: AbortSignal): Promise<Hex[]>
  /** How the transactions of a block ended, with their events. Throws `node.reorged`, `node.gap`. */
  receipts(block: ApiBlock, txids: readonly Hex[], signal?: AbortSignal): Promise<Receipts>
  /** Cycles whose reward set is fixed, the newest first. */
  cycles(signal?: AbortSignal): Promise<ApiCycle[]>
}

/** Most items that the API gives at once. Source: stacks-blockchain-api `src/api/pagination.ts`. */
export const MOST_BLOCKS = 30
const MOST_TXS = 50
const MOST_EVENTS = 100
/** Event positions of a block that are looked through before its events count as missing. */
const MOST_EVENT_WINDOWS = 400
const ASK_RAW_AGAIN_AFTER = 500

export function createApiReader(codec: StacksCodec, pool: Pool<StacksEndpoint>): ApiReader {
  /** Blocks to go before the API is asked for bytes of whole blocks again, which it did not have. */
  let withoutRaw = 0

  const json = <T>(path: string, read: (json: unknown) => T, signal?: AbortSignal): Promise<T | null> =>
    pool.ask((endpoint, until) => endpoint.json(path, read, until), signal)

  const demand = <T>(path: string, read: (json: unknown) => T, signal?: AbortSignal): Promise<T> =>
    pool.ask(async (endpoint, until) => {
      const answer = await endpoint.json(path, read, until)
      if (answer === null) throw gap(endpoint.name, path)
      return answer
    }, signal)

  async function page(from: Hex | undefined, limit: number, signal?: AbortSignal): Promise<ApiBlock[]> {
    const cursor = from === undefined ? '' : `&cursor=${from}`
    const blocks = await json(
      `/extended/v2/blocks?limit=${limit}${cursor}`,
      readResults(readApiBlock),
      signal,
    )
    // A cursor that is not found any more is a block that lost.
    if (blocks === null || blocks.length === 0)
      throw reorged(from === undefined ? 'it has no blocks' : `${from} is no block of it any more`)
    if (from !== undefined && blocks[0]!.id !== from) throw reorged(`${from} is no block of it any more`)
    for (const [i, block] of blocks.entries())
      if (i > 0 && (blocks[i - 1]!.parentId !== block.id || blocks[i - 1]!.height !== block.height + 1))
        throw reorged(`block ${blocks[i - 1]!.height} does not stand on the one below`)
    return blocks
  }

  async function raw(block: ApiBlock, signal?: AbortSignal): Promise<RawBlock | null> {
    if (withoutRaw > 0) {
      withoutRaw -= 1
      return null
    }
    // Before Nakamoto each block was a tenure; the first blocks after it look the same.
    const isOld = block.tenureHeight === block.height
    const found = (isOld && (await rawOld(block, signal))) || (await rawNakamoto(block, signal))
    if (found === undefined) withoutRaw = ASK_RAW_AGAIN_AFTER
    return found ?? null
  }

  /** Undefined where the API has no such bytes; null where they hold something that no rule here reads. */
  function rawNakamoto({ id }: ApiBlock, signal?: AbortSignal): Promise<RawBlock | null | undefined> {
    return pool.ask(async (endpoint, until) => {
      const bytes = await endpoint.bytes(`/v3/blocks/${id.slice(2)}`, until)
      if (bytes === null) return undefined
      return unlessStrange(() => proveNakamotoBlock(codec, bytes, id, endpoint.name))
    }, signal)
  }

  function rawOld({ id, burnHash }: ApiBlock, signal?: AbortSignal): Promise<RawBlock | null | undefined> {
    return pool.ask(async (endpoint, until) => {
      const bytes = await endpoint.bytes(`/v2/blocks/${id.slice(2)}`, until)
      if (bytes === null) return undefined
      const consensusHash = await endpoint.json(
        `/v3/sortitions/burn/${burnHash.slice(2)}`,
        consensusHashIn,
        until,
      )
      return consensusHash === null
        ? undefined
        : unlessStrange(() => proveEpoch2Block(codec, bytes, { id, consensusHash }, endpoint.name))
    }, signal)
  }

  async function others(
    { txs }: Receipts,
    inBlock: readonly RawTx[],
    signal?: AbortSignal,
  ): Promise<RawTx[]> {
    const known = new Set(inBlock.map(({ txid }) => txid))
    const found: RawTx[] = []
    for (const { txid, contract } of txs) {
      if (known.has(txid)) continue
      const tx = await pool.ask(async (endpoint, until): Promise<RawTx | null> => {
        const bytes = await endpoint.json(`/extended/v1/tx/${txid}/raw`, readRawTx, until)
        if (bytes === null) throw gap(endpoint.name, `/extended/v1/tx/${txid}/raw`)
        if (bytes.length > 1) return proveTx(bytes, txid, endpoint.name)
        // Nobody makes contracts on Bitcoin.
        if (contract !== null) throw gap(endpoint.name, `/extended/v1/tx/${txid}/raw`)
        return null
      }, signal)
      if (tx !== null) found.push(tx)
    }
    return found
  }

  /** A transaction of a kind that is not known yet cannot be hashed as the node does: it is kept as it is. */
  function proveTx(bytes: Buffer, txid: Hex, name: string): RawTx {
    try {
      const decoded = codec.decodeTransaction(bytes)
      if (`0x${decoded.txid}` === txid) return { txid, raw: bytes, decoded }
      throw new NodeError('node.lied', `${name} gave transaction 0x${decoded.txid} for ${txid}.`, {
        hint: 'The block was not stored. Ask another endpoint.',
      })
    } catch (thrown) {
      if (thrown instanceof DecodeError && thrown.code === STRANGE) return { txid, raw: bytes, decoded: null }
      if (thrown instanceof DecodeError) throw shapeOf(name, txid, thrown)
      throw thrown
    }
  }

  async function txidsOf(block: ApiBlock, signal?: AbortSignal): Promise<Hex[]> {
    const newer = `/extended/v3/blocks/${block.id}/transactions?limit=${MOST_TXS}`
    const older = `/extended/v2/blocks/${block.id}/transactions?limit=${MOST_TXS}`
    const txids: Hex[] = []
    let isNewer = true
    for (let next: string | null = newer; next !== null; ) {
      const answer: ReturnType<typeof readTxPage> | null = await json(next, readTxPage, signal)
      if (answer === null && isNewer && txids.length === 0) {
        isNewer = false
        next = older
        continue
      }
      if (answer === null) throw reorged(`block ${block.id} has no transactions any more`)
      txids.push(...answer.txids)
      if (txids.length >= block.txCount || answer.txids.length === 0) break
      if (isNewer) next = answer.next === null ? null : `${newer}&cursor=${answer.next}`
      else next = `${older}&offset=${txids.length}`
    }
    if (new Set(txids).size !== block.txCount)
      throw reorged(`block ${block.id} has ${block.txCount} transactions, ${txids.length} are listed`)
    return txids
  }

  async function receipts(block: ApiBlock, txids: readonly Hex[], signal?: AbortSignal): Promise<Receipts> {
    const txs: ApiTx[] = []
    let eventsBefore = 0
    for (let from = 0; from < txids.length; from += MOST_TXS) {
      const some = await receiptsOf(block, txids.slice(from, from + MOST_TXS), eventsBefore, signal)
      eventsBefore += some.reduce((sum, { eventCount }) => sum + eventCount, 0)
      txs.push(...some)
    }
    txs.sort((a, b) => a.index - b.index)
    const interfaces = new Map<string, string>()
    for (const { contract, status, txid } of txs) {
      if (contract === null || status !== 'success') continue
      const found = await json(`/extended/v1/contract/${contract}`, readContract, signal)
      if (found?.txid === txid && found.abi !== null) interfaces.set(contract, found.abi)
    }
    return { txs, interfaces }
  }

  /** The API gives events by their position in the block, a hundred positions at a time. */
  async function receiptsOf(
    block: ApiBlock,
    txids: readonly Hex[],
    firstEvent: number,
    signal?: AbortSignal,
  ): Promise<ApiTx[]> {
    const ids = txids.join(',')
    let found: ApiTx[] = []
    for (let window = 0; window < MOST_EVENT_WINDOWS; window++) {
      const offset = firstEvent + window * MOST_EVENTS
      const answer = await demand(
        `/extended/v1/tx/multiple?tx_id=${ids}&event_limit=${MOST_EVENTS}&event_offset=${offset}&exclude_function_args=true`,
        readApiTxs,
        signal,
      )
      const now = txids.map(txid => {
        const tx = answer.get(txid)
        if (tx === undefined || !tx.isCanonical || tx.headerHash !== block.headerHash)
          throw reorged(`transaction ${txid} is not in block ${block.height} any more`)
        return tx
      })
      found =
        window === 0 ? now : now.map((tx, i) => ({ ...tx, events: [...found[i]!.events, ...tx.events] }))
      if (found.every(({ events, eventCount }) => events.length >= eventCount)) break
    }
    const short = found.find(({ events, eventCount }) => events.length !== eventCount)
    if (short !== undefined)
      throw new NodeError(
        'node.shape',
        `${short.events.length} events of transaction ${short.txid} came, ${short.eventCount} were announced.`,
        { hint: 'The block was not stored; it is asked for again.' },
      )
    return found
  }

  return {
    page,
    raw,
    others,
    txidsOf,
    receipts,
    block: (at, signal) => json(`/extended/v2/blocks/${at}`, readApiBlock, signal),
    cycles: async signal =>
      (await json('/extended/v2/pox/cycles?limit=60', readResults(readCycle), signal)) ?? [],
  }
}

/** A part of a kind that no rule here knows. */
const STRANGE = 'decode.unknown_kind'

/** Null for a block that holds such a part: its transactions are read one by one, and that one is kept raw. */
function unlessStrange(prove: () => RawBlock): RawBlock | null {
  try {
    return prove()
  } catch (thrown) {
    if (thrown instanceof NodeError && thrown.facts.reason === STRANGE) return null
    throw thrown
  }
}

const consensusHashIn = (json: unknown): Hex => {
  const [found] = readSortitions(json)
  if (found === undefined) throw new MessageError('missing', 'no sortition is listed')
  return found.consensusHash
}

const gap = (name: string, path: string): NodeError =>
  new NodeError('node.gap', `${name} has nothing under ${path.replace(/\?.*$/, '')}, though it lists it.`, {
    hint: 'It is asked again, and others are.',
  })

const reorged = (why: string): NodeError =>
  new NodeError('node.reorged', `The chain changed while the public API of Stacks was asked: ${why}.`)

const shapeOf = (name: string, txid: Hex, cause: DecodeError): NodeError =>
  new NodeError('node.shape', `${name} gave bytes for transaction ${txid} that are none: ${cause.message}`, {
    hint: 'It is asked again, and others are.',
    cause,
  })
