import { AssayError } from '#kernel/errors.ts'
import type { EvmBlock } from '../block.ts'
import { DecodeError, inField } from '../errors.ts'
import type { EvmReceipt } from '../receipt.ts'
import {
  type ContractCreation,
  creationsOf,
  type EvmCall,
  readCallTracer,
  readTraceBlock,
} from '../traces.ts'
import type { EvmTransaction } from '../transaction.ts'
import type { EvmClient } from './client.ts'
import type { RpcCall } from './endpoint.ts'
import { hexNumber } from './logRanges.ts'

/** Finds contracts that transactions made on their way, by whichever tracer the endpoints offer. */
export type TracesReader = {
  /** The contracts of each block, in order; null where no endpoint traced this very block. */
  creationsIn(
    blocks: readonly EvmBlock[],
    signal?: AbortSignal,
  ): Promise<(readonly ContractCreation[] | null)[]>
}

type Tracer = { readonly call: (number: number) => RpcCall; readonly read: (answer: unknown) => EvmCall[] }

/** geth and what descends from it; then Rootstock, Erigon, Nethermind. */
const TRACERS: readonly Tracer[] = [
  {
    call: number => ['debug_traceBlockByNumber', hexNumber(number), { tracer: 'callTracer' }],
    read: readCallTracer,
  },
  { call: number => ['trace_block', hexNumber(number)], read: readTraceBlock },
]
/** Traces are large, and slow to make. */
const BLOCKS_A_REQUEST = 5

/** A creation costs 32,000 gas and its transaction 21,000 (EIP-2, EIP-150); refunds give back half at most. */
const LEAST_GAS = 26_500n

export function createTracesReader(client: EvmClient): TracesReader {
  let offered = [...TRACERS]

  async function ask(
    blocks: readonly EvmBlock[],
    signal?: AbortSignal,
  ): Promise<(readonly ContractCreation[] | null)[]> {
    for (const tracer of [...offered]) {
      try {
        return await client.batch(
          results =>
            blocks.map((block, i) => {
              const calls = inField(block.header.number, () => tracer.read(results[i]))
              return isOf(block, calls) ? creationsOf(calls) : null
            }),
          blocks.map(({ header }) => tracer.call(header.number)),
          signal,
        )
      } catch (thrown) {
        signal?.throwIfAborted()
        if (!(thrown instanceof AssayError)) throw thrown
        // What is not offered, or speaks another form, is not asked for again; any other refusal is of these blocks.
        if (thrown.code === 'node.method' || thrown instanceof DecodeError)
          offered = offered.filter(other => other !== tracer)
        else return blocks.map(() => null)
      }
    }
    return blocks.map(() => null)
  }

  return {
    async creationsIn(blocks, signal) {
      const found: (readonly ContractCreation[] | null)[] = blocks.map(() => [])
      const wanted = blocks.flatMap((block, i) => (mayCreate(block) ? [i] : []))
      for (let at = 0; at < wanted.length; at += BLOCKS_A_REQUEST) {
        const some = wanted.slice(at, at + BLOCKS_A_REQUEST)
        const creations = await ask(
          some.map(i => blocks[i]!),
          signal,
        )
        for (const [n, i] of some.entries()) found[i] = creations[n]!
      }
      return found
    },
  }
}

const mayCreate = ({ transactions, receipts }: EvmBlock): boolean =>
  transactions.some((tx, i) => tx.input !== '0x' && hasGasFor(receipts?.[i]))

const hasGasFor = (receipt: EvmReceipt | undefined): boolean =>
  receipt === undefined || (receipt.isSuccess !== false && receipt.gasUsed >= LEAST_GAS)

/** Block and traces are two answers, and a reorg may lie between: each transaction must be one that the block holds. */
function isOf({ transactions }: EvmBlock, calls: readonly EvmCall[]): boolean {
  const roots = new Map(
    calls.filter(({ path }) => path.length === 0).map(root => [root.transactionIndex, root]),
  )
  // REMASC runs no code that could be traced.
  return transactions.every((tx, i) => tx.kind === 'remasc' || isSameCall(roots.get(i), tx))
}

const isSameCall = (root: EvmCall | undefined, tx: EvmTransaction): boolean =>
  root !== undefined &&
  root.from === tx.from &&
  (tx.to === null || root.to === tx.to) &&
  root.input === tx.input
