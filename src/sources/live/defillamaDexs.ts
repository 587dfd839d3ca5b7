import type { EntityFigure, LiveSource } from '../live.ts'
import { createParts } from '../parts.ts'
import { protocolsByName } from '../recorded/names.ts'
import { isReportedVolume } from '../reportedVolume.ts'
import { shaped } from '../shaped.ts'
import { requestsByLayer } from './layerIds.ts'
import { breakdownsOver, Overview, totalsOver, WITH_CHARTS } from './overview.ts'
import { Usd } from './shapes.ts'

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
    const what = `DEX volumes of ${layer}`
    const overview = shaped(Overview, json, what)
    const parts = createParts(what)
    const slugOf = protocolsByName(catalog)
    const onlyHere = new Set(
      catalog.protocols
        .filter(({ layers }) => layers.length === 1 && layers[0] === layer)
        .map(({ slug }) => slug),
    )
    const observations: EntityFigure[] = totalsOver(parts, overview, Usd, seenAt)
      .filter(({ value }) => isReportedVolume(value))
      .map(({ day, value }) => ({ metric: 'dex.volume', entity: layer, day, value }))
    for (const { day, byName } of breakdownsOver(parts, overview, Usd, seenAt)) {
      for (const [name, value] of byName) {
        if (value === undefined || !isReportedVolume(value)) continue
        const slug = slugOf(name)
        observations.push({ metric: 'dex.by_protocol', entity: layer, key: slug, day, value })
        if (onlyHere.has(slug)) observations.push({ metric: 'dex.volume', entity: slug, day, value })
      }
    }
    return parts.answer({ observations, prices: [] })
  },
}
