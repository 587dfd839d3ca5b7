import { isApp } from './pages/apps/apps.ts'

/**
 * The map of the site, written once but for the EVM layers, which the catalogue names: addresses of the specification, their labels, and where the menus show them.
 * A page exists when it names its `file`; menus, footer, search and the not-found page list existing pages only.
 */

export const MENU_GROUPS = ['Analyze', 'Layers', 'Applications', 'Research'] as const
export type MenuGroup = (typeof MENU_GROUPS)[number]

export type SitePage = {
  path: string
  label: string
  /** Route module under `src/web`; absent while the page does not exist. */
  file?: string
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
  file: 'pages/layers/LayerPage.tsx',
  frames: 'own',
})
/** One kind of page, filled by the catalogue and by its declaration in `pages/apps/specs/`. */
const application = (path: string, label: string): SitePage => ({
  path,
  label,
  place: 'Applications',
  ...(isApp(path.slice(1)) && { file: 'pages/apps/AppPage.tsx', frames: 'own' as const }),
})

/** What stands before the EVM layers of the catalogue. */
const BEFORE_LAYERS: readonly SitePage[] = [
  { path: '/analyze/alpha21', label: 'Alpha21', place: 'Analyze', badge: 'beta' },
  {
    path: '/',
    label: 'Bitcoin L2 Compare',
    place: 'Analyze',
    file: 'pages/compare/ComparePage.tsx',
    frames: 'own',
  },
  { path: '/analyze/bitcoin-defi-indices', label: 'Bitcoin DeFi Indices', place: 'Analyze' },
  { path: '/analyze/bitcoin-yield', label: 'Bitcoin Yield', place: 'Analyze' },
  {
    path: '/analyze/bitcoin-treasuries',
    label: 'Bitcoin Treasuries',
    place: 'Analyze',
    file: 'pages/treasuries/TreasuriesPage.tsx',
    frames: 'own',
  },
  { path: '/developer-activity', label: 'Developer Activity', place: 'Analyze' },
  { path: '/analyze/wallet-tracker', label: 'Wallet Tracker', place: 'Analyze' },

  { ...layer('/bitcoin', 'Bitcoin'), file: 'pages/bitcoin/BitcoinPage.tsx', frames: 'own' },
  {
    ...layer('/stacks', 'Stacks'),
    file: 'pages/stacks/OverviewPage.tsx',
    frames: 'own',
    children: [
      { path: '/stacks', label: 'Overview', file: 'pages/stacks/OverviewPage.tsx' },
      { path: '/stacks/defi', label: 'DeFi', file: 'pages/stacks/DefiPage.tsx', frames: 'own' },
      {
        path: '/stacks/stablecoins',
        label: 'Stablecoins',
        file: 'pages/stacks/coins/StablecoinsPage.tsx',
        frames: 'own',
      },
      {
        path: '/stacks/meme-coins',
        label: 'Memecoins',
        file: 'pages/stacks/coins/MemeCoinsPage.tsx',
        frames: 'own',
      },
      { path: '/stacks/mining', label: 'Mining', file: 'pages/stacks/MiningPage.tsx', frames: 'own' },
      { path: '/stacks/sip-031', label: 'SIP-031', file: 'pages/stacks/Sip031Page.tsx', frames: 'own' },
      { path: '/stacks/sip-033', label: 'SIP-033', file: 'pages/stacks/Sip033Page.tsx', frames: 'own' },
    ],
  },
  { path: '/stacks/stacking', label: 'Stacking', file: 'pages/stacks/StackingPage.tsx', frames: 'own' },
  { path: '/stacks/sbtc', label: 'sBTC', file: 'pages/stacks/sbtc/SbtcPage.tsx', frames: 'own' },
  { path: '/stacks/yield', label: 'Yield of stacking', file: 'pages/stacks/yield/YieldPage.tsx' },
]

/** What stands behind them. */
const AFTER_LAYERS: readonly SitePage[] = [
  application('/alex', 'ALEX'),
  application('/arkadiko', 'Arkadiko'),
  application('/bitflow', 'Bitflow'),
  application('/granite', 'Granite'),
  application('/hermetica', 'Hermetica'),
  application('/lisa', 'LISA'),
  application('/stacking-dao', 'StackingDAO'),
  application('/velar', 'Velar'),
  application('/zest', 'Zest'),

  { path: '/reports', label: 'Featured Reports', place: 'Research' },

  { path: '/dashboards', label: 'Custom Dashboards', place: 'top', feature: 'dashboard' },
  { path: '/Query', label: 'Run Queries', place: 'top', feature: 'query' },
  {
    path: '/bitcoin/l2s',
    label: 'Bitcoin L2s',
    place: 'top',
    file: 'pages/l2s/DirectoryPage.tsx',
    frames: 'below',
  },
  { path: '/pricing', label: 'Pricing', place: 'top' },

  { path: '/About', label: 'About Us', place: 'footer' },
  { path: '/Terms', label: 'Terms of Service', place: 'footer' },
  { path: '/Privacy', label: 'Privacy Policy', place: 'footer' },
  { path: '/Contact', label: 'Contact Us', place: 'footer' },

  // In no menu: each is reached from the pages of the layers, from /dashboards and by search.
  {
    path: '/dashboards/hotcontracts',
    label: 'Hot contracts',
    file: 'pages/across/HotContractsPage.tsx',
  },
  // A meme coin has no place in the menu: it is reached from meme coins, tokens and search.
  { path: '/welsh', label: 'Welshcorgicoin', file: 'pages/apps/AppPage.tsx', frames: 'own' },
  { path: '/popularcalls', label: 'Popular calls', file: 'pages/across/PopularCallsPage.tsx' },
  { path: '/contractsdeployed', label: 'Contracts deployed', file: 'pages/across/DeployedPage.tsx' },
  { path: '/dashboards/discovermints', label: 'Discover mints', file: 'pages/across/MintsPage.tsx' },
  { path: '/addressbalance', label: 'Address balances', file: 'pages/across/BalancesPage.tsx' },
  { path: '/tokens', label: 'Tokens', file: 'pages/across/TokensPage.tsx' },
  { path: '/collections', label: 'NFT collections', file: 'pages/across/CollectionsPage.tsx' },
  { path: '/tvl', label: 'Value locked', file: 'pages/across/TvlPage.tsx' },

  { path: '/status', label: 'Status', file: 'pages/StatusPage.tsx' },
]

/** The whole map, with the pages of these EVM layers. */
export const siteWith = (layers: readonly { id: string; name: string }[]): readonly SitePage[] => [
  ...BEFORE_LAYERS,
  ...layers.map(({ id, name }) => evmLayer(`/${id}`, name)),
  ...AFTER_LAYERS,
]

/** Pages that exist, children included, each once: the first child of a branch may be the branch itself. */
export const existingPages = (pages: readonly SitePage[]): SitePage[] =>
  pages.flatMap(page => [
    ...(page.file ? [page] : []),
    ...existingPages((page.children ?? []).filter(({ path }) => path !== page.path)),
  ])

/** Pages that exist and that a menu shows at this place. */
export const pagesAt = (site: readonly SitePage[], place: SitePage['place']): SitePage[] =>
  site.filter(page => page.place === place && page.file !== undefined)

/** Whether the charts of a page may be shown in a frame of another site. */
export const isFramed = (site: readonly SitePage[], path: string): boolean =>
  existingPages(site).some(page =>
    page.frames === 'below' ? path.startsWith(`${page.path}/`) : page.frames === 'own' && page.path === path,
  )
