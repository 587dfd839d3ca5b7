import { parseCsv, scaled } from '../csv.ts'
import type { Recording } from '../recording.ts'

/** Slugs under which Bitcoin Layers kept a layer that has another here. */
const OTHER_SLUGS: Readonly<Record<string, string>> = { internetcomputer: 'internet-computer' }

export const bitcoinLayersRecorded: Recording = {
  id: 'bitcoinlayers.supplies.recorded',
  name: 'Bitcoin on layers (Bitcoin Layers, as its pages of 2024-10-22 have it)',
  url: 'https://github.com/bitcoinlayers/bitcoinlayers',
  licence: 'MIT',
  rank: 20,
  cadenceSeconds: null,
  about:
    'Bitcoin locked by layer as its editors wrote it into the pages, on one day; whole coins for most. Later figures are in its interface alone.',
  file: 'btc-locked-by-layer.csv',
  recordedOn: '2024-10-22',
  *observe(text, { layers }) {
    const slugs = new Set(layers.map(({ slug }) => slug))
    for (const row of parseCsv(text, ['date', 'slug', 'btc_locked'], this.file)) {
      const entity = OTHER_SLUGS[row.slug] ?? row.slug
      const amount = scaled(row.btc_locked, 8, this.file)
      if (slugs.has(entity) && amount !== null) yield { metric: 'btc.bridged', entity, day: row.date, amount }
    }
  },
}

/** What the recording calls a figure, and which one it is here. `bridgedTo`: the layer whose bridged bitcoin it is. */
const SUPPLIES: Readonly<
  Record<string, { metric: string; entity: string; key?: string; digits: number; bridgedTo?: string }>
> = {
  // L-BTC and sBTC are the bitcoin tokens that these layers issue; their supply is what came over the bridge.
  'L-BTC supply': {
    metric: 'btc.by_token',
    entity: 'liquid',
    key: 'liquid-lbtc',
    digits: 8,
    bridgedTo: 'liquid',
  },
  'sBTC supply': {
    metric: 'btc.by_token',
    entity: 'stacks',
    key: 'stacks-sbtc',
    digits: 8,
    bridgedTo: 'stacks',
  },
  'Lightning public capacity': {
    metric: 'lightning.capacity',
    entity: 'bitcoin',
    digits: 8,
    bridgedTo: 'lightning',
  },
  'Lightning public channels': { metric: 'lightning.channels', entity: 'bitcoin', digits: 0 },
}

export const explorersRecorded: Recording = {
  id: 'explorers.recorded',
  name: 'Bitcoin in sBTC, Liquid and Lightning on 2026-08-05 (explorers, as recorded by mjanda0815/defi-publikation)',
  url: 'https://github.com/mjanda0815/defi-publikation',
  licence: 'CC BY 4.0',
  rank: 21,
  cadenceSeconds: null,
  about:
    'Supply of sBTC and L-BTC and the public channels of Lightning on one day, as explorers showed them.',
  file: 'btc-supply-snapshots.csv',
  recordedOn: '2026-08-05',
  *observe(text, { layers }) {
    const named = new Set(['bitcoin', ...layers.map(({ slug }) => slug)])
    for (const row of parseCsv(text, ['date', 'what', 'value'], this.file)) {
      const known = SUPPLIES[row.what]
      if (known === undefined || !named.has(known.entity)) continue
      const { digits, bridgedTo, ...figure } = known
      const amount = scaled(row.value, digits, this.file)
      if (amount === null) continue
      yield { ...figure, day: row.date, amount }
      if (bridgedTo !== undefined && named.has(bridgedTo))
        yield { metric: 'btc.bridged', entity: bridgedTo, day: row.date, amount }
    }
  },
}
