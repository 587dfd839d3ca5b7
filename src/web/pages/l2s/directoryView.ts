import type { DirectoryLayer, TrustCategory } from '#http/contract.ts'
import { CATEGORY_KEYS, FAMILIES, type Family, STATUSES, type Status } from './words.ts'

/** What a reader has chosen of the directory, as the address has it; absent is all. */
export type DirectoryView = {
  family: Family | undefined
  status: Status | undefined
  reviewed: 'yes' | 'no' | undefined
  /** The question of trust by which the map is drawn. */
  by: TrustCategory
}

const isIn = <Name extends string>(
  names: Readonly<Record<Name, unknown>>,
  text: string | null,
): text is Name => text !== null && Object.hasOwn(names, text)

/** Words that are none of the known read as all. */
export function readDirectoryView(query: URLSearchParams): DirectoryView {
  const [family, status, reviewed, by] = ['family', 'status', 'reviewed', 'map.by'].map(key => query.get(key))
  return {
    family: isIn(FAMILIES, family ?? null) ? (family as Family) : undefined,
    status: isIn(STATUSES, status ?? null) ? (status as Status) : undefined,
    reviewed: reviewed === 'yes' || reviewed === 'no' ? reviewed : undefined,
    by: CATEGORY_KEYS.find(category => category === by) ?? 'custody',
  }
}

type Filters = Pick<DirectoryView, 'family' | 'status' | 'reviewed'>

/** Layers that pass the filters; `except` leaves one filter out, to count what choosing in it would show. */
export const shownLayers = (
  layers: readonly DirectoryLayer[],
  view: Filters,
  except?: keyof Filters,
): DirectoryLayer[] =>
  layers.filter(
    layer =>
      (except === 'family' || view.family === undefined || layer.family === view.family) &&
      (except === 'status' || view.status === undefined || layer.status === view.status) &&
      (except === 'reviewed' ||
        view.reviewed === undefined ||
        layer.isReviewed === (view.reviewed === 'yes')),
  )
