import { z } from 'zod'
import { scaled } from '../csv.ts'
import type { EntityFigure, LiveSource } from '../live.ts'
import { createParts } from '../parts.ts'
import { shaped } from '../shaped.ts'
import { isOver } from './days.ts'
import { requestsByLayer, slugsBy } from './layerIds.ts'

const API = 'https://api.btc-locked.com'
const BY_TOKEN = 'tokens'
/** Newest rows first, and as many as a year of the busiest network has. */
const NEWEST = 'order=date.desc&limit=5000'

/** Bitcoin, as a number or in the form of a decimal column. */
const Btc = z.union([z.number().nonnegative(), z.string().regex(/^\d+(\.\d+)?$/, 'must be a decimal number')])
const row = { network_slug: z.string().min(1), date: z.iso.date() }
const ByNetwork = z.object({ ...row, total_balance: Btc })
const ByToken = z.object({ ...row, infra_slug: z.string().min(1), amount: Btc })

const rowsOf = (view: string, network: string): string =>
  `${API}/${view}?network_slug=eq.${encodeURIComponent(network)}&${NEWEST}`

const byNetwork = requestsByLayer('bitcoinLayers', network =>
  rowsOf('historical_supplies_by_network', network),
)
const byToken = requestsByLayer('bitcoinLayers', network =>
  rowsOf('historical_supplies_by_tokenimpl', network),
)

/** Bitcoin on layers, in all and by token. */
export const bitcoinLayersSupplies: LiveSource = {
  id: 'bitcoinlayers.supplies',
  name: 'Bitcoin Layers: supplies',
  url: 'https://www.bitcoinlayers.org',
  licence: 'MIT; a link to bitcoinlayers.org is asked',
  rank: 10,
  cadenceSeconds: 21_600,
  requestsPerMinute: 30,
  about:
    'Bitcoin and tokens that stand for it on each layer by UTC day, adjusted for bridging: what moved on to another network is counted there alone. Staked bitcoin is in the rows by token and not in the sum; tokens off their peg are left out.',
  requests: catalog => [
    ...byNetwork(catalog),
    ...byToken(catalog).map(({ about, url }) => ({ about: `${about} ${BY_TOKEN}`, url })),
  ],
  read: ({ about }, json, { catalog, seenAt }) => {
    const [layer, part] = about.split(' ')
    const layers = slugsBy('bitcoinLayers', catalog)
    const what = `Bitcoin on ${about}`
    const list = shaped(z.array(z.unknown()), json, what)
    const parts = createParts(what)
    const rows =
      part === BY_TOKEN
        ? parts.entries(ByToken, list).map(({ entry: { infra_slug, amount, ...rest } }) => ({
            ...rest,
            metric: 'btc.by_token',
            key: infra_slug.toLowerCase(),
            btc: amount,
          }))
        : parts.entries(ByNetwork, list).map(({ entry: { total_balance, ...rest } }) => ({
            ...rest,
            metric: 'btc.bridged',
            key: '',
            btc: total_balance,
          }))
    const observations = rows.flatMap(({ network_slug, date, metric, key, btc }): EntityFigure[] => {
      const amount = scaled(String(btc), 8, what)
      if (layers.get(network_slug.toLowerCase()) !== layer || layer === undefined) return []
      if (amount === null || !isOver(date, seenAt)) return []
      return [{ metric, entity: layer, ...(key === '' ? {} : { key }), day: date, amount }]
    })
    return parts.answer({ observations, prices: [] })
  },
}
