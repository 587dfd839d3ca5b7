import { data, type RouterContextProvider } from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import type { LayerDirectory } from '#http/contract.ts'
import { nearestNames } from '#kernel/nearest.ts'
import { answering } from '../answering.server.ts'
import type { Failure } from '../failure.ts'
import { profilePath } from './words.ts'

/** Everything that the page of one layer shows. A name that is none answers 404 with the nearest. */
export async function loadProfile(name: string, context: Readonly<RouterContextProvider>) {
  const { directory } = context.get(apiContext)
  const { items } = await answering('The list of layers', () => directory.list())
  if (!items.some(({ slug }) => slug === name)) throw data(unknownLayer(name, items), { status: 404 })
  const layer = await answering(name, () => directory.layer(name))
  return { layer, publicUrl: context.get(siteContext).publicUrl }
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
    title: 'There is no such layer',
    detail: `The catalogue has no layer called “${name.slice(0, 60)}”.`,
    hint: undefined,
    code: 'http.layer',
    nearest: items
      .filter(({ slug }) => nearest.includes(slug))
      .map(({ slug, name: label }) => ({ path: profilePath(slug), label })),
  }
}
