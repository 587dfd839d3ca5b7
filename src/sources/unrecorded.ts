import type { SourceDeclaration } from './source.ts'

/** Sources that figures of the catalogue need and that nobody has recorded: they stand as never reached. */
export const UNRECORDED: readonly SourceDeclaration[] = [
  {
    id: 'etf.issuers',
    name: 'Issuers of US spot Bitcoin funds',
    url: 'https://www.ishares.com/us/products/333011/ishares-bitcoin-trust-etf',
    licence: 'none stated',
    rank: 20,
    cadenceSeconds: null,
    about: 'Coins held by each fund, as its issuer publishes them. No recording is bundled.',
  },
  {
    id: 'bitcoin.mempool',
    name: 'Mempool of a node',
    url: 'https://developer.bitcoin.org/reference/rpc/getrawmempool.html',
    licence: 'public chain data',
    rank: 1,
    cadenceSeconds: null,
    about: 'When each transaction began to wait. No recording is bundled, and no node’s mempool is watched.',
  },
  ...(
    [
      ['defillama.tvl.recorded', 'DefiLlama: TVL by chain, as recorded', 'https://defillama.com/chains'],
      ['defillama.protocols', 'DefiLlama: TVL by protocol', 'https://defillama.com'],
      ['defillama.protocols.recorded', 'DefiLlama: TVL by protocol, as recorded', 'https://defillama.com'],
      ['defillama.stables', 'DefiLlama: stablecoins by chain', 'https://defillama.com/stablecoins'],
      [
        'defillama.stables.recorded',
        'DefiLlama: stablecoins, as recorded',
        'https://defillama.com/stablecoins',
      ],
      ['defillama.dexs', 'DefiLlama: DEX volume', 'https://defillama.com/dexs'],
      ['defillama.dexs.recorded', 'DefiLlama: DEX volume, as recorded', 'https://defillama.com/dexs'],
      ['defillama.fees', 'DefiLlama: fees and revenue', 'https://defillama.com/fees'],
      ['defillama.fees.recorded', 'DefiLlama: fees, as recorded', 'https://defillama.com/fees'],
      ['defillama.coins', 'DefiLlama: prices', 'https://defillama.com'],
      ['coingecko.markets', 'CoinGecko: markets', 'https://www.coingecko.com'],
      ['coingecko.markets.recorded', 'CoinGecko: markets, as recorded', 'https://www.coingecko.com'],
      ['bitcoinlayers.supplies', 'Bitcoin Layers: supplies', 'https://www.bitcoinlayers.org'],
      [
        'bitcoinlayers.supplies.recorded',
        'Bitcoin Layers: supplies, as recorded',
        'https://www.bitcoinlayers.org',
      ],
      ['bitcoinlayers.assessments', 'Bitcoin Layers: assessments', 'https://www.bitcoinlayers.org'],
      ['core.staking', 'Core: staking summary', 'https://stake.coredao.org'],
      ['l2beat.activity', 'L2BEAT: activity', 'https://l2beat.com/scaling/activity'],
      ['growthepie.metrics', 'growthepie', 'https://www.growthepie.com'],
      ['blockscout.stats', 'Blockscout', 'https://www.blockscout.com'],
      ['l2beat.tvs', 'L2BEAT: value secured', 'https://l2beat.com/scaling/tvs'],
    ] as const
  ).map(([id, name, url]) => ({
    id,
    name,
    url,
    licence: 'none stated',
    rank: 30,
    cadenceSeconds: null,
    about: 'Not asked by this server yet.',
  })),
]
