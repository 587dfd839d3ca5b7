import { decimal, parseCsv } from '../csv.ts'
import type { Recording } from '../recording.ts'
import { entitiesByChain } from './names.ts'

/** Captures in the order in which they are believed, and when they were made; those of single days on the day itself. */
const CAPTURES = ['h1', 'h2', 'h3', 'h4', 'h15', 'h16', 'h9', 'h10', 'h11'] as const
const CAPTURED_ON: Readonly<Record<string, string>> = {
  h1: '2026-08-05',
  h11: '2026-06-12',
}

/** One capture shows the same value for both of these chains: one of them is not theirs, and which is not known. */
const isDoubtful = (chain: string, capture: string): boolean =>
  capture === 'h10' && ['Merlin', 'BSquared'].includes(chain)

export const defillamaTvlRecorded: Recording = {
  id: 'defillama.tvl.recorded',
  name: 'TVL by chain (DefiLlama, as recorded by mjanda0815/defi-publikation and others)',
  url: 'https://github.com/mjanda0815/defi-publikation',
  licence: 'CC BY 4.0; none stated for single days',
  rank: 20,
  cadenceSeconds: null,
  about:
    'Rootstock daily from 2021-05-29 to 2026-08-05 as answered by /v2/historicalChainTvl, each figure of 00:00 UTC. Other chains on 4 to 11 single days from 2025-01-08 to 2026-10-10, at an hour of the day: answers of /v2/chains, and where there is none the page of DefiLlama (2025-01-08, 2025-08-08) or a research note that quotes it (2025-06-12, 2026-05-13, 2026-06-12), both rounded. Of several the answer is taken. Merlin and B² of 2025-08-08 are left out: the capture has one value for both.',
  file: 'tvl-chain-daily.csv',
  recordedOn: '2026-10-10',
  *observe(text, catalog) {
    const slugOf = entitiesByChain(catalog)
    const rows = parseCsv(text, ['date', 'chain', 'tvl_usd', 'source_id'], this.file)
    const best = new Map<string, (typeof rows)[number]>()
    const rankOf = (capture: string) => (CAPTURES as readonly string[]).indexOf(capture)
    for (const row of rows) {
      const rank = rankOf(row.source_id)
      if (rank < 0 || isDoubtful(row.chain, row.source_id)) continue
      const entity = slugOf(row.chain)
      if (entity === undefined) continue
      const key = `${entity} ${row.date}`
      const known = best.get(key)
      if (known === undefined || rank < rankOf(known.source_id)) best.set(key, row)
    }
    for (const { date, chain, tvl_usd, source_id } of best.values()) {
      const value = decimal(tvl_usd, this.file)
      const entity = slugOf(chain)
      const observedAt = Date.parse(CAPTURED_ON[source_id] ?? date) / 1000
      if (value !== null && entity !== undefined)
        yield { metric: 'tvl.total', entity, day: date, value, observedAt }
    }
  },
}
