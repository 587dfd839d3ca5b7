import { NETWORKS } from './lists.ts'

/** Colours of the sequence that no network of the sidebar has. */
const FREE = ['series-3', 'series-4', 'series-5', 'series-9', 'series-10', 'series-2', 'series-7']

/** The colour of a layer: its own, or its place in a sequence that does not depend on what else is shown. */
export function layerColour(layer: string, all: readonly string[]): string {
  if ((NETWORKS as readonly string[]).includes(layer)) return `series-${layer}`
  const rest = all.filter(slug => !(NETWORKS as readonly string[]).includes(slug)).toSorted()
  return FREE[Math.max(0, rest.indexOf(layer)) % FREE.length] ?? 'series-2'
}
