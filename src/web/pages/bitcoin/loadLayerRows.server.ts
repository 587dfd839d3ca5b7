import type { Api, LayerProfile } from '#http/contract.ts'
import type { Value } from '../../format/figure.ts'

/** What one layer does on Bitcoin, by its newest whole day, and by which rules that is told. */
export type LayerRow = {
  slug: string
  name: string
  /** By metric; absent where the metric does not know the layer or has no figure yet. */
  figures: Partial<Record<string, { value: Value; unit: string; day: string }>>
  rules: LayerProfile['rules']
}

const METRICS = [
  'l1.tx',
  'l1.vbytes',
  'l1.fees',
  'l1.share_of_blockspace',
  'l1.cost_per_tx',
  'l1.value',
  'merge_mining.share',
  'stake.btc',
] as const

/** One row for each layer whose operations on Bitcoin are told by a rule. */
export async function loadLayerRows(api: Api): Promise<LayerRow[]> {
  const entries = await api.metrics()
  const known = entries.filter(({ id }) => (METRICS as readonly string[]).includes(id))
  const slugs = [...new Set(known.flatMap(({ entities }) => entities))]
  return Promise.all(
    slugs.map(async slug => {
      const [{ name, rules }, figures] = await Promise.all([
        api.directory.layer(slug),
        Promise.all(
          known
            .filter(({ entities }) => entities.includes(slug))
            .map(async ({ id }) => {
              const { point, unit } = await api.figure({ id, entity: slug, changeRange: '30d' })
              return point && ([id, { value: point.value, unit, day: point.day }] as const)
            }),
        ),
      ])
      return { slug, name, rules, figures: Object.fromEntries(figures.filter(found => found !== null)) }
    }),
  )
}
