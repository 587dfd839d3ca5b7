import type { SitePage } from '../site.ts'
import type { Failure } from './failure.ts'
import { nearestPages } from './nearest.ts'

/** What is said at an address that the site does not have. */
export const noSuchPage = (path: string, site: readonly SitePage[]): Failure => ({
  title: 'Page not found',
  detail: `There is no page at ${path.slice(0, 120)}.`,
  hint: undefined,
  code: undefined,
  nearest: nearestPages(path, site),
})
