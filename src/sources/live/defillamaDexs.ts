import type { EntityFigure, LiveSource } from '../live.ts'
import { protocolsByName } from '../recorded/names.ts'
import { isReportedVolume } from '../reportedVolume.ts'
import { shaped } from '../shaped.ts'
import { requestsByLayer } from './layerIds.ts'
import { daysOver, Overview, WITH_CHARTS } from './overview.ts'

/** Volumes of DEXs by layer, protocol and day. */
export const defillamaDexs: LiveSource = {
  id: 'defillama.dexs',
  name: 'DefiLlama: DEX volumes',
  url: 'https://defillama.com/dexs/chains',
  licence: 'none stated',
  rank: 10,
  cadenceSeconds: 3600,
  requestsPerMinute: 60,
  mayBeEmpty: true,
  about:
    'Volume of the UTC day on the DEXs of a layer, and of each of them there; days that are not over and volumes of 0 are left out. Of a DEX that lives on one layer alone it is all of its volume.',
  requests: requestsByLayer(
    'defillamaChain',
    chain => `https://api.llama.fi/overview/dexs/${encodeURIComponent(chain)}?${WITH_CHARTS}`,
  ),
  read: ({ about: layer }, json, { catalog, seenAt }) => {
    const overview = shaped(Overview, json, `DEX volumes of ${layer}`)
    const slugOf = protocolsByName(catalog)
    const onlyHere = new Set(
      catalog.protocols
        .filter(({ layers }) => layers.length === 1 && layers[0] === layer)
        .map(({ slug }) => slug),
    )
    const observations: EntityFigure[] = daysOver(overview.totalDataChart, seenAt)
      .filter(({ value }) => isReportedVolume(value))
      .map(({ day, value }) => ({ metric: 'dex.volume', entity: layer, day, value }))
    for (const { day, value: byName } of daysOver(overview.totalDataChartBreakdown, seenAt)) {
      for (const [name, value] of Object.entries(byName)) {
        if (!isReportedVolume(value)) continue
        const slug = slugOf(name)
        observations.push({ metric: 'dex.by_protocol', entity: layer, key: slug, day, value })
        if (onlyHere.has(slug)) observations.push({ metric: 'dex.volume', entity: slug, day, value })
      }
    }
    return { observations, prices: [] }
  },
}
