import type { Catalog } from '#catalog/index.ts'
import { decimal, parseCsv } from '../csv.ts'
import type { Observed, Recording } from '../recording.ts'
import { entitiesByChain, protocolsBySlug } from './names.ts'

/** Bridges and exchanges, as DefiLlama’s categories have them: what they hold is no value at work on a chain. */
const NOT_AT_WORK: ReadonlySet<string> = new Set([
  'babelfish',
  'boltz',
  'binance-bitcoin',
  'gate',
  'layerzero-v2',
  'multichain',
  'powpeg-fast-mode',
  'rsk-bridge',
  'symbiosis',
  'wbtc',
])

/** Folders of adapters that count a bridge, or coins staked in the chain itself. */
const BRIDGE_FOLDERS: ReadonlySet<string> = new Set([
  'bitlayer-btc',
  'bob',
  'bob-gateway',
  'butternetwork',
  'meson',
  'rootstock-bridge',
  'stacks',
  'xlink',
])

/** Folders of adapters whose protocol has another slug. */
const SLUG_OF_FOLDER: Readonly<Record<string, string>> = {
  alexlab: 'alex',
  pell: 'pell-network',
  'sovryn-lending': 'sovryn-lend',
  tropykus: 'tropykus-rsk',
}

const COLUMNS = ['date', 'protocol_slug', 'chain', 'tvl_usd', 'kind', 'source_id'] as const
type Row = Record<(typeof COLUMNS)[number], string>

/** Values of `tvl` by layer and protocol; of a protocol where the rows of a day are of all layers that the catalogue names. */
function* observe(rows: readonly Row[], catalog: Catalog, file: string): Iterable<Observed> {
  const layerOf = entitiesByChain(catalog)
  const slugOf = protocolsBySlug(catalog)
  const byProtocol = new Map<string, { slug: string; day: string; layers: Map<string, number> }>()
  for (const row of rows) {
    const entity = layerOf(row.chain)
    const value = decimal(row.tvl_usd, file)
    if (entity === undefined || value === null) continue
    const slug = slugOf(row.protocol_slug)
    yield {
      metric: 'tvl.by_protocol',
      entity,
      key: slug,
      day: row.date,
      value,
      observedAt: secondsOf(row.date),
    }
    const key = `${slug} ${row.date}`
    const known = byProtocol.get(key) ?? { slug, day: row.date, layers: new Map<string, number>() }
    byProtocol.set(key, { ...known, layers: known.layers.set(entity, value) })
  }
  for (const { slug, day, layers } of byProtocol.values()) {
    const named = catalog.protocols.find(protocol => protocol.slug === slug)?.layers ?? []
    if (named.length === 0 || named.length !== layers.size || !named.every(layer => layers.has(layer)))
      continue
    const value = [...layers.values()].reduce((sum, one) => sum + one, 0)
    yield { metric: 'tvl.total', entity: slug, day, value, observedAt: secondsOf(day) }
  }
}

const secondsOf = (day: string): number => Date.parse(day) / 1000

export const defillamaProtocolsRecorded: Recording = {
  id: 'defillama.protocols.recorded',
  name: 'TVL by protocol and chain (DefiLlama, as recorded by mjanda0815/defi-publikation and others)',
  url: 'https://github.com/mjanda0815/defi-publikation',
  licence: 'CC BY 4.0; MIT; none stated',
  rank: 20,
  cadenceSeconds: null,
  about:
    'All protocols of Rootstock on 2026-08-05 and the largest on Bitcoin on five days of 2026, as answered by /protocols and /protocol/{slug}. Bridges and exchanges are left out, and so are borrowed and staked amounts.',
  file: 'tvl-protocols.csv',
  recordedOn: '2026-09-02',
  observe(text, catalog) {
    const rows = parseCsv(text, COLUMNS, this.file)
    return observe(
      rows.filter(({ kind, protocol_slug: slug }) => kind === 'tvl' && !NOT_AT_WORK.has(slug)),
      catalog,
      this.file,
    )
  },
}

export const defillamaAdaptersRecorded: Recording = {
  id: 'defillama.adapters.recorded',
  name: 'Test runs of TVL adapters (DefiLlama/DefiLlama-Adapters, comments on pull requests)',
  url: 'https://github.com/DefiLlama/DefiLlama-Adapters/pulls',
  licence: 'none stated',
  rank: 40,
  cadenceSeconds: null,
  about:
    'What an adapter counted when its pull request was tested, 2022-03-21 to 2025-12-27, rounded to three or four digits: a first version may count too much or too little, and DefiLlama need not have published it. Protocols whose slug is not known stand under the name of the adapter’s folder.',
  file: 'tvl-adapters.csv',
  recordedOn: '2025-12-27',
  observe(text, catalog) {
    const rows = parseCsv(text, COLUMNS, this.file)
      .filter(({ kind, protocol_slug: folder }) => kind === 'tvl' && !BRIDGE_FOLDERS.has(folder))
      .map(row => ({ ...row, protocol_slug: SLUG_OF_FOLDER[row.protocol_slug] ?? row.protocol_slug }))
    return observe(rows, catalog, this.file)
  },
}
