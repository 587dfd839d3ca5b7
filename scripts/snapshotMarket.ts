import { MARKET_RECORDINGS } from '#sources/market.ts'
import { namesBitcoin } from '#sources/yieldPools.ts'

/** A file of the snapshot: what of the recorded data is in it, and which repositories that was recorded from. */
type MarketFile = { readonly source: string; readonly from: string; readonly text: string }

type Cells = Readonly<Record<string, string>>

function rowsOf(text: string): Cells[] {
  const [head = '', ...lines] = text.replaceAll('\r', '').trimEnd().split('\n')
  const names = head.split(',')
  return lines.map(line => {
    const cells = line.split(',')
    if (cells.length !== names.length)
      throw new Error(`a row has ${cells.length} cells, not ${names.length}: ${line}`)
    return Object.fromEntries(names.map((name, i) => [name, cells[i] ?? '']))
  })
}

const csvOf = (columns: readonly string[], rows: readonly Cells[]): string =>
  [columns.join(','), ...rows.map(row => columns.map(column => row[column] ?? '').join(','))].join('\n')

/** Chains of all kinds that no page shows. */
const OTHER_CHAINS = ['All', 'Ethereum', 'BSC', 'Bitrock']
const FEED_SYMBOLS = ['BTC', 'ETH', 'STX', 'RIF', 'CORE', 'MERL', 'ORDI', 'WBTC', 'ZEUS', 'DOG']
/** Days of a feed that are held already, or that may be a part of a day. */
const isOfFeed = (row: Cells, feeds: readonly string[]): boolean =>
  feeds.includes(row.feed ?? '') &&
  FEED_SYMBOLS.includes(row.symbol ?? '') &&
  !(row.feed === 'bybit-perp' && row.symbol === 'STX') &&
  !(row.feed === 'yahoo' && row.date === '2026-07-23')

/** The files of `MARKET_RECORDINGS` out of the recorded tables, by the name of the file. */
const DERIVED: Readonly<
  Record<string, (table: (name: string) => Cells[]) => { from: string; text: string }>
> = {
  'tvl-chain-daily.csv': table => ({
    from: 'mjanda0815/defi-publikation abbildungen/daten/{rootstock_tvl,defillama_chains,bitcoin_bruecken}.json 019d018; nbundi/pricing-the-defi-tail data/raw/chains.json a975e1d; no7dw/ts_test src/data/tvl.md 950cc9c; Vadym-Tsymbalistyi/web_scraper_defillama scraper_results 508447a; crypto-data-cc/data data/processed/chain_metrics.csv 054a109 a4c05f0 b6ce4f2; nirholas/crypto-data-aggregator archive/v2/snapshots/2026/01 b560f8f; a research note of 2026-06-12',
    text: csvOf(
      ['date', 'chain', 'tvl_usd', 'source_id'],
      table('tvl-chain-daily.csv').filter(({ chain = '' }) => !OTHER_CHAINS.includes(chain)),
    ),
  }),
  'tvl-protocols.csv': table => ({
    from: 'mjanda0815/defi-publikation abbildungen/daten/{defillama_protokolle,bitcoin_bruecken,rootstock_protokolle}.json 019d018; nirholas/crypto-data-aggregator archive/v2/snapshots/2026/01 b560f8f; ConorsCode/open-defi-data data/protocols.csv 051e6d8',
    text: protocolsOf(table, source => source.startsWith('h')),
  }),
  'tvl-adapters.csv': table => ({
    from: 'DefiLlama/DefiLlama-Adapters, comments of the test run on the pull requests that source_id names',
    text: protocolsOf(table, source => source.startsWith('b-')),
  }),
  'stablecoins-chain-daily.csv': table => ({
    from: 'mjanda0815/defi-publikation abbildungen/daten/defillama_stablecoins.json 019d018; byzfault/stablecoin-tracker data/raw/stablecoins.json.gz 6d5f1d4; ZacheryGlass/StablecoinWatch defillama_raw_output.json b6cdd72',
    text: csvOf(
      ['date', 'chain', 'symbol', 'circulating_usd', 'source_id'],
      table('stablecoins-chain-daily.csv'),
    ),
  }),
  'dex-volumes.csv': table => ({
    from: 'Fedric-Reform/MarketDataResearch DEX_Volume.csv c0e7ed14; crypto-data-cc/data data/processed/chain_metrics.csv 054a109 a4c05f0 b6ce4f2',
    text: csvOf(
      ['observed_at', 'protocol', 'chain', 'volume_24h_usd'],
      [
        ...table('dex-volume-snapshots.csv').map(row => ({ ...row, chain: row.chains ?? '' })),
        ...table('dex-volume-daily.csv').map(row => ({ ...row, chain: row.slug ?? '', protocol: '' })),
      ],
    ),
  }),
  'fees-bitcoin-daily.csv': table => ({
    from: 'dmihal/crypto-fees data/cryptofees_yearly.csv c07c352',
    text: csvOf(
      ['date', 'fees_24h_usd'],
      table('fees-daily.csv').filter(({ scope, id }) => scope === 'chain' && id === 'btc'),
    ),
  }),
  'tokens-coingecko-2021.csv': table => ({
    from: 'hathix/historical-crypto-data coins/*.csv 4ce7a2c',
    text: tokensOf(table, ['h12']),
  }),
  'tokens-coingecko-moments.csv': table => ({
    from: 'kittycapital/crypto-heatmap data/crypto_heatmap.json 82cd2e1; nirholas/crypto-data-aggregator archive/v2/snapshots/2026/01 b560f8f; a research note of 2026-06-12',
    text: csvOf(
      ['observed_at', 'id', 'price_usd', 'market_cap_usd', 'volume_24h_usd', 'supply'],
      [
        ...table('coin-market-snapshots.csv').map(row => ({
          ...row,
          id: row.coingecko_id ?? '',
          supply: row.circulating_supply ?? '',
        })),
        ...table('tokens-market-daily.csv')
          .filter(({ source_id: source }) => source === 'h11' || source === 'h16')
          .map(row => ({ ...row, observed_at: `${row.date}T00:00:00Z` })),
      ],
    ),
  }),
  'rbtc-coinmarketcap.csv': table => ({
    from: 'hieulethanh-dev/cryptocurrency data/RBTC.csv 94e581c',
    text: tokensOf(table, ['h13']),
  }),
  'btc-coinpaprika.csv': table => ({
    from: 'crypto-data-cc/data data/processed/chain_metrics.csv 054a109 a4c05f0 b6ce4f2',
    text: tokensOf(table, ['h15']),
  }),
  'prices-yahoo.csv': table => ({
    from: 'kittycapital/btc-asset-correlation data/*.csv 8e3fb63',
    text: pricesOf(table, ['yahoo']),
  }),
  'prices-coingecko.csv': table => ({
    from: 'kittycapital/crypto-history data/*.csv 16d8d46; kittycapital/btc-etf-dashboard data/*_price.json a83c0f6',
    text: pricesOf(table, ['coingecko-0h', 'coingecko-etf']),
  }),
  'prices-binance.csv': table => ({
    from: 'RobBudaghyan/mark6 data/*USDT.csv 0af2c2b',
    text: pricesOf(table, ['binance-spot']),
  }),
  'prices-bybit.csv': table => ({
    from: 'jumpotsa/Bybit_Cross_Momentum data/*USDT.csv 2e938a3',
    text: pricesOf(table, ['bybit-perp']),
  }),
  'btc-locked-by-layer.csv': table => ({
    from: 'bitcoinlayers/bitcoinlayers content/layers/*.ts 31ef404608',
    text: csvOf(['date', 'slug', 'btc_locked'], table('btc-locked-by-layer.csv')),
  }),
  'yield-charts.csv': table => ({
    from: 'PaulApivat/pipe-defillama-data-to-dune output/historical_facts_2025-10-06.parquet c5589d1',
    text: csvOf(['date', 'pool', 'tvl_usd', 'apy_base', 'apy_reward'], table('yield-pool-history.csv')),
  }),
  'yield-listings.csv': table => ({
    from: 'PaulApivat/pipe-defillama-data-to-dune output/raw_pools_*.parquet c5589d1',
    text: csvOf(
      ['date', 'pool', 'project', 'chain', 'symbol', 'tvl_usd', 'apy_base', 'apy_reward'],
      table('yield-pools-snapshots.csv')
        .filter(({ symbol = '' }) => namesBitcoin(symbol))
        .map(row => ({ ...row, date: row.snapshot_date ?? '' })),
    ),
  }),
  'btc-supply-snapshots.csv': table => ({
    from: 'mjanda0815/defi-publikation abbildungen/daten/bitcoin_bruecken.json 019d018',
    text: csvOf(['date', 'what', 'value'], table('btc-supply-snapshots.csv')),
  }),
}

const protocolsOf = (table: (name: string) => Cells[], isTaken: (source: string) => boolean): string =>
  csvOf(
    ['date', 'protocol_slug', 'chain', 'tvl_usd', 'kind', 'source_id'],
    table('tvl-protocol-daily.csv').filter(
      ({ kind, source_id: source = '' }) => kind === 'tvl' && isTaken(source),
    ),
  )

const tokensOf = (table: (name: string) => Cells[], sources: readonly string[]): string =>
  csvOf(
    ['date', 'id', 'price_usd', 'market_cap_usd', 'volume_24h_usd'],
    table('tokens-market-daily.csv').filter(({ source_id: source = '' }) => sources.includes(source)),
  )

const pricesOf = (table: (name: string) => Cells[], feeds: readonly string[]): string =>
  csvOf(
    ['date', 'symbol', 'close_usd'],
    table('prices-daily.csv').filter(row => isOfFeed(row, feeds)),
  )

/** What the snapshot takes of the recorded market data. `read` gives a file of it as text. Throws where a recording has no derivation. */
export function marketFiles(read: (name: string) => string): MarketFile[] {
  return MARKET_RECORDINGS.map(({ id, file }) => {
    const derive = DERIVED[file]
    if (derive === undefined) throw new Error(`nothing says how ${file} is made`)
    return { source: id, ...derive(name => rowsOf(read(name))) }
  })
}
