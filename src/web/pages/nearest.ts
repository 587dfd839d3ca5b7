import { nearestNames } from '#kernel/nearest.ts'
import { existingPages, type SitePage } from '../site.ts'

/** Existing pages whose address is most like the one asked for, best first. */
export function nearestPages(path: string, site: readonly SitePage[]): { path: string; label: string }[] {
  const pages = existingPages(site)
  const names = nearestNames(
    path,
    pages.map(page => page.path),
  )
  return names.flatMap(name =>
    pages.filter(page => page.path === name).map(({ path: found, label }) => ({ path: found, label })),
  )
}
