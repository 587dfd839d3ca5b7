import type { ServerBuild } from 'react-router'
import { type Catalog, CatalogError } from '#catalog/index.ts'
import { rpcVariableOf } from '#kernel/evm.ts'
import type { SiteApplication, SiteEntities, SiteLayer } from './context.ts'

const layersOf = ({ evm, layers }: Pick<Catalog, 'evm' | 'layers'>): readonly SiteLayer[] =>
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

const applicationsOf = ({
  stacksApps,
  protocols,
}: Pick<Catalog, 'stacksApps' | 'protocols'>): readonly SiteApplication[] =>
  stacksApps.map(({ protocol, exchange, events, markets }) => ({
    slug: protocol,
    name: protocols.find(({ slug }) => slug === protocol)?.name ?? protocol,
    kind:
      exchange !== undefined ? 'exchange' : events.some(({ table }) => table === 'lend') ? 'lender' : 'other',
    markets: markets
      .toSorted((a, b) => Number(b.isMain === true) - Number(a.isMain === true))
      .map(({ id }) => id),
  }))

/** What of the site the catalogue names, as pages know it. */
export const siteOf = (
  catalog: Pick<Catalog, 'evm' | 'layers' | 'stacksApps' | 'protocols'>,
): SiteEntities => ({ layers: layersOf(catalog), applications: applicationsOf(catalog) })

/** Route modules of applications with a page of their own in this build say so in their `handle`. */
const isApplication = (handle: unknown): boolean =>
  typeof handle === 'object' && handle !== null && 'page' in handle && handle.page === 'application'

/** First parts of addresses that are no page. */
const OTHERS: readonly string[] = ['api', 'assets', 'healthz', 'readyz']

/**
 * A layer has its page at its id, an application at its slug. Throws `catalog.invalid` where another page of this build, or
 * another name of the catalogue, has that address.
 */
export function checkAddresses({ layers, applications }: SiteEntities, routes: ServerBuild['routes']): void {
  const pages = Object.values(routes).filter(route => route !== undefined)
  const taken = (ofApplications: boolean): ReadonlySet<string> =>
    new Set([
      ...OTHERS,
      ...pages
        .filter(({ module }) => !(ofApplications && isApplication(module?.handle)))
        .flatMap(({ path }) => path?.split('/')[0]?.toLowerCase() ?? []),
    ])
  const [layer] = layers.filter(({ id }) => taken(false).has(id))
  if (layer !== undefined) throw clash(`chains/${layer.id}.json`, 'id', layer.id)
  const ids = new Set([...taken(true), ...layers.map(({ id }) => id)])
  const [application] = applications.filter(({ slug }) => ids.has(slug))
  if (application !== undefined)
    throw clash(`stacks/apps/${application.slug}.json`, 'protocol', application.slug)
}

const clash = (file: string, field: string, name: string): CatalogError =>
  new CatalogError('catalog.invalid', `catalog/${file}, ${field}: /${name} is the address of another page`, {
    facts: { file: `catalog/${file}`, field },
  })
