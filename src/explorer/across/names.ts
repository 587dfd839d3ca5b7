import type { Catalog } from '#catalog/index.ts'
import type { LayerCatalog } from '../layers/index.ts'

/** A name that the catalogue has for a contract, and what it does there. */
export type KnownContract = {
  name: string
  role: string
  /** Slug of the application that it belongs to. */
  protocol: string | null
}
export type Names = (chain: string, contract: string) => KnownContract | null

/** Names of contracts of all chains by the catalogue: tokens, applications, contracts of the chains themselves. */
export function namesOf(catalog: Pick<Catalog, 'tokens' | 'protocols'>, layers: LayerCatalog): Names {
  const known = new Map<string, KnownContract>()
  const keyOf = (chain: string, contract: string): string =>
    `${chain} ${contract.startsWith('0x') ? contract.toLowerCase() : contract}`
  const put = (chain: string, contract: string, name: KnownContract): void => {
    const key = keyOf(chain, contract)
    if (!known.has(key)) known.set(key, name)
  }
  for (const { name, slug, contracts } of catalog.protocols)
    for (const { layer, address, role } of contracts)
      put(layer, address, { name: `${name}: ${role}`, role, protocol: slug })
  for (const { symbol, name, deployments } of catalog.tokens)
    for (const { layer, contract } of deployments)
      put(layer, contract, { name: symbol, role: `token ${name}`, protocol: null })
  for (const { id, systemContracts, tokens, bridges, dapps } of layers.chains) {
    for (const { address, name, role } of systemContracts) put(id, address, { name, role, protocol: null })
    for (const { address, symbol, kind } of tokens)
      put(id, address, { name: symbol, role: kind, protocol: null })
    for (const { addresses, name, kind } of bridges)
      for (const address of addresses) put(id, address, { name, role: kind, protocol: null })
    for (const { name: dapp, contracts } of dapps)
      for (const { address, name, role } of contracts)
        put(id, address, { name: `${dapp}: ${name}`, role, protocol: null })
  }
  return (chain, contract) => known.get(keyOf(chain, contract)) ?? null
}
