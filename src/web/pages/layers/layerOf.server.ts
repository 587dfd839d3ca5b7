import { data, type RouterContextProvider } from 'react-router'
import { siteContext } from '#http/context.ts'
import { siteWith } from '../../site.ts'
import { noSuchPage } from '../noSuchPage.ts'

/**
 * The layer that an address is about: its first part.
 * @throws a `data` response that `PageError` draws, where the catalogue has no such layer
 */
export function layerOf({ pathname }: URL, context: Readonly<RouterContextProvider>) {
  const site = context.get(siteContext)
  const [, first = ''] = pathname.split('/')
  const layer = site.layers.find(({ id }) => id === first)
  if (layer !== undefined) return layer
  throw data(noSuchPage(pathname, siteWith(site)), { status: 404 })
}
