import { createContext, useContext, useMemo } from 'react'
import type { SiteLayer } from '#http/context.ts'
import { type SitePage, siteWith } from '../site.ts'

export type { SiteLayer } from '#http/context.ts'

/** The EVM layers of the site, as its server’s catalogue has them. */
export const LayersContext = createContext<readonly SiteLayer[]>([])

export const useLayers = (): readonly SiteLayer[] => useContext(LayersContext)

/** The map of the site with the pages of its layers. */
export function useSite(): readonly SitePage[] {
  const layers = useLayers()
  return useMemo(() => siteWith(layers), [layers])
}
