/** What the answer of each source in `tests/fixtures/sources` says, a figure a line; and the fields that it is read from: `*` for each entry of a list, `!` for a name that is data, `~` for a figure that may be less than zero. */
export const SAID: Readonly<
  Record<string, Readonly<Record<string, { figures: string[]; fields: string[] }>>>
> = {
  'defillama.tvl': {
    rootstock: {
      figures: ['tvl.total rootstock 2026-08-03 73534454', 'tvl.total rootstock 2026-08-04 69975640'],
      fields: ['*.date', '*.tvl'],
    },
  },
  'defillama.protocols': {
    protocols: {
      figures: [
        'tvl.by_protocol rootstock sovryn-dex 2026-08-05 6912065.68',
        'tvl.total sovryn-dex 2026-08-05 6912065.68',
        'tvl.by_protocol rootstock uniswap-v3 2026-08-05 2484673.28',
        'tvl.parts rootstock staking 2026-08-05 1',
      ],
      fields: [
        '*.slug',
        '*.chainTvls',
        '0.chainTvls.!Rootstock',
        '0.chainTvls.!Rootstock-staking',
        '1.chainTvls.!RSK',
        '0.tvl',
        '0.category',
        '1.category',
      ],
    },
  },
  'defillama.stables': {
    tokens: {
      figures: [
        'stables.by_token stacks USDT 2026-08-20 389445.71',
        'stables.by_token rootstock USDT 2026-08-20 2757458.6',
        'stables.by_token rootstock BUSD 2026-08-20 2781.42',
      ],
      fields: [
        'peggedAssets',
        'peggedAssets.*.symbol',
        'peggedAssets.*.price',
        'peggedAssets.*.chainCirculating',
        'peggedAssets.0.chainCirculating.!Stacks.current',
        'peggedAssets.0.chainCirculating.!Stacks.current.!peggedUSD',
      ],
    },
    stacks: {
      figures: ['stables.cap stacks 2026-08-19 11636534.74'],
      fields: ['*.date', '*.totalCirculatingUSD', '*.totalCirculatingUSD.!peggedUSD'],
    },
  },
  'defillama.yields': {
    pools: {
      figures: [
        'yield.tvl fluid-dex-ethereum-wbtc-cbbtc 2025-10-06 72663930',
        'yield.apy_base fluid-dex-ethereum-wbtc-cbbtc 2025-10-06 0.0098277',
        'yield.tvl aerodrome-slipstream-base-tbtc-cbbtc 2025-10-06 4314557',
        'yield.apy_base aerodrome-slipstream-base-tbtc-cbbtc 2025-10-06 0.0182565',
        'yield.apy_reward aerodrome-slipstream-base-tbtc-cbbtc 2025-10-06 0.1725222',
        '2025-10-06 | 8e47b0df-d495-4224-bd98-6cf693e88745 | fluid-dex | Ethereum | WBTC-CBBTC | 72663930 | 0.0098277 |  | false',
        '2025-10-06 | e46e7064-000d-4a28-8771-aa52be687c7f | aerodrome-slipstream | Base | TBTC-CBBTC | 4314557 | 0.0182565 | 0.1725222 | ',
        '2025-10-06 | 00000000-0000-4000-8000-000000000001 | zest-v2 | Stacks | SBTC | 1000000 | -0.005 |  | ',
      ],
      fields: [
        'data',
        'data.*.pool',
        'data.0.project',
        'data.0.chain',
        'data.1.tvlUsd',
        'data.1.~apyBase',
        'data.1.~apyReward',
        'data.2.apyReward',
      ],
    },
  },
  'defillama.yield_charts': {
    'fluid-dex-ethereum-wbtc-cbbtc': {
      figures: [
        'yield.tvl fluid-dex-ethereum-wbtc-cbbtc 2025-06-16 69428849',
        'yield.apy_base fluid-dex-ethereum-wbtc-cbbtc 2025-06-16 0.0103233',
        'yield.tvl fluid-dex-ethereum-wbtc-cbbtc 2025-06-17 67192768',
        'yield.apy_base fluid-dex-ethereum-wbtc-cbbtc 2025-06-17 0.010457',
      ],
      fields: ['data', 'data.*.timestamp', 'data.*.tvlUsd', 'data.*.~apyBase', 'data.0.apyReward'],
    },
  },
  'defillama.dexs': {
    stacks: {
      figures: [
        'dex.volume stacks 2025-09-02 1634940',
        'dex.by_protocol stacks bitflow 2025-09-02 1618568',
        'dex.volume bitflow 2025-09-02 1618568',
        'dex.by_protocol stacks velar 2025-09-02 16372',
        'dex.volume velar 2025-09-02 16372',
      ],
      fields: [
        'totalDataChart',
        'totalDataChart.*.0',
        'totalDataChart.*.1',
        'totalDataChartBreakdown.*.1.!Bitflow',
      ],
    },
  },
  'defillama.fees': {
    'rootstock dailyFees': {
      figures: ['fees.chain_usd rootstock 2026-08-04 300'],
      fields: [
        'protocols',
        'protocols.*.name',
        'protocols.*.category',
        'totalDataChartBreakdown.*.0',
        'totalDataChartBreakdown.*.1',
        'totalDataChartBreakdown.*.1.!~Rootstock',
      ],
    },
    'rootstock dailyRevenue': {
      figures: [
        'revenue.chain rootstock 2026-08-03 20',
        'revenue.chain rootstock 2026-08-04 250',
        'revenue.apps rootstock 2026-08-04 450',
      ],
      fields: ['totalDataChartBreakdown', 'totalDataChartBreakdown.0.1.!~Sovryn Dex'],
    },
    // Two generations of one protocol are one; of a protocol that the catalogue does not name the sum alone is kept.
    'stacks dailyRevenue': {
      figures: [
        'revenue.chain stacks 2026-08-04 50',
        'revenue.apps stacks 2026-08-04 45',
        'revenue.apps granite 2026-08-04 35',
      ],
      fields: ['totalDataChartBreakdown', 'totalDataChartBreakdown.0.1.!~Granite V1'],
    },
    'rootstock dailyHoldersRevenue': {
      figures: ['revenue.holders rootstock 2026-08-04 120'],
      fields: ['totalDataChart', 'totalDataChart.*.~1'],
    },
  },
  'defillama.coins': {
    btc: {
      figures: [
        'token.price btc 2026-08-19 72686.98',
        'token.price btc 2026-08-20 75401.27',
        'price BTC USD 2026-08-19 72686.98',
        'price BTC USD 2026-08-20 75401.27',
      ],
      fields: [
        'coins',
        'coins.coingecko:bitcoin',
        'coins.coingecko:bitcoin.prices.*.timestamp',
        'coins.coingecko:bitcoin.prices.*.price',
      ],
    },
  },
  'coingecko.markets': {
    tokens: {
      figures: [
        'token.price btc 2026-02-21 67971',
        'token.mcap btc 2026-02-21 1358878745476',
        'token.fdv btc 2026-02-21 1427391000000',
        'token.volume btc 2026-02-21 20560265821',
        'token.supply btc 2026-02-21 19992828',
        'token.price stx 2026-02-21 0.253657',
        'token.mcap stx 2026-02-21 451398137',
        'token.fdv stx 2026-02-21 451398137',
        'token.volume stx 2026-02-21 7447130',
        'token.supply stx 2026-02-21 1778797739.75748',
        'token.price rbtc 2026-02-21 67000',
        'token.volume rbtc 2026-02-21 0',
      ],
      fields: [
        '*.id',
        '*.last_updated',
        '0.current_price',
        '2.current_price',
        '0.market_cap',
        '1.fully_diluted_valuation',
        '1.total_volume',
        '0.circulating_supply',
      ],
    },
  },
  'coingecko.chart': {
    btc: {
      figures: ['price BTC USD 2026-08-19 72686.98', 'price BTC USD 2026-08-20 75401.27'],
      fields: ['prices', 'prices.*.0', 'prices.*.1'],
    },
  },
  'bitcoinlayers.supplies': {
    rootstock: {
      figures: ['btc.bridged rootstock 2024-10-22 275700000000'],
      fields: ['*.network_slug', '*.date', '*.total_balance'],
    },
    'rootstock tokens': {
      figures: ['btc.by_token rootstock rootstock-rbtc 2024-10-22 275650000000'],
      fields: ['*.network_slug', '*.date', '*.amount', '*.infra_slug'],
    },
  },
  'l2beat.tvs': {
    bob: {
      figures: [
        'tvs.total bob canonical 2026-08-04 6500000',
        'tvs.total bob external 2026-08-04 2000000',
        'tvs.total bob native 2026-08-04 1000000',
      ],
      fields: [
        'success',
        'data.chart.types',
        'data.chart.data',
        'data.chart.data.0.0',
        'data.chart.data.0.2',
      ],
    },
  },
  'l2beat.activity': {
    bob: {
      figures: ['tx.count bob 2024-11-02 24716', 'tx.count bob 2024-11-03 30667'],
      fields: ['success', 'data.chart.types', 'data.chart.data.*.0', 'data.chart.data.0.1'],
    },
  },
  'growthepie.metrics': {
    fundamentals: {
      figures: ['tx.count starknet 2026-06-27 310000', 'addresses.senders starknet 2026-06-27 15000'],
      fields: ['*.metric_key', '*.origin_key', '*.date', '0.value', '1.value'],
    },
  },
  'blockscout.stats': {
    bob: {
      figures: ['tx.count bob 2024-11-03 30667', 'tx.count bob 2024-11-02 24716'],
      fields: ['chart_data', 'chart_data.*.date', 'chart_data.*.transactions_count'],
    },
    rootstock: { figures: ['tx.count rootstock 2024-11-03 9000'], fields: ['chart_data.*.date'] },
  },
  'mempool.space.lightning.live': {
    lightning: {
      figures: [
        'lightning.capacity bitcoin 2026-08-14 381826000000',
        'lightning.channels bitcoin 2026-08-14 33302',
        'lightning.nodes bitcoin 2026-08-14 16454',
      ],
      fields: [
        'latest',
        'latest.added',
        'latest.channel_count',
        'latest.node_count',
        'latest.total_capacity',
      ],
    },
  },
  'mempool.space.mempool.live': {
    size: {
      figures: ['mempool.count bitcoin 2026-08-22 86716', 'mempool.vbytes bitcoin 2026-08-22 44094255'],
      fields: ['count', 'vsize'],
    },
    fees: {
      figures: ['fastest', 'half_hour', 'hour', 'economy', 'minimum'].map(
        rate => `mempool.fee_ladder bitcoin ${rate} 2026-08-22 1`,
      ),
      fields: ['fastestFee', 'halfHourFee', 'hourFee', 'economyFee', 'minimumFee'],
    },
  },
  'alex.pools': {
    alex: {
      figures: ['dex.volume_24h alex 2026-09-17 40000.25'],
      fields: ['data', 'data.*.volume_24h'],
    },
    // In dollars, and with the fees of each pool.
    'alex @ api.alexgo.io': {
      figures: ['dex.volume_24h alex 2026-09-17 40000.25', 'dex.fees_24h alex 2026-09-17 120.5'],
      fields: ['data', 'data.*.volume_24h'],
    },
    'alex value': { figures: ['dex.liquidity alex 2026-09-17 1250000.5'], fields: ['tvl'] },
  },
  'bitflow.ticker': {
    bitflow: {
      // 1,000 STX at half a dollar, half an sBTC at 200,000 STX, 1,500 USDCx, 0.00005497 sBTC; what nobody prices is worth nothing.
      figures: [
        'dex.liquidity bitflow 2026-09-17 5433099.25653394',
        'dex.volume_24h bitflow 2026-09-17 52005.497',
      ],
      fields: [
        '*.ticker_id',
        '*.liquidity_in_usd',
        '*.base_currency',
        '*.target_currency',
        '*.base_volume',
        '*.target_volume',
      ],
    },
  },
  'bitflow.pools': {
    bitflow: {
      figures: [
        'dex.bins_liquidity bitflow 2026-09-17 300000',
        'dex.bins_volume_24h bitflow 2026-09-17 80000.25',
        'dex.bins_fees_24h bitflow 2026-09-17 120.5',
      ],
      fields: ['data', 'data.*.poolId', 'data.0.tvlUsd', 'data.*.volumeUsd1d', 'data.*.feesUsd1d'],
    },
  },
  'velar.pools': {
    velar: {
      figures: [
        'dex.volume_24h velar 2026-09-17 1512.5864266321062',
        'dex.fees_24h velar 2026-09-17 4.5278130215208625',
      ],
      fields: ['message', 'message.*.stats', 'message.*.stats.volume', 'message.*.stats.volume.value'],
    },
    'velar @ api.velar.co': {
      figures: [
        'dex.liquidity velar 2026-09-17 110228.86462349747',
        'dex.volume_24h velar 2026-09-17 1512.5864266321062',
        'dex.fees_24h velar 2026-09-17 4.5278130215208625',
      ],
      fields: [
        'data',
        'total',
        'data.*.stats',
        'data.*.stats.volume_usd.value',
        'data.*.stats.tvl_usd.value',
      ],
    },
  },
  'core.staking': {
    core: { figures: ['stake.btc core 2026-09-21 221026930986'], fields: ['data', 'data.stakedBTCAmount'] },
  },
  'stacks.reads': {
    granite: {
      figures: [
        'lend.supplied granite aeUSDC 2026-11-20 20000000000000',
        'lend.borrowed granite aeUSDC 2026-11-20 15000000000000',
        'lend.utilisation granite aeUSDC 2026-11-20 0.75',
        'lend.share_price granite aeUSDC 2026-11-20 1.0526315789473684',
        'lend.debt_share_price granite aeUSDC 2026-11-20 1.0714285714285714',
        'lend.caps granite aeUSDC supply 2026-11-20 0.5',
        'lend.liquidation_ltv granite aeUSDC sBTC 2026-11-20 0.65',
        'lend.reserve_factor granite aeUSDC 2026-11-20 0.1',
        'lend.borrow_apr granite aeUSDC 2026-11-20 0.082',
        'lend.supply_apr granite aeUSDC 2026-11-20 0.05535',
        'lend.curve granite aeUSDC base 2026-11-20 0.01',
        'lend.curve granite aeUSDC slope1 2026-11-20 0.06',
        'lend.curve granite aeUSDC slope2 2026-11-20 0.6',
        'lend.curve granite aeUSDC kink 2026-11-20 0.7',
        'lend.supplied granite USDCx 2026-11-20 0',
        'lend.borrowed granite USDCx 2026-11-20 0',
        'lend.liquidation_ltv granite USDCx sBTC 2026-11-20 0.65',
        'lend.reserve_factor granite USDCx 2026-11-20 0.1',
      ],
      fields: [
        'tip',
        'tip.height',
        'tip.id',
        'answers',
        'answers.aeUSDC-lp',
        'answers.aeUSDC-lp.total-assets',
        'answers.aeUSDC-debt.open-interest',
        'answers.aeUSDC-cap',
        'answers.aeUSDC-rates.utilization-kink',
      ],
    },
    'stacking-dao': {
      figures: [
        'lst.staked stacking-dao 2026-11-20 100000000000000',
        'lst.stacking stacking-dao 2026-11-20 96000000000000',
        'lst.queue stacking-dao 2026-11-20 1500000000000',
        'lst.exchange_rate stacking-dao stSTX 2026-11-20 1.2',
        'lst.supply stacking-dao stSTX 2026-11-20 70000000000000',
        'lst.supply stacking-dao stSTXbtc 2026-11-20 16000000000000',
      ],
      fields: ['answers.stx', 'answers.queue', 'answers.ststx'],
    },
    arkadiko: {
      figures: [
        'stable.supply usda 2026-11-20 1200000000000',
        'cdp.debt arkadiko STX 2026-11-20 600000000000',
        'cdp.liquidation_ratio arkadiko STX 2026-11-20 1.4',
        'cdp.stability_fee arkadiko STX 2026-11-20 0.04',
        'cdp.debt_cap_used arkadiko STX 2026-11-20 0.12',
        'cdp.debt arkadiko stSTX 2026-11-20 250000000000',
        'cdp.debt arkadiko sBTC 2026-11-20 0',
      ],
      fields: ['answers.supply', 'answers.STX-terms.max-debt'],
    },
  },
  'granite.api': {
    aeUSDC: {
      figures: [
        'lend.supplied granite aeUSDC 2026-11-20 20000000000000',
        'lend.borrowed granite aeUSDC 2026-11-20 15000000000000',
        'lend.utilisation granite aeUSDC 2026-11-20 0.75',
      ],
      fields: [
        'onchain_interest_params',
        'onchain_interest_params.open_interest',
        'onchain_interest_params.total_assets',
      ],
    },
  },
  'stackingdao.stats': {
    'stacking-dao': {
      figures: [
        'tvl.total stacking-dao 2026-09-17 45672574',
        'lst.exchange_rate stacking-dao stSTX 2026-09-17 1.1859',
        'lst.apy_stated stacking-dao stSTX 2026-09-17 0.0339',
        'lst.apy_stated stacking-dao stSTXbtc 2026-09-17 0.0381',
        'lst.apy_stated stacking-dao stBTC 2026-09-17 0.028900000000000002',
        'lst.apy_stated stacking-dao native 2026-09-17 0.0593',
      ],
      fields: ['apy_ststx', 'apy_ststxbtc', 'stackingdao_tvl'],
    },
  },
  'sec.facts': {
    'ibit-etf': {
      figures: [
        'btc.held ibit-etf sec:0001437749-26-026004 2026-03-31 73840150000000',
        'btc.held ibit-etf sec:0001437749-26-026004 2026-06-30 73426100000000',
      ],
      fields: [
        'cik',
        'facts',
        ...['end', 'val', 'accn', 'filed'].map(
          name => `facts.us-gaap.CryptoAssetNumberOfUnits.units.Bitcoin.*.${name}`,
        ),
      ],
    },
    // It marks nothing of the kind: no figure, no fault.
    'gbtc-etf': { figures: [], fields: ['cik', 'facts'] },
  },
  'stacks.pox': {
    stacks: {
      figures: [
        'pox.stacked stacks 2023-05-08 225878587321503',
        'supply.liquid stacks 2023-05-08 1376193078388960',
      ],
      fields: ['contract_id', 'total_liquid_supply_ustx', 'current_cycle', 'current_cycle.stacked_ustx'],
    },
  },
  'stacks.supply': {
    stacks: {
      figures: ['supply.liquid stacks 2024-09-26 1490741806960600'],
      fields: ['unlocked_stx'],
    },
    'stacks @ legacy_format': {
      figures: ['supply.liquid stacks 2021-02-26 1047848171287772'],
      fields: ['unlockedSupply'],
    },
  },
  'arkadiko.tickers': {
    arkadiko: {
      figures: ['dex.liquidity arkadiko 2026-09-17 200000.5'],
      fields: ['*.liquidity_in_usd'],
    },
  },
  'stacks.tokens': {
    'SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.usda-token': {
      figures: [
        'SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.usda-token | USDA | USDA | 6 | 1200000000000 | https://assets.example/cached/usda.png',
      ],
      fields: ['tx_id', 'sender_address'],
    },
    'SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.usda-token @ /extended/v1/tokens/': {
      figures: [
        'SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.usda-token | USDA | USDA | 6 |  | ipfs://ipfs/QmZMqhh2ztwuZ3Y8PyEp2z5auyH3TCm3nnr5ZfjjgDjd5q/usda.png',
      ],
      fields: ['tx_id', 'sender_address'],
    },
  },
  'stacks.signers': {
    stacks: {
      figures: [
        'pox.accepted_weight stacks 2024-10-31 0.9375',
        'pox.refused_weight stacks 2024-10-31 0',
        'pox.response_time stacks 2024-10-31 0.0500835',
      ],
      fields: [
        'results',
        'results.*.block_time',
        'results.0.signer_data.accepted_weight',
        'results.0.signer_data.rejected_weight',
        'results.2.signer_data.missing_weight',
        'results.2.signer_data.average_response_time_ms',
      ],
    },
  },
  'pyth.hermes': {
    // The publishers of the last one are unsure by more than 2 %.
    feeds: {
      figures: ['token.price btc 2026-09-17 77345.6125', 'token.price stx 2026-09-17 0.07345612'],
      fields: [
        'parsed',
        'parsed.*.id',
        'parsed.*.price',
        'parsed.*.price.price',
        'parsed.*.price.conf',
        'parsed.*.price.publish_time',
      ],
    },
  },
  'tenero.tokens': {
    welsh: { figures: ['token.price welsh 2026-09-17 0.00042125'], fields: ['data', 'data.price_usd'] },
    'welsh @ api.stxtools.io': {
      figures: ['token.price welsh 2026-09-17 0.0004'],
      fields: ['metrics', 'metrics.price_usd'],
    },
  },
  'stacks.nfts': {
    'SP3D6PV2ACBPEKYJTCMH7HEN02KP87QSP8KTEH335.megapont-ape-club-nft': {
      figures: [
        'SP3D6PV2ACBPEKYJTCMH7HEN02KP87QSP8KTEH335.megapont-ape-club-nft | Megapont Ape Club |  |  |  | ',
      ],
      fields: [],
    },
    'SPNWZ5V2TPWGQGVDR6T7B6RQ4XMGZ4PXTEE0VQ0S.satoshis-team': {
      figures: [
        "SPNWZ5V2TPWGQGVDR6T7B6RQ4XMGZ4PXTEE0VQ0S.satoshis-team | Satoshi's Team |  |  |  | ipfs://ipfs/QmZMqhh2ztwuZ3Y8PyEp2z5auyH3TCm3nnr5ZfjjgDjd5q/1.png",
      ],
      fields: [],
    },
    'SP3D6PV2ACBPEKYJTCMH7HEN02KP87QSP8KTEH335.megapont-ape-club-nft @ /extended/v1/tokens/': {
      figures: [
        'SP3D6PV2ACBPEKYJTCMH7HEN02KP87QSP8KTEH335.megapont-ape-club-nft | Megapont Ape Club |  |  |  | ipfs://ipfs/QmZMqhh2ztwuZ3Y8PyEp2z5auyH3TCm3nnr5ZfjjgDjd5q/1.png',
      ],
      fields: ['tx_id', 'sender_address'],
    },
  },
}
