import { decimal, parseCsv } from '../csv.ts'
import { lastOfDay, type Recording } from '../recording.ts'
import { isReportedVolume } from '../reportedVolume.ts'
import { entitiesByChain, protocolsByName } from './names.ts'

export const defillamaDexsRecorded: Recording = {
  id: 'defillama.dexs.recorded',
  name: 'DEX volumes (DefiLlama, as recorded by Fedric-Reform/MarketDataResearch and crypto-data-cc/data)',
  url: 'https://github.com/Fedric-Reform/MarketDataResearch',
  licence: 'none stated',
  rank: 20,
  cadenceSeconds: null,
  about:
    'Volume of the 24 hours up to a moment of the day, not of the UTC day: protocols that live on one of Stacks, Core, Merlin, Bitlayer, B², Botanix and Bitcoin alone, 2025-07-22 to 2025-09-02, one observation a day; all of Bitcoin on three days of October 2026. Protocols of several chains cannot be split and are left out, so no sum of a layer follows, and nothing of Rootstock and BOB. Volumes of 0 are left out.',
  file: 'dex-volumes.csv',
  recordedOn: '2026-10-10',
  *observe(text, catalog) {
    const layerOf = entitiesByChain(catalog)
    const slugOf = protocolsByName(catalog)
    const named = new Set(catalog.protocols.map(({ slug }) => slug))
    const columns = ['observed_at', 'protocol', 'chain', 'volume_24h_usd'] as const
    const rows = parseCsv(text, columns, this.file)
    const of = Map.groupBy(rows, ({ protocol, chain }) => `${chain} ${protocol}`)
    for (const samples of of.values()) {
      for (const row of lastOfDay(samples.map(row => ({ ...row, at: row.observed_at })))) {
        const entity = layerOf(row.chain)
        const value = decimal(row.volume_24h_usd, this.file)
        if (entity === undefined || value === null || !isReportedVolume(value)) continue
        const at = { day: row.at.slice(0, 10), observedAt: Math.floor(Date.parse(utc(row.at)) / 1000), value }
        if (row.protocol === '') {
          yield { ...at, metric: 'dex.volume', entity }
          continue
        }
        const slug = slugOf(row.protocol)
        yield { ...at, metric: 'dex.by_protocol', entity, key: slug }
        if (named.has(slug)) yield { ...at, metric: 'dex.volume', entity: slug }
      }
    }
  },
}

/** Times without a zone are UTC. */
const utc = (time: string): string => (time.endsWith('Z') ? time : `${time}Z`)
