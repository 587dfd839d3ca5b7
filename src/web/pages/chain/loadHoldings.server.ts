import type { Api } from '#http/contract.ts'
import { sharesOf } from '#kernel/share.ts'

/** What one part of a breakdown comes to on the newest day that is known. */
export type Holding = {
  key: string
  value: number
  day: string
  unit: string
  /** Of the whole of that day; null where the parts cover too little of it. */
  share: number | null
}

/** The parts of a figure on its newest whole day, the largest first; none where nothing is known. */
export async function loadHoldings(api: Api, id: string, entity: string): Promise<Holding[]> {
  const known = await api.metrics()
  const entry = known.find(one => one.id === id && one.entities.includes(entity))
  if (entry === undefined) return []
  const { point, unit } = await api.figure({ id, entity, changeRange: '30d' })
  if (point === null) return []
  const { points } = await api.series({ id, entity, from: point.day, to: point.day, figuresOnly: true })
  const parts = points
    .flatMap(({ key, value, day }) => (value === null ? [] : [{ key, value: Number(value), day, unit }]))
    .toSorted((a, b) => b.value - a.value)
  const shares = sharesOf(
    parts.map(({ value }) => value),
    await wholeOn(api, entry.breakdown?.total, entity, point.day),
  )
  return parts.map((part, index) => ({ ...part, share: shares?.shares[index] ?? null }))
}

/** The whole of the parts on a day: by its own source where it has one, null where that is silent. */
async function wholeOn(
  api: Api,
  total: string | undefined,
  entity: string,
  day: string,
): Promise<number | null | 'parts'> {
  if (total === undefined) return 'parts'
  const { points } = await api.series({ id: total, entity, from: day, to: day, figuresOnly: true })
  const value = points[0]?.value ?? null
  return value === null ? null : Number(value)
}
