import { parseCsv, scaled } from '../csv.ts'
import type { Recording } from '../recording.ts'
import { entitiesByChain } from './names.ts'

const CAPTURED_ON: Readonly<Record<string, string>> = { h5: '2026-08-02', h6: '2026-08-20', h7: '2025-09-07' }

export const defillamaStablesRecorded: Recording = {
  id: 'defillama.stables.recorded',
  name: 'Stablecoins by chain (DefiLlama, as recorded by byzfault/stablecoin-tracker and others)',
  url: 'https://github.com/byzfault/stablecoin-tracker',
  licence: 'CC BY 4.0; MIT; none stated',
  rank: 20,
  cadenceSeconds: null,
  about:
    'Three answers of /stablecoins, of 2025-09-07, 2026-08-02 and 2026-08-20, each with the day itself and 1, 7 and 30 days before: twelve days in all. Units at the price of the capture. The sum of a layer is over the coins that the answer lists on it; a coin that DefiLlama counts twice under one symbol is one here.',
  file: 'stablecoins-chain-daily.csv',
  recordedOn: '2026-08-20',
  *observe(text, catalog) {
    const layerOf = entitiesByChain(catalog)
    const columns = ['date', 'chain', 'symbol', 'circulating_usd', 'source_id'] as const
    const sums = new Map<
      string,
      { entity: string; day: string; observedAt: number; bySymbol: Map<string, bigint> }
    >()
    for (const row of parseCsv(text, columns, this.file)) {
      const entity = layerOf(row.chain)
      const microUsd = scaled(row.circulating_usd, 6, this.file)
      const capturedOn = CAPTURED_ON[row.source_id]
      if (entity === undefined || microUsd === null || capturedOn === undefined) continue
      const key = `${entity} ${row.date}`
      const sum = sums.get(key) ?? {
        entity,
        day: row.date,
        observedAt: Date.parse(capturedOn) / 1000,
        bySymbol: new Map<string, bigint>(),
      }
      sums.set(key, sum)
      sum.bySymbol.set(row.symbol, (sum.bySymbol.get(row.symbol) ?? 0n) + microUsd)
    }
    const usd = (microUsd: bigint) => Number(microUsd) / 1e6
    for (const { bySymbol, ...of } of sums.values()) {
      for (const [symbol, sum] of bySymbol)
        yield { ...of, metric: 'stables.by_token', key: symbol, value: usd(sum) }
      const all = [...bySymbol.values()].reduce((sum, one) => sum + one, 0n)
      yield { ...of, metric: 'stables.cap', value: usd(all) }
    }
  },
}
