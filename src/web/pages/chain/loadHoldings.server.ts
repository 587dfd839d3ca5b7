import type { Api } from '#http/contract.ts'

/** What one part of a breakdown comes to on the newest day that is known. */
export type Holding = { key: string; value: number; day: string; unit: string }

/** The parts of a figure on its newest whole day, the largest first; none where nothing is known. */
export async function loadHoldings(api: Api, id: string, entity: string): Promise<Holding[]> {
  const known = await api.metrics()
  if (!known.some(entry => entry.id === id && entry.entities.includes(entity))) return []
  const { point, unit } = await api.figure({ id, entity, changeRange: '30d' })
  if (point === null) return []
  const { points } = await api.series({ id, entity, from: point.day, to: point.day, figuresOnly: true })
  return points
    .flatMap(({ key, value, day }) => (value === null ? [] : [{ key, value: Number(value), day, unit }]))
    .toSorted((a, b) => b.value - a.value)
}
