import { index, layout, type RouteConfig, type RouteConfigEntry, route } from '@react-router/dev/routes'
import { existingPages, siteWith } from './site.ts'

/** React Router ignores case by default; our addresses do not. One file may serve many addresses, so each has an id of its own. */
const page = (path: string, file: string): RouteConfigEntry =>
  route(path.replace(/^\//, ''), file, { caseSensitive: true, id: path })

/** The map of the site: the specified addresses come from `site.ts`, our own follow. */
export default [
  layout('shell/Shell.tsx', [
    ...existingPages(siteWith([])).map(({ path, file = '' }) =>
      path === '/' ? index(file) : page(path, file),
    ),
    page('/bitcoin/block/:block', 'pages/bitcoin/BlockPage.tsx'),
    page('/bitcoin/tx/:txid', 'pages/bitcoin/TxPage.tsx'),
    page('/bitcoin/l2s/:name', 'pages/l2s/LayerProfilePage.tsx'),
    page('/analyze/bitcoin-treasuries/:slug', 'pages/treasuries/TreasuryPage.tsx'),
    page('/stacks/block/:block', 'pages/stacks/BlockPage.tsx'),
    page('/stacks/tx/:txid', 'pages/stacks/TxPage.tsx'),
    page('/stacks/contract/:contract', 'pages/stacks/ContractPage.tsx'),
    page('/stacks/address/:address', 'pages/stacks/AddressPage.tsx'),
    page('/stacks/sbtc/:deposit', 'pages/stacks/sbtc/DepositPage.tsx'),
    page('/stacks/sbtc/withdrawal/:request', 'pages/stacks/sbtc/WithdrawalPage.tsx'),
    // The EVM layers of the catalogue, whichever they are: addresses that name none are told as all unknown ones.
    page('/:layer', 'pages/layers/LayerPage.tsx'),
    page('/:layer/block/:block', 'pages/layers/BlockPage.tsx'),
    page('/:layer/tx/:hash', 'pages/layers/TxPage.tsx'),
    page('/:layer/contract/:address', 'pages/layers/AccountPage.tsx'),
    page('/:layer/address/:address', 'pages/layers/AccountPage.tsx'),
    page('/search', 'pages/SearchPage.tsx'),
    page('/assay/run', 'pages/AssayRunPage.tsx'),
    page('/errors', 'pages/ProblemsPage.tsx'),
    page('/errors/:code', 'pages/ProblemPage.tsx'),
    route('*', 'pages/NotFoundPage.tsx'),
  ]),
  // Without the shell: it stands in frames of other sites.
  page('/embed/chart', 'pages/embed/EmbedPage.tsx'),
] satisfies RouteConfig
