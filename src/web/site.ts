import type { SiteEntities } from '#http/context.ts'
import { isApp } from './pages/apps/apps.ts'

/**
 * The map of the site, written once but for the EVM layers and further applications, which the catalogue names: addresses of the specification, their labels, and where the menus show them.
 * A page exists when it `isBuilt` (its route module is named in `routes.ts`); menus, footer, search and the not-found page list existing pages only.
 */

export const MENU_GROUPS = ['Analyze', 'Layers', 'Applications', 'Research'] as const
export type MenuGroup = (typeof MENU_GROUPS)[number]

export type SitePage = {
  path: string
  label: string
  /** Absent while the page does not exist. */
  isBuilt?: true
  /** Where a menu shows it; pages without a place are reached from other pages. */
  place?: MenuGroup | 'top' | 'footer'
  /** Colour of its dot: the entity that the page is about. */
  entity?: string
  badge?: 'beta'
  /** Feature that its menu entry needs. */
  feature?: 'dashboard' | 'query'
  /** Whose charts stand alone in frames of other sites (`pages/embed/chartPages.server.ts`): its own, or of pages below it. */
  frames?: 'own' | 'below'
  children?: SitePage[]
}

const layer = (path: string, label: string): SitePage => ({
  path,
  label,
  place: 'Layers',
  entity: path.slice(1),
})
/** One kind of page, filled by the catalogue. */
const evmLayer = (path: string, label: string): SitePage => ({
  ...layer(path, label),
  isBuilt: true,
  frames: 'own',
})
/** One kind of page, filled by the catalogue and by its declaration in `pages/apps/specs/`. */
const application = (path: string, label: string): SitePage => ({
  path,
  label,
  place: 'Applications',
  ...(isApp(path.slice(1)) && { isBuilt: true as const, frames: 'own' as const }),
})

/** One that the catalogue’s file of it makes: its page is that of its kind. */
const furtherApplication = (slug: string, label: string): SitePage => ({
  path: `/${slug}`,
  label,
  place: 'Applications',
  isBuilt: true,
  frames: 'own',
})

/** What stands before the EVM layers of the catalogue. */
const BEFORE_LAYERS: readonly SitePage[] = [
  {
    path: '/analyze/alpha21',
    label: 'Alpha21',
    place: 'Analyze',
    badge: 'beta',
    isBuilt: true,
  },
  {
    path: '/',
    label: 'Bitcoin L2 Compare',
    place: 'Analyze',
    isBuilt: true,
    frames: 'own',
  },
  {
    path: '/analyze/bitcoin-defi-indices',
    label: 'Bitcoin DeFi Indices',
    place: 'Analyze',
    isBuilt: true,
    frames: 'own',
  },
  {
    path: '/analyze/bitcoin-yield',
    label: 'Bitcoin Yield',
    place: 'Analyze',
    isBuilt: true,
    frames: 'own',
  },
  {
    path: '/analyze/bitcoin-treasuries',
    label: 'Bitcoin Treasuries',
    place: 'Analyze',
    isBuilt: true,
    frames: 'own',
  },
  {
    path: '/developer-activity',
    label: 'Developer Activity',
    place: 'Analyze',
    isBuilt: true,
    frames: 'own',
  },
  { path: '/analyze/wallet-tracker', label: 'Wallet Tracker', place: 'Analyze' },

  { ...layer('/bitcoin', 'Bitcoin'), isBuilt: true, frames: 'own' },
  {
    ...layer('/stacks', 'Stacks'),
    isBuilt: true,
    frames: 'own',
    children: [
      { path: '/stacks', label: 'Overview', isBuilt: true },
      { path: '/stacks/defi', label: 'DeFi', isBuilt: true, frames: 'own' },
      {
        path: '/stacks/stablecoins',
        label: 'Stablecoins',
        isBuilt: true,
        frames: 'own',
      },
      {
        path: '/stacks/meme-coins',
        label: 'Memecoins',
        isBuilt: true,
        frames: 'own',
      },
      { path: '/stacks/mining', label: 'Mining', isBuilt: true, frames: 'own' },
      { path: '/stacks/sip-031', label: 'SIP-031', isBuilt: true, frames: 'own' },
      { path: '/stacks/sip-033', label: 'SIP-033', isBuilt: true, frames: 'own' },
    ],
  },
  { path: '/stacks/stacking', label: 'Stacking', isBuilt: true, frames: 'own' },
  { path: '/stacks/sbtc', label: 'sBTC', isBuilt: true, frames: 'own' },
  { path: '/stacks/yield', label: 'Yield of stacking', isBuilt: true },
]

/** Applications that this build knows. */
const APPLICATIONS: readonly SitePage[] = [
  application('/alex', 'ALEX'),
  application('/arkadiko', 'Arkadiko'),
  application('/bitflow', 'Bitflow'),
  application('/granite', 'Granite'),
  application('/hermetica', 'Hermetica'),
  application('/lisa', 'LISA'),
  application('/stacking-dao', 'StackingDAO'),
  application('/velar', 'Velar'),
  application('/zest', 'Zest'),
]

/** What stands behind all applications. */
const AFTER_APPLICATIONS: readonly SitePage[] = [
  { path: '/reports', label: 'Featured Reports', place: 'Research', isBuilt: true },

  { path: '/dashboards', label: 'Custom Dashboards', place: 'top', feature: 'dashboard', isBuilt: true },
  { path: '/Query', label: 'Run Queries', place: 'top', feature: 'query', isBuilt: true },
  {
    path: '/bitcoin/l2s',
    label: 'Bitcoin L2s',
    place: 'top',
    isBuilt: true,
    frames: 'below',
  },
  { path: '/pricing', label: 'Pricing', place: 'top', isBuilt: true },

  { path: '/About', label: 'About Us', place: 'footer', isBuilt: true },
  { path: '/Terms', label: 'Terms of Service', place: 'footer', isBuilt: true },
  { path: '/Privacy', label: 'Privacy Policy', place: 'footer', isBuilt: true },
  { path: '/Contact', label: 'Contact Us', place: 'footer', isBuilt: true },

  // In no menu: each is reached from the pages of the layers, from /dashboards and by search.
  {
    path: '/dashboards/hotcontracts',
    label: 'Hot contracts',
    isBuilt: true,
  },
  // A meme coin has no place in the menu: it is reached from meme coins, tokens and search.
  { path: '/welsh', label: 'Welshcorgicoin', isBuilt: true, frames: 'own' },
  { path: '/popularcalls', label: 'Popular calls', isBuilt: true },
  { path: '/contractsdeployed', label: 'Contracts deployed', isBuilt: true },
  { path: '/dashboards/discovermints', label: 'Discover mints', isBuilt: true },
  { path: '/addressbalance', label: 'Address balances', isBuilt: true },
  { path: '/tokens', label: 'Tokens', isBuilt: true },
  { path: '/collections', label: 'NFT collections', isBuilt: true },
  { path: '/tvl', label: 'TVL', isBuilt: true },

  { path: '/documentation', label: 'Documentation', isBuilt: true },
  { path: '/status', label: 'Status', isBuilt: true },
]

/** What pages need to know of what the catalogue names. */
export type Named = {
  readonly layers: readonly Pick<SiteEntities['layers'][number], 'id' | 'name'>[]
  readonly applications: readonly Pick<SiteEntities['applications'][number], 'slug' | 'name'>[]
}

/** The whole map, with the pages of these EVM layers and applications. */
export const siteWith = ({ layers, applications }: Named): readonly SitePage[] => [
  ...BEFORE_LAYERS,
  ...layers.map(({ id, name }) => evmLayer(`/${id}`, name)),
  ...APPLICATIONS,
  ...applications.filter(({ slug }) => !isApp(slug)).map(({ slug, name }) => furtherApplication(slug, name)),
  ...AFTER_APPLICATIONS,
]

/** Pages that exist, children included, each once: the first child of a branch may be the branch itself. */
export const existingPages = (pages: readonly SitePage[]): SitePage[] =>
  pages.flatMap(page => [
    ...(page.isBuilt ? [page] : []),
    ...existingPages((page.children ?? []).filter(({ path }) => path !== page.path)),
  ])

/** Pages that exist and that a menu shows at this place. */
export const pagesAt = (site: readonly SitePage[], place: SitePage['place']): SitePage[] =>
  site.filter(page => page.place === place && page.isBuilt)

/** Whether the charts of a page may be shown in a frame of another site. */
export const isFramed = (site: readonly SitePage[], path: string): boolean =>
  existingPages(site).some(page =>
    page.frames === 'below' ? path.startsWith(`${page.path}/`) : page.frames === 'own' && page.path === path,
  )
