import { z } from 'zod'
import { readFacts } from '#catalog/index.ts'
import {
  ChainFacts,
  EventFacts,
  type EvmChainFacts,
  type EvmEventFacts,
  type EvmFunctionFacts,
  FunctionFacts,
} from '#chains/evm/index.ts'
import { EVM_LAYERS } from '#kernel/evm.ts'

/** The EVM layers in the order of `EVM_LAYERS`, and the contract events and functions that mean the same on each. */
export type EvmCatalog = {
  readonly chains: readonly EvmChainFacts[]
  readonly events: EvmEventFacts
  readonly functions: EvmFunctionFacts
}

/**
 * The facts of the EVM layers in `catalog/`. Apart from `readCatalog`, because checking them loads the EVM codec. Throws
 * `catalog.invalid` with file, field and reason of the first fault.
 */
export async function readEvmCatalog(dir: string): Promise<EvmCatalog> {
  const [events, functions, ...chains] = await Promise.all([
    readFacts(dir, 'evm/events.json', EventFacts),
    readFacts(dir, 'evm/functions.json', FunctionFacts),
    ...EVM_LAYERS.map(id => readFacts(dir, `chains/${id}.json`, ChainFacts.extend({ id: z.literal(id) }))),
  ])
  return { chains, events, functions }
}
