import { nearestNames } from '#kernel/nearest.ts'
import { existingPages } from '../site.ts'

/** Existing pages whose address is most like the one asked for, best first. */
export function nearestPages(path: string): { path: string; label: string }[] {
  const pages = existingPages()
  const names = nearestNames(
    path,
    pages.map(page => page.path),
  )
  return names.flatMap(name =>
    pages.filter(page => page.path === name).map(({ path: found, label }) => ({ path: found, label })),
  )
}
