import type { SiteEntities } from '#http/context.ts'
import type { NamedPage } from '#search/index.ts'
import { type SitePage, siteWith } from './site.ts'

/** Pages that stand in no menu and have names of their own. */
const FURTHER: readonly NamedPage[] = [
  { path: '/documentation/metrics', label: 'Metrics', kind: 'page', within: 'Documentation' },
  { path: '/documentation/tables', label: 'Tables', kind: 'page', within: 'Documentation' },
  { path: '/documentation/sources', label: 'Sources', kind: 'page', within: 'Documentation' },
  { path: '/documentation/console', label: 'API console', kind: 'page', within: 'Documentation' },
  { path: '/errors', label: 'Errors', kind: 'page', within: 'Documentation' },
]

/** The map of the site as its search knows it: pages that exist, each once, with where they belong. */
export const namedPages = (named: SiteEntities): NamedPage[] => [
  ...siteWith(named).flatMap(page => [
    ...(page.isBuilt ? [namedPage(page)] : []),
    ...(page.children ?? [])
      .filter(({ path, isBuilt }) => isBuilt && path !== page.path)
      .map(child => namedPage(child, page.label)),
  ]),
  ...FURTHER,
]

function namedPage({ path, label, place, entity }: SitePage, parent?: string): NamedPage {
  const within = parent ?? (place === 'top' || place === 'footer' ? undefined : place)
  return {
    path,
    label,
    kind: place === 'Layers' ? 'layer' : place === 'Applications' ? 'application' : 'page',
    ...(within !== undefined && { within }),
    ...(entity !== undefined && { entity }),
  }
}
