import type { Hex } from '#chains/stacks/index.ts'
import type { Place, Writers } from './writers.ts'

/** What no rule reads in one block: each part is kept, and has a place of its own. */
export type Unknowns = {
  add(what: 'transaction' | 'event' | 'field', name: string, txid: Hex | null, raw: string): void
}

export function openUnknowns({ unknowns }: Writers, place: Place): Unknowns {
  let itemIndex = 0
  return {
    add(what, name, txid, raw) {
      unknowns.add({ ...place, itemIndex, what, name, txid, raw })
      itemIndex += 1
    },
  }
}
