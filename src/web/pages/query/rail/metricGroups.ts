/** Groups of metrics in the order of the rail, each with the first words of the ids of its metrics. */
const GROUPS: readonly (readonly [title: string, subjects: string])[] = [
  ['Blocks and transactions', 'blocks tx outputs chain tenures'],
  ['Fees', 'fees rev'],
  ['Mempool', 'mempool'],
  ['Mining', 'miners merge_mining'],
  ['Supply', 'supply utxo coin'],
  ['Price and market cap', 'price cap'],
  ['Value moved', 'value flows inflow bridge'],
  ['Addresses and users', 'addresses users'],
  ['Inscriptions and data', 'data'],
  ['Lightning', 'lightning'],
  ['ETFs', 'etf'],
  ['Layers on Bitcoin', 'l1 stake'],
  ['BTC bridged and held', 'btc exit'],
  ['TVL', 'tvl tvs'],
  ['Revenue', 'revenue'],
  ['Trust assumptions', 'risk'],
  ['Contracts', 'contracts calls function'],
  ['Stacking', 'pox bonds'],
  ['SIP-031 endowment', 'sip031'],
  ['sBTC', 'sbtc peg'],
  ['Tokens', 'token tokens'],
  ['NFTs', 'nft mints'],
  ['Governance', 'votes'],
  ['Stablecoins', 'stables stable'],
  ['DEXs and pools', 'dex pool lp'],
  ['Lending', 'lend shock cdp'],
  ['Liquid staking', 'lst'],
  ['Vaults', 'vault'],
  ['Yield', 'yield'],
  ['Treasuries', 'mnav sats cost pnl days_to_cover evidence'],
  ['Indices', 'index'],
  ['Signals', 'signal'],
  ['Developers', 'dev'],
]
const TITLES = new Map(
  GROUPS.flatMap(([title, subjects]) => subjects.split(' ').map(subject => [subject, title] as const)),
)
const OTHER = 'Other'

/** Metrics by what they are about. Groups without a metric are left out. */
export function metricGroups<Metric extends { readonly id: string }>(
  metrics: Iterable<Metric>,
): { readonly title: string; readonly metrics: readonly Metric[] }[] {
  const byTitle = Map.groupBy(metrics, ({ id }) => TITLES.get(id.split('.')[0] ?? '') ?? OTHER)
  return [...GROUPS.map(([title]) => title), OTHER].flatMap(title => {
    const found = byTitle.get(title)
    return found === undefined ? [] : [{ title, metrics: found }]
  })
}
