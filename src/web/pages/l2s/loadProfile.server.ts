import { data, type RouterContextProvider } from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import type { LayerAbout, LayerDirectory, LayerProfile } from '#http/contract.ts'
import { nearestNames } from '#kernel/nearest.ts'
import { chainMark } from '../../blocks/load/chainMark.server.ts'
import { answering } from '../answering.server.ts'
import { loadFigures } from '../chain/loadFigures.server.ts'
import type { Failure } from '../failure.ts'
import type { AddressRow } from './ProfileTables.tsx'
import { profileFigures } from './specs.ts'
import { profilePath } from './words.ts'

/** Everything that the page of one layer shows. A name that is none answers 404 with the nearest. */
export async function loadProfile(name: string, url: URL, context: Readonly<RouterContextProvider>) {
  const api = context.get(apiContext)
  const { items } = await answering('The list of layers', () => api.directory.list())
  if (!items.some(({ slug }) => slug === name)) throw data(unknownLayer(name, items), { status: 404 })
  const isFollowable = context.get(siteContext).layers.some(({ id }) => id === name)
  const [layer, about] = await answering(name, () =>
    Promise.all([api.directory.layer(name), isFollowable ? api.layer(name).about() : undefined]),
  )
  const page = profileFigures(layer.name, layer.sentence)
  const { mark, charts, ...figures } = await answering(layer.name, () =>
    loadFigures(page, name, url, context),
  )
  return {
    ...figures,
    charts: charts.filter(({ state }) => state !== 'uncovered'),
    specs: page.charts.map(({ lines: _, most: __, ...chart }) => chart),
    layer,
    addresses: addressesOf(layer, about),
    publicUrl: context.get(siteContext).publicUrl,
    mark: mark ?? chainMark(layer.asOf, url),
  }
}

/** Those of the layer’s own file, and those that come with the facts by which its blocks are followed. */
function addressesOf({ slug, addresses }: LayerProfile, about: LayerAbout | undefined): AddressRow[] {
  const own = addresses.map(({ chain, address, role }) => ({ chain, address, role }))
  if (about === undefined) return own
  const known = new Set(own.map(({ address }) => address))
  return [
    ...own,
    ...about.reserve.addresses
      .filter(address => !known.has(address))
      .map(address => ({
        chain: 'bitcoin',
        address,
        role: 'reserve of the bridge, as public adapters count it',
      })),
    ...about.bridges.flatMap(({ name, kind, addresses: sides }) =>
      sides.map(address => ({ chain: slug, address, role: `${name}, ${kind}` })),
    ),
    ...about.systemContracts.map(({ name, address, role }) => ({
      chain: slug,
      address,
      role: role === name ? name : `${name}: ${role}`,
    })),
  ]
}

function unknownLayer(name: string, items: LayerDirectory['items']): Failure {
  const slugs = new Map(
    items.flatMap(
      ({ slug, name: full }) =>
        [
          [slug, slug],
          [full, slug],
        ] as const,
    ),
  )
  const nearest = [...new Set(nearestNames(name, [...slugs.keys()], 5).map(known => slugs.get(known)))]
  return {
    title: 'Page not found',
    detail: `The catalog has no layer called “${name.slice(0, 60)}”.`,
    hint: undefined,
    code: 'http.layer',
    nearest: nearest.flatMap(slug =>
      items
        .filter(item => item.slug === slug)
        .map(item => ({ path: profilePath(item.slug), label: item.name })),
    ),
  }
}
