import type { SitePage } from '../site.ts'
import type { Failure } from './failure.ts'
import { nearestPages } from './nearest.ts'

/** What is said at an address that the site does not have. */
export const noSuchPage = (path: string, site: readonly SitePage[]): Failure => ({
  title: 'There is no such page',
  detail: `Nothing answers at ${path.slice(0, 120)}. Addresses tell upper from lower case here.`,
  hint: undefined,
  code: undefined,
  nearest: nearestPages(path, site),
})
