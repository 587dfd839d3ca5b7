import { readEvmLayers, readFacts } from '#catalog/index.ts'
import {
  ChainFacts,
  EventFacts,
  type EvmChainFacts,
  type EvmEventFacts,
  type EvmFunctionFacts,
  FunctionFacts,
} from '#chains/evm/index.ts'

/** The EVM layers in the order in which lists have them, and the contract events and functions that mean the same on each. */
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
  const layers = await readEvmLayers(dir)
  const [events, functions, ...chains] = await Promise.all([
    readFacts(dir, 'evm/events.json', EventFacts),
    readFacts(dir, 'evm/functions.json', FunctionFacts),
    ...layers.map(({ id }) => readFacts(dir, `chains/${id}.json`, ChainFacts)),
  ])
  return { chains, events, functions }
}
