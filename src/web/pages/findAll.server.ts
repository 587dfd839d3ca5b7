import type { SiteEntities, SiteLayer } from '#http/context.ts'
import type { Api } from '#http/contract.ts'
import { grouped } from '../format/figure.ts'
import { existingPages, siteWith } from '../site.ts'
import { profilePath } from './l2s/words.ts'

export type Found = {
  pages: { path: string; label: string }[]
  metrics: { assay: string; name: string; entity: string; definition: string; page: string }[]
}

const MOST = 20

const exists = (ask: () => Promise<unknown>): Promise<boolean> =>
  ask().then(
    () => true,
    () => false,
  )

/** Where a block, a transaction, a contract, an address or a name of Stacks opens; undefined where nothing of it is held. */
async function findOnStacks({ stacks }: Api, asked: string): Promise<string | undefined> {
  const id = asked.trim()
  const hash = id.replace(/^0x/i, '').toLowerCase()
  if (/^[0-9a-f]{64}$/.test(hash)) {
    if (await exists(() => stacks.tx(hash))) return `/stacks/tx/${hash}`
    if (await exists(() => stacks.block(hash))) return `/stacks/block/${hash}`
  }
  if (/^S[0-9A-Z]{20,50}\.[\w-]+$/i.test(id)) {
    const contract = `${id.slice(0, id.indexOf('.')).toUpperCase()}${id.slice(id.indexOf('.'))}`
    if (await exists(() => stacks.contract(contract))) return `/stacks/contract/${contract}`
  }
  if (/^S[0-9A-Z]{20,50}$/i.test(id) && (await exists(() => stacks.address(id.toUpperCase()))))
    return `/stacks/address/${id.toUpperCase()}`
  if (!BNS_NAME.test(id)) return undefined
  const owner = await stacks.name(id).then(
    ({ owner: found }) => found,
    () => undefined,
  )
  return owner === undefined ? undefined : `/stacks/${owner.includes('.') ? 'contract' : 'address'}/${owner}`
}

/** As both versions of BNS let a name be. */
const BNS_NAME = /^[a-z0-9_-]{1,48}\.[a-z0-9_-]{1,20}$/i

/** Where a transaction, a block or an address of an EVM layer opens, of the first layer that holds it. */
async function findOnLayers(
  api: Api,
  layers: readonly SiteLayer[],
  asked: string,
): Promise<string | undefined> {
  const id = asked.trim()
  const isHash = /^(0x)?[0-9a-f]{64}$/i.test(id)
  const isAddress = /^0x[0-9a-f]{40}$/i.test(id)
  if (!isHash && !isAddress) return undefined
  const found = await Promise.all(
    layers.map(async ({ id: layer }) => {
      const own = api.layer(layer)
      if (isAddress) return (await exists(() => own.account(id))) ? `/${layer}/address/${id}` : undefined
      if (await exists(() => own.tx(id))) return `/${layer}/tx/0x${id.toLowerCase().replace(/^0x/, '')}`
      return (await exists(() => own.block(id))) ? `/${layer}/block/${id}` : undefined
    }),
  )
  return found.find(path => path !== undefined)
}

/** The blocks of this height on all chains that hold one. */
async function findBlocks(api: Api, layers: readonly SiteLayer[], height: number): Promise<Found['pages']> {
  const id = String(height)
  const asked = [
    { path: '/bitcoin', name: 'Bitcoin', block: () => api.block(id) },
    { path: '/stacks', name: 'Stacks', block: () => api.stacks.block(id) },
    ...layers.map(({ id: layer, name }) => ({
      path: `/${layer}`,
      name,
      block: () => api.layer(layer).block(id),
    })),
  ]
  const held = await Promise.all(asked.map(({ block }) => exists(block)))
  return asked
    .filter((_, i) => held[i])
    .map(({ path, name }) => ({ path: `${path}/block/${id}`, label: `Block ${grouped(id)} of ${name}` }))
}

/**
 * A block, transaction, contract or address gives where it opens, a height that several chains have gives the blocks; anything
 * else the pages and figures whose words match.
 */
export async function findAll(
  api: Api,
  named: SiteEntities,
  asked: string,
): Promise<{ path: string } | Found> {
  const { layers: evm } = named
  const site = siteWith(named)
  const bare = asked.replaceAll(/[,\s]/g, '').toLowerCase()
  if (/^\d{1,9}$/.test(bare)) {
    const [first, ...others] = await findBlocks(api, evm, Number(bare))
    if (first !== undefined)
      return others.length === 0 ? { path: first.path } : { pages: [first, ...others], metrics: [] }
  }
  if (/^[0-9a-f]{64}$/.test(bare)) {
    if (await exists(() => api.tx(bare))) return { path: `/bitcoin/tx/${bare}` }
    if (await exists(() => api.block(bare))) return { path: `/bitcoin/block/${bare}` }
  }
  const onStacks = await findOnStacks(api, asked)
  if (onStacks !== undefined) return { path: onStacks }
  const onLayers = await findOnLayers(api, evm, asked)
  if (onLayers !== undefined) return { path: onLayers }
  const words = asked.toLowerCase().split(/\s+/)
  const matches = (text: string) => words.every(word => text.toLowerCase().includes(word))
  const metrics = (await api.metrics()).flatMap(metric =>
    metric.entities
      .filter(entity => matches(`${metric.id} ${metric.name} ${entity} ${metric.definition}`))
      .map(entity => ({
        assay: `${metric.id}@${entity}`,
        name: metric.name,
        entity,
        definition: metric.definition,
        page: site.find(page => page.entity === entity && page.isBuilt)?.path ?? '/bitcoin',
      })),
  )
  const { items } = await api.directory.list()
  const layers = items
    .filter(({ slug, name }) => matches(`${name} ${slug}`))
    .map(({ slug, name }) => ({ path: profilePath(slug), label: `${name}, Bitcoin layer` }))
  const byName = (name: string) => (matches(name) ? 0 : 1)
  return {
    pages: [
      ...existingPages(site)
        .filter(page => matches(`${page.label} ${page.path}`))
        .map(({ path, label }) => ({ path, label })),
      ...layers,
    ],
    metrics: metrics.toSorted((a, b) => byName(a.name) - byName(b.name)).slice(0, MOST),
  }
}
