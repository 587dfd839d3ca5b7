/** Tables by what they are about, in the order of the rail. The first pattern that fits wins. */
const GROUPS: readonly (readonly [title: string, fits: RegExp])[] = [
  [
    'Bitcoin blocks',
    /^btc_(?:blocks|block_facts|block_stats|coverage|difficulty_epochs|inputs|outputs|stale_blocks|txs)$/,
  ],
  ['Bitcoin layers and data', /^btc_(?:inscriptions|layer|peg|protocol)/],
  ['Bitcoin by day', /^btc_/],
  ['sBTC', /^stx_sbtc_/],
  ['Stacks DeFi', /^stx_(?:dex|cdp|lend|lst|vault|pool)_/],
  [
    'Stacks mining',
    /^stx_(?:burn_blocks|burn_stale|block_commits|commit_|leader_keys|miner_|tenure_winners|bitcoin_ops)|^citycoin_/,
  ],
  [
    'Stacks stacking',
    /^stx_(?:block_signatures|bond|cycle|lock|payouts|pox|reward|sign|slot|stack|stake)|^pool_members$|^pox5_|^recorded_stackers$/,
  ],
  ['Stacks tokens, NFTs', /^stx_(?:balance|bns_|names$|nft_|token|transfer)/],
  ['Stacks contracts', /^stx_(?:call|contract|cost_days|function_args|made_contracts|print|source_words)/],
  ['Stacks governance', /^sip_|^sip\d/],
  ['Stacks blocks', /^stx_/],
  ['EVM layers', /^evm_|^rootstock_/],
  ['All chains', /^chain_|^call_hours$|^nested_hours$/],
  ['Prices and sources', /^(?:prices|usd_closes|observations|latest_observations|sources)$/],
  ['Indices', /^index_/],
  ['Treasuries', /^treasury_|^share_/],
  ['Yield', /^yield_/],
  ['Developers', /^dev_/],
]
/** Where a subject has several groups, its blocks come first. */
const ORDER: readonly string[] = [
  'Bitcoin blocks',
  'Bitcoin by day',
  'Bitcoin layers and data',
  'Stacks blocks',
]
const OTHER = 'Other'
const INTERNAL = 'Indexing internals'

/** What ingest and rollups write for themselves. It can be queried, and few readers want to. */
const IS_INTERNAL =
  /_(?:batches|bucket_signatures|buckets|ingest_states|loads|kept_messages|unknowns|untold_days|refused_blocks|statistics_facts|whole_days|event_rows|statement_rows|block_runs)$|^(?:rollup_runs|rollups_live|call_hour_runs|btc_days_since_genesis|btc_outpoints|stx_burn_coverage|stx_reads|evm_headers|dev_(?:attempts|bots|readings|runs)|index_(?:days|snapshots|rule_loads)|treasury_balance_days)$/

/** Tables by subject; internal ones come last. Groups without a table are left out. */
export function tableGroups<Table extends { readonly name: string }>(
  tables: readonly Table[],
): { readonly title: string; readonly tables: readonly Table[] }[] {
  const titleOf = ({ name }: Table): string =>
    IS_INTERNAL.test(name) ? INTERNAL : (GROUPS.find(([, fits]) => fits.test(name))?.[0] ?? OTHER)
  const byTitle = Map.groupBy(tables, titleOf)
  return [...new Set([...ORDER, ...GROUPS.map(([title]) => title), OTHER, INTERNAL])].flatMap(title => {
    const found = byTitle.get(title)
    return found === undefined ? [] : [{ title, tables: found }]
  })
}
