/** What answers say that were recorded of others than those whom the sources are asked about: a figure a line, without whom it is of. Volumes of the DEXs of a day add up to the chain’s, to the dollar. */
export const SAID_ELSEWHERE: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'defillama.dexs': {
    'Solana, two days of 2024 as recorded on 2025-01-05; the protocol is of Optimism’s answer of that day': [
      'dex.volume 2024-11-30 2919148738',
      'dex.volume 2024-12-01 4319075975',
      'dex.by_protocol raydium 2024-12-01 2486955994',
      'dex.by_protocol orca 2024-12-01 1029033672',
      'dex.by_protocol meteora-pools 2024-12-01 24294684',
      'dex.by_protocol saber 2024-12-01 3628766',
      'dex.by_protocol allbridge-classic 2024-12-01 38235',
      'dex.by_protocol crema-finance 2024-12-01 6873',
      'dex.by_protocol lifinity-v1 2024-12-01 363166380',
      'dex.by_protocol openbook 2024-12-01 67972',
      'dex.by_protocol phoenix 2024-12-01 110049000',
      'dex.by_protocol pump 2024-12-01 240654976',
      'dex.by_protocol cropper-clmm 2024-12-01 153826',
      'dex.by_protocol stabble 2024-12-01 60904336',
      'dex.by_protocol manifest-trade 2024-12-01 121261',
    ],
  },
  'defillama.fees': {
    'all chains, dailyRevenue, as recorded on 2025-01-05 without the breakdown': [
      'revenue.holders 2025-01-03 52155735',
      'revenue.holders 2025-01-04 50237782',
    ],
  },
  'l2beat.tvs': {
    'Base, as recorded in 2024 at the address before, /api/scaling/tvl/base': [
      'tvs.total canonical 2024-09-06 1582840835.42',
      'tvs.total external 2024-09-06 72780471.86',
      'tvs.total native 2024-09-06 4249065214.06',
      'tvs.total canonical 2024-09-07 1488888892.22',
      'tvs.total external 2024-09-07 69076618.94',
      'tvs.total native 2024-09-07 4225099159.88',
    ],
  },
  'l2beat.activity': {
    'Base, as recorded on 2024-12-02': [
      'tx.count 2024-11-02 6647620',
      'tx.count 2024-11-03 6102698',
      'tx.count 2024-11-26 11403883',
      'tx.count 2024-11-30 6681417',
      'tx.count 2024-12-01 8348023',
    ],
  },
  'blockscout.stats': {
    'an explorer of 2022, the count named as before': [
      'tx.count 2022-11-27 34784',
      'tx.count 2022-11-26 77527',
      'tx.count 2022-11-22 63433',
    ],
    'the same with the name of a version between': [
      'tx.count 2022-11-27 34784',
      'tx.count 2022-11-26 77527',
      'tx.count 2022-11-22 63433',
    ],
  },
  'stacks.pox': {
    'main network under PoX-4: its cycle as recorded on 2024-09-23, the supply three days later, nulls as a network of PoX-4 has them':
      ['pox.stacked 2024-09-23 421891523809040', 'supply.liquid 2024-09-23 1490741806960600'],
  },
  'stacks.supply': {
    'main network on 2023-01-25, more unlocked than the total of that time': [
      'supply.liquid 2023-01-25 1357667771425424',
    ],
  },
  'stacks.tokens': {
    'a token that the catalogue does not name, as recorded in 2024': [
      'LONGcoin | LONG | 6 | 888888888888888888 | https://storage.googleapis.com/longcoin/LONGcoin-image.png',
    ],
  },
}
