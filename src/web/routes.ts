import { index, layout, type RouteConfig, type RouteConfigEntry, route } from '@react-router/dev/routes'
import { existingPages, siteWith } from './site.ts'

/** React Router ignores case by default; our addresses do not. One file may serve many addresses, so each has an id of its own. */
const page = (path: string, file: string): RouteConfigEntry =>
  route(path.replace(/^\//, ''), file, { caseSensitive: true, id: path })

/** Route modules under `src/web` of the pages that `site.ts` says are built. Applications have one kind of page. */
const FILES: Readonly<Record<string, string>> = {
  '/analyze/alpha21': 'pages/alpha21/Alpha21Page.tsx',
  '/': 'pages/compare/ComparePage.tsx',
  '/analyze/bitcoin-defi-indices': 'pages/indices/IndicesPage.tsx',
  '/analyze/bitcoin-yield': 'pages/yields/YieldsPage.tsx',
  '/analyze/bitcoin-treasuries': 'pages/treasuries/TreasuriesPage.tsx',
  '/developer-activity': 'pages/developers/DevelopersPage.tsx',
  '/stacks': 'pages/stacks/OverviewPage.tsx',
  '/stacks/defi': 'pages/stacks/DefiPage.tsx',
  '/stacks/stablecoins': 'pages/stacks/coins/StablecoinsPage.tsx',
  '/stacks/meme-coins': 'pages/stacks/coins/MemeCoinsPage.tsx',
  '/stacks/mining': 'pages/stacks/MiningPage.tsx',
  '/stacks/sip-031': 'pages/stacks/Sip031Page.tsx',
  '/stacks/sip-033': 'pages/stacks/Sip033Page.tsx',
  '/stacks/stacking': 'pages/stacks/StackingPage.tsx',
  '/stacks/sbtc': 'pages/stacks/sbtc/SbtcPage.tsx',
  '/stacks/yield': 'pages/stacks/yield/YieldPage.tsx',
  '/bitcoin/l2s': 'pages/l2s/DirectoryPage.tsx',
  '/dashboards/hotcontracts': 'pages/across/HotContractsPage.tsx',
  '/welsh': 'pages/apps/AppPage.tsx',
  '/popularcalls': 'pages/across/PopularCallsPage.tsx',
  '/contractsdeployed': 'pages/across/DeployedPage.tsx',
  '/dashboards/discovermints': 'pages/across/MintsPage.tsx',
  '/addressbalance': 'pages/across/BalancesPage.tsx',
  '/tokens': 'pages/across/TokensPage.tsx',
  '/collections': 'pages/across/CollectionsPage.tsx',
  '/tvl': 'pages/across/TvlPage.tsx',
  '/dashboards': 'pages/across/DashboardsPage.tsx',
  '/Query': 'pages/query/QueryPage.tsx',
  '/reports': 'pages/content/ReportsPage.tsx',
  '/About': 'pages/content/ContentPage.tsx',
  '/Terms': 'pages/content/ContentPage.tsx',
  '/Privacy': 'pages/content/ContentPage.tsx',
  '/Contact': 'pages/content/ContentPage.tsx',
  '/pricing': 'pages/plans/PricingPage.tsx',
  '/status': 'pages/StatusPage.tsx',
  '/bitcoin': 'pages/bitcoin/BitcoinPage.tsx',
}
/** Its pages stand beside a rail of their own. */
const DOCUMENTATION = '/documentation'
const APPLICATION = 'pages/apps/AppPage.tsx'

/** The map of the site: the specified addresses come from `site.ts`, our own follow. */
export default [
  layout('shell/Shell.tsx', [
    ...existingPages(siteWith({ layers: [], applications: [] }))
      .filter(({ path }) => path !== DOCUMENTATION)
      .map(({ path }) => (path === '/' ? index(FILES['/'] ?? '') : page(path, FILES[path] ?? APPLICATION))),
    page('/bitcoin/block/:block', 'pages/bitcoin/BlockPage.tsx'),
    page('/bitcoin/tx/:txid', 'pages/bitcoin/TxPage.tsx'),
    page('/bitcoin/l2s/:name', 'pages/l2s/LayerProfilePage.tsx'),
    page('/analyze/bitcoin-treasuries/:slug', 'pages/treasuries/TreasuryPage.tsx'),
    layout('pages/documentation/Rail.tsx', [
      page(DOCUMENTATION, 'pages/documentation/DocumentationPage.tsx'),
      page('/documentation/metrics', 'pages/documentation/MetricsDocPage.tsx'),
      page('/documentation/metrics/:id', 'pages/documentation/MetricDocPage.tsx'),
      page('/documentation/tables', 'pages/documentation/TablesDocPage.tsx'),
      page('/documentation/tables/:table', 'pages/documentation/TableDocPage.tsx'),
      page('/documentation/sources', 'pages/documentation/SourcesDocPage.tsx'),
      page('/documentation/sources/:source', 'pages/documentation/SourceDocPage.tsx'),
      page('/documentation/console', 'pages/documentation/ConsolePage.tsx'),
      page('/documentation/:name', 'pages/documentation/GuidePage.tsx'),
    ]),
    page('/reports/:reportKey', 'pages/content/ReportPage.tsx'),
    page('/stacks/block/:block', 'pages/stacks/BlockPage.tsx'),
    page('/stacks/tx/:txid', 'pages/stacks/TxPage.tsx'),
    page('/stacks/contract/:contract', 'pages/stacks/ContractPage.tsx'),
    page('/stacks/address/:address', 'pages/stacks/AddressPage.tsx'),
    page('/stacks/sbtc/:deposit', 'pages/stacks/sbtc/DepositPage.tsx'),
    page('/stacks/sbtc/withdrawal/:request', 'pages/stacks/sbtc/WithdrawalPage.tsx'),
    // The EVM layers of the catalogue and its further applications, whichever they are: addresses that name none are told as all unknown ones.
    page('/:layer', 'pages/NamedPage.tsx'),
    page('/:layer/block/:block', 'pages/layers/BlockPage.tsx'),
    page('/:layer/tx/:hash', 'pages/layers/TxPage.tsx'),
    page('/:layer/contract/:address', 'pages/layers/AccountPage.tsx'),
    page('/:layer/address/:address', 'pages/layers/AccountPage.tsx'),
    page('/search', 'pages/SearchPage.tsx'),
    page('/assay/run', 'pages/AssayRunPage.tsx'),
    page('/callback', 'pages/account/CallbackPage.tsx'),
    page('/account', 'pages/account/AccountPage.tsx'),
    page('/editor', 'pages/editor/EditorPage.tsx'),
    page('/error', 'pages/plans/ErrorPage.tsx'),
    page('/subscription-success', 'pages/plans/SuccessPage.tsx'),
    page('/errors', 'pages/ProblemsPage.tsx'),
    page('/errors/:code', 'pages/ProblemPage.tsx'),
    route('*', 'pages/NotFoundPage.tsx'),
  ]),
  // Without the shell: it stands in frames of other sites.
  page('/embed/chart', 'pages/embed/EmbedPage.tsx'),
] satisfies RouteConfig
