import { existingPages, type SitePage } from '../../site.ts'

/** The page of a layer: its own of the sidebar, else its entry in the list of Bitcoin layers; undefined where neither is there. */
export function pathOfLayer(site: readonly SitePage[], entity: string): string | undefined {
  const paths = new Set(existingPages(site).map(({ path }) => path))
  if (paths.has(`/${entity}`)) return `/${entity}`
  return paths.has('/bitcoin/l2s') ? `/bitcoin/l2s/${entity}` : undefined
}
