import type { FigurePage } from '../chain/loadFigures.server.ts'
import { moneyCharts, revenueCharts, tokenCharts } from '../chain/moneyCharts.ts'

export const ENTITY = 'stacks'
const POOL = 'fast-pool'
const SBTC = 'sbtc'
const TOKEN = 'stx'

/** What stands on `/stacks`, as data. */
export const overview: FigurePage = {
  question: 'How busy is the chain, what does it cost, and how much STX secures it?',
  kpis: [
    { metric: 'token.price', entity: TOKEN, label: 'Price of STX' },
    { metric: 'tvl.total', label: 'TVL' },
    { metric: 'btc.bridged', label: 'BTC bridged' },
    { metric: 'stables.cap', label: 'Stablecoins' },
    { metric: 'tx.count', label: 'Transactions, day' },
    { metric: 'pox.yield', entity: POOL, label: 'Yield with Fast Pool, year' },
  ],
  charts: [
    ...tokenCharts(TOKEN).map(chart => (chart.id === 'price' ? { ...chart, wide: true } : chart)),
    ...moneyCharts,
    {
      id: 'transactions',
      title: 'Transactions by kind',
      kind: 'stacked',
      lines: [
        {
          metric: 'tx.count',
          labels: {
            token_transfer: 'payments',
            contract_call: 'calls',
            smart_contract: 'contracts',
            versioned_smart_contract: 'contracts, version named',
            bitcoin_op: 'made on Bitcoin',
          },
        },
      ],
    },
    { id: 'fees', title: 'Fees paid', kind: 'bars', lines: [{ metric: 'fees.total', label: 'Fees' }] },
    {
      id: 'senders',
      title: 'Senders',
      kind: 'area',
      lines: [{ metric: 'addresses.senders', label: 'Senders' }],
    },
    {
      id: 'failed',
      title: 'Failed transactions',
      kind: 'line',
      lines: [{ metric: 'tx.failed_share', label: 'Share' }],
    },
    {
      id: 'blocktime',
      title: 'Block time',
      kind: 'line',
      lines: [{ metric: 'chain.block_time', keys: ['median', 'mean'] }],
    },
    { id: 'tenures', title: 'Tenures', kind: 'area', lines: [{ metric: 'tenures.count', label: 'Tenures' }] },
    {
      id: 'blockspertenure',
      title: 'Blocks in a tenure',
      kind: 'line',
      lines: [{ metric: 'tenures.blocks_per', label: 'Blocks' }],
    },
    {
      id: 'calls',
      title: 'Calls by contract',
      kind: 'stacked',
      lines: [{ metric: 'calls.by_contract' }],
      most: 8,
    },
    {
      id: 'deployed',
      title: 'Contracts deployed by Clarity version',
      kind: 'stacked',
      lines: [{ metric: 'contracts.deployed' }],
    },
    {
      id: 'known',
      title: 'Contracts found',
      kind: 'area',
      lines: [{ metric: 'contracts.known', label: 'Contracts' }],
      note: 'Steps are runs of a collector: daily to 2023, seldom since.',
    },
    ...revenueCharts,
    {
      id: 'emitted',
      title: 'New STX',
      kind: 'bars',
      lines: [{ metric: 'supply.emitted', label: 'Coinbases' }],
    },
    {
      id: 'supply',
      title: 'STX supply, total and locked',
      kind: 'line',
      lines: [
        { metric: 'supply.liquid', label: 'in being' },
        { metric: 'supply.locked', label: 'locked by PoX' },
      ],
      note: 'Requires every block since genesis.',
    },
    {
      id: 'stackedshare',
      title: 'Share of STX stacked',
      kind: 'line',
      lines: [{ metric: 'pox.stacked_share', label: 'Share' }],
    },
    {
      id: 'tokentransfers',
      title: 'Token transfers',
      kind: 'stacked',
      lines: [{ metric: 'tokens.transfers', labels: { ft: 'fungible', nft: 'NFTs' } }],
    },
    { id: 'nftmints', title: 'NFTs minted', kind: 'bars', lines: [{ metric: 'nft.mints', label: 'Minted' }] },
    {
      id: 'planned',
      title: 'Unlocked STX, as planned in 2020',
      kind: 'area',
      lines: [{ metric: 'supply.planned', label: 'Plan' }],
      note: 'A plan before the launch, no observation.',
    },
    {
      id: 'stacked',
      title: 'STX stacked, whole network',
      kind: 'line',
      lines: [{ metric: 'pox.stacked', label: 'Stacked' }],
    },
    { id: 'signers', title: 'Signers', kind: 'line', lines: [{ metric: 'pox.signers', label: 'Signers' }] },
    {
      id: 'weights',
      title: 'Weight of the largest signer',
      kind: 'line',
      lines: [{ metric: 'pox.signer_weight', keys: ['largest'], labels: { largest: 'largest signer' } }],
    },
    {
      id: 'signedweight',
      title: 'Weight that signs a block',
      kind: 'line',
      lines: [
        { metric: 'pox.signed_weight', label: 'signed, by headers' },
        { metric: 'pox.accepted_weight', label: 'accepted, as heard' },
        { metric: 'pox.refused_weight', label: 'refused, as heard' },
      ],
      note: 'A header is sent at 70% of the weight. A service that listens to signers also sees late responses and rejections, over the latest 50 blocks.',
    },
    {
      id: 'responsetime',
      title: 'Time that signers take to answer',
      kind: 'line',
      lines: [{ metric: 'pox.response_time', label: 'Mean answer' }],
      note: 'From a service that listens to signers. The chain does not record it.',
    },
    {
      id: 'threshold',
      title: 'STX for a reward slot',
      kind: 'line',
      lines: [{ metric: 'pox.min_threshold', label: 'Threshold' }],
    },
    {
      id: 'poxreward',
      title: 'Bitcoin earned by stacking, cycle',
      kind: 'bars',
      lines: [{ metric: 'pox.reward', label: 'Earned' }],
    },
    {
      id: 'poxyield',
      title: 'Yield of stacking, year',
      kind: 'line',
      lines: [{ metric: 'pox.yield', keys: ['year'], labels: { year: 'whole network' } }],
      note: 'Simple, before the fees of pools.',
    },
    {
      id: 'bonds',
      title: 'Bitcoin in bonds of PoX-5',
      kind: 'stacked',
      lines: [{ metric: 'bonds.locked', labels: { bitcoin: 'on Bitcoin', sbtc: 'as sBTC' } }],
    },
    {
      id: 'bondyield',
      title: 'Yield of bonds',
      kind: 'line',
      lines: [{ metric: 'bonds.yield', keys: ['all'], labels: { all: 'all bonds' } }],
    },
    {
      id: 'pool',
      title: 'Stacked with one pool',
      kind: 'area',
      lines: [{ metric: 'pox.stacked', entity: POOL, label: 'Fast Pool' }],
      note: 'A figure a cycle of about two weeks.',
    },
    {
      id: 'poolyield',
      title: 'Yield with one pool, year',
      kind: 'line',
      lines: [{ metric: 'pox.yield', entity: POOL, keys: ['year'], labels: { year: 'Fast Pool' } }],
      note: 'Simple rate, for cycles with headers at both ends.',
    },
    {
      id: 'sbtcsupply',
      title: 'sBTC and the bitcoin behind it',
      kind: 'line',
      lines: [
        { metric: 'peg.supply', entity: SBTC, label: 'sBTC' },
        {
          metric: 'peg.reserve',
          entity: SBTC,
          keys: ['outputs'],
          labels: { outputs: 'outputs of the signers' },
        },
      ],
      note: 'Requires every block since the token’s deployment.',
    },
    {
      id: 'pegratio',
      title: 'Bitcoin per sBTC',
      kind: 'line',
      lines: [{ metric: 'peg.ratio', entity: SBTC, label: 'Bitcoin per sBTC' }],
      note: 'Signer outputs to supply, both at the end of the day. Anything above 1 was given to the signers.',
    },
    {
      id: 'pegaddresses',
      title: 'Bitcoin of the signers by address',
      kind: 'stacked',
      lines: [{ metric: 'peg.by_address', entity: SBTC }],
      most: 8,
    },
    { id: 'sbtcdeposits', title: 'sBTC minted', kind: 'stacked', lines: [{ metric: 'sbtc.deposits' }] },
    {
      id: 'sbtcwithdrawals',
      title: 'Withdrawals of sBTC',
      kind: 'bars',
      lines: [{ metric: 'sbtc.withdrawals', keys: ['accepted'], labels: { accepted: 'accepted' } }],
    },
    {
      id: 'timetomint',
      title: 'From deposit to mint, median',
      kind: 'line',
      lines: [{ metric: 'sbtc.time_to_mint', label: 'Seconds' }],
      note: 'For deposits with an indexed Bitcoin block.',
    },
    {
      id: 'endowment',
      title: 'SIP-031 endowment',
      kind: 'line',
      lines: [
        { metric: 'sip031.inflow', label: 'received' },
        { metric: 'sip031.outflow_internal', label: 'to its own accounts' },
        { metric: 'sip031.outflow_external', label: 'to others' },
      ],
    },
  ],
}
