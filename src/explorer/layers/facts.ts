import {
  type AbiValue,
  checksumAddress,
  createEventIndex,
  createFunctionIndex,
  type EventIndex,
  type EvmChainFacts,
  type EvmEventFacts,
  type EvmFunctionFacts,
  eventsOf,
  type FunctionIndex,
  type Hex,
} from '#chains/evm/index.ts'
import type { EvmLayer } from '#kernel/evm.ts'

/** What the catalogue says of the layers, checked. */
export type LayerCatalog = {
  readonly chains: readonly EvmChainFacts[]
  readonly events: EvmEventFacts
  readonly functions: EvmFunctionFacts
}

/** A name that the catalogue has for an address, and what it does there. */
export type AddressName = { readonly name: string; readonly role: string }

/** What one layer's rows are told with. */
export type LayerWords = {
  readonly layer: EvmLayer
  readonly facts: EvmChainFacts
  readonly events: EventIndex
  readonly functions: FunctionIndex
  /** An address as the layer writes it, from 40 hexadecimal digits with or without 0x. */
  address(hex: string): string
  nameOf(hex: string): AddressName | null
  /** Symbol and decimals of the catalogue, for tokens that have not been asked. */
  tokenOf(hex: string): { symbol: string; decimals: number | null } | null
}

export function layerWords(catalog: LayerCatalog, layer: EvmLayer): LayerWords {
  const facts = catalog.chains.find(({ id }) => id === layer)
  if (facts === undefined) throw new Error(`the catalog has no layer ${layer}`)
  const names = new Map<string, AddressName>()
  const put = (address: string, name: string, role: string): void => {
    if (!names.has(address)) names.set(address, { name, role })
  }
  for (const { address, name, role } of facts.systemContracts) put(address, name, role)
  for (const { address, symbol, kind } of facts.tokens) put(address, symbol, kind)
  for (const { addresses, name, kind } of facts.bridges)
    for (const address of addresses) put(address, name, kind)
  for (const { name: dapp, contracts } of facts.dapps)
    for (const { address, name, role } of contracts) put(address, `${dapp}: ${name}`, role)
  const tokens = new Map(facts.tokens.map(token => [token.address as string, token]))
  const plain = (hex: string): Hex => `0x${hex.toLowerCase().replace(/^0x/, '')}`
  return {
    layer,
    facts,
    events: createEventIndex(eventsOf(catalog.events, facts)),
    functions: createFunctionIndex(catalog.functions),
    address: hex => checksumAddress(plain(hex), facts.checksumChainId),
    nameOf: hex => names.get(plain(hex)) ?? null,
    tokenOf: hex => tokens.get(plain(hex)) ?? null,
  }
}

/** A decoded value as text: integers in decimal, addresses as the layer writes them. */
export function valueText({ address }: Pick<LayerWords, 'address'>, value: AbiValue): string {
  if (Array.isArray(value)) return `[${value.map(one => valueText({ address }, one)).join(', ')}]`
  if (typeof value === 'string' && /^0x[0-9a-f]{40}$/.test(value)) return address(value)
  return String(value)
}
