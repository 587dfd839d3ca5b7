import { testCatalog } from '../../src/catalog/testing.ts'
import { existingPages, siteWith } from '../../src/web/site.ts'

/** Of each kind of page one, for short forms. */
const KINDS: readonly string[] = [
  '/',
  '/bitcoin',
  '/stacks',
  '/rootstock',
  '/alex',
  '/tokens',
  '/analyze/bitcoin-treasuries',
  '/reports',
]

/** Paths of the pages that everybody may read, in the order of the site. */
export async function publicPages(isQuick = false): Promise<readonly string[]> {
  const { evm } = await testCatalog()
  const paths = existingPages(siteWith({ layers: evm, applications: [] })).map(({ path }) => path)
  return isQuick ? paths.filter(path => KINDS.includes(path)) : paths
}

/** Of each kind of page that is about one thing, one of the recorded data, and what addresses choose that makes a page another one. */
export const PAGES_OF_THINGS: readonly string[] = [
  '/bitcoin/block/951658',
  '/bitcoin/tx/f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16',
  '/bitcoin/l2s/stacks',
  '/stacks/block/51451',
  '/stacks/tx/337a91dedda069ca5f4fc78a1761d27bd0159e6209ada1be920cd67bc79a2406',
  '/stacks/contract/SP000000000000000000002Q6VF78.pox',
  '/stacks/address/SPNAZ17582EC8MMZQJMPMSJJH5QXZFQS2ZKPN1TC',
  '/rootstock?tab=bitcoin',
  '/alex?tab=pools',
  '/analyze/bitcoin-treasuries/strategy',
  '/analyze/bitcoin-defi-indices?tab=builder',
  '/reports/what-layers-pay-bitcoin',
  '/documentation/console',
  '/documentation/metrics',
  '/documentation/metrics/fees.total',
  '/documentation/sources',
  '/documentation/sources/stacks.chain',
  '/documentation/tables',
  '/documentation/tables/btc_blocks',
  '/documentation/self-hosting',
  '/subscription-success',
  '/errors',
  '/error?code=sql.unknown_column',
  '/errors/sql.unknown_column',
  '/bitcoin?assay=fees.total@bitcoin',
]
