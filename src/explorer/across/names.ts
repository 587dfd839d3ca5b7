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

export type TokenWords = { symbol: string; decimals: number | null; kind: string | null; id: string | null }
export type Tokens = (chain: string, contract: string) => TokenWords | null

const keyOf = (chain: string, contract: string): string =>
  `${chain} ${contract.startsWith('0x') ? contract.toLowerCase() : contract}`

/** Tokens that the catalogue lists, by chain and contract: anybody may call another one by their names. */
export function tokensOf(catalog: Pick<Catalog, 'tokens'>, layers: LayerCatalog): Tokens {
  const listed = new Map<string, TokenWords>()
  for (const { id, tokens } of layers.chains)
    for (const { address, symbol, decimals } of tokens)
      listed.set(keyOf(id, address), { symbol, decimals, kind: null, id: null })
  for (const { id, symbol, kind, deployments } of catalog.tokens)
    for (const { layer, contract, decimals } of deployments)
      listed.set(keyOf(layer, contract), { symbol, decimals, kind, id })
  return (chain, contract) => listed.get(keyOf(chain, contract)) ?? null
}

/** Names of contracts of all chains by the catalogue: tokens, applications, contracts of the chains themselves. */
export function namesOf(
  catalog: Pick<Catalog, 'tokens' | 'protocols' | 'collections'>,
  layers: LayerCatalog,
): Names {
  const known = new Map<string, KnownContract>()
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
  for (const { name, contract } of catalog.collections)
    put('stacks', contract, { name, role: 'collection of NFTs', protocol: null })
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
