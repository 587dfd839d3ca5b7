import { existingPages } from '../../site.ts'

/** The page of a layer: its own of the sidebar, else its entry in the list of Bitcoin layers; undefined where neither is there. */
export function pathOfLayer(entity: string): string | undefined {
  const paths = new Set(existingPages().map(({ path }) => path))
  if (paths.has(`/${entity}`)) return `/${entity}`
  return paths.has('/bitcoin/l2s') ? `/bitcoin/l2s/${entity}` : undefined
}
