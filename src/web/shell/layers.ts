import { createContext, useContext, useMemo } from 'react'
import type { SiteEntities, SiteLayer } from '#http/context.ts'
import { type SitePage, siteWith } from '../site.ts'

export type { SiteLayer } from '#http/context.ts'

/** The EVM layers and applications of the site, as its server’s catalogue has them. */
export const EntitiesContext = createContext<SiteEntities>({ layers: [], applications: [] })

export const useLayers = (): readonly SiteLayer[] => useContext(EntitiesContext).layers

/** The map of the site with the pages of its layers and applications. */
export function useSite(): readonly SitePage[] {
  const entities = useContext(EntitiesContext)
  return useMemo(() => siteWith(entities), [entities])
}
