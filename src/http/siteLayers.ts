import type { ServerBuild } from 'react-router'
import { type Catalog, CatalogError } from '#catalog/index.ts'
import { rpcVariableOf } from '#kernel/evm.ts'
import type { SiteLayer } from './context.ts'

/** The EVM layers of the catalogue as pages know them. */
export const siteLayers = ({ evm, layers }: Pick<Catalog, 'evm' | 'layers'>): readonly SiteLayer[] =>
  evm.map(({ id, name, coin, stack }) => {
    const profile = layers.find(({ slug }) => slug === id)
    return {
      id,
      name,
      coin: coin.symbol,
      token: profile?.token ?? null,
      variable: rpcVariableOf(id),
      hasL1Fee: stack === 'op',
      hasProfile: profile !== undefined,
    }
  })

/** First parts of addresses that are no page. */
const OTHERS: readonly string[] = ['api', 'assets', 'healthz']

/** A layer has its page at its id. Throws `catalog.invalid` where another page of this build has that address. */
export function checkAddresses(layers: readonly SiteLayer[], routes: ServerBuild['routes']): void {
  const taken = new Set([
    ...OTHERS,
    ...Object.values(routes).map(route => route?.path?.split('/')[0]?.toLowerCase()),
  ])
  const clash = layers.find(({ id }) => taken.has(id))
  if (clash !== undefined)
    throw new CatalogError(
      'catalog.invalid',
      `catalog/chains/${clash.id}.json, id: /${clash.id} is the address of another page`,
      { facts: { file: `catalog/chains/${clash.id}.json`, field: 'id' } },
    )
}
