import type { Api } from '#http/contract.ts'
import type { PageView } from '../../blocks/view.ts'

/** A layer’s line: under which entity its figures are kept. */
export type Line = { layer: string; name: string; of: string; unit: string }

/** Lines in one unit: where layers are paid in several coins, in dollars, without those whose coin has no price here. */
export async function linesOf(api: Api, metric: string, picks: readonly string[], page: PageView) {
  if (picks.length === 0) return { lines: [], unit: undefined, others: [] }
  const read = async (unit: PageView['unit']): Promise<Line[]> => {
    const { figures, entities } = await api.compare({
      metrics: [{ id: metric, grain: 'day' }],
      entities: picks,
      changeRange: '30d',
      ...(unit !== 'native' && { unit }),
    })
    return figures.flatMap(({ entity, of, unit: told }) =>
      of === null
        ? []
        : [
            {
              layer: entity,
              name: `${entities.find(one => one.entity === entity)?.name ?? entity}${of === entity ? '' : ` (${of.toUpperCase()})`}`,
              of,
              unit: told,
            },
          ],
    )
  }
  const lines = await read(page.unit)
  if (new Set(lines.map(({ unit }) => unit)).size <= 1) return { lines, unit: undefined, others: [] }
  const inUsd = await read('usd')
  const [told, rest] = [
    inUsd.filter(({ unit }) => unit === 'USD'),
    inUsd.filter(({ unit }) => unit !== 'USD'),
  ]
  return { lines: told, unit: 'usd' as const, others: rest }
}
