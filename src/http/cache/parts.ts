import { AsyncLocalStorage } from 'node:async_hooks'
import type { EvmLayer } from '#kernel/evm.ts'
import type { Family } from '#metrics/index.ts'

/** The newest blocks of a chain that commits every few seconds: lists of blocks rest on them, figures by day do not. */
export type HeadPart = `head.${EvmLayer}`
/** Calls by the hour, which follow each block within a second. */
export type HoursPart = 'hours'
/**
 * A part of the data that changes by itself: what figures rest on (`Family`: rows of Bitcoin, of Stacks, of the EVM layers,
 * prices, what publishers say of one metric), the head of a chain, or more at once: `outside` is all that publishers say,
 * `figures` all that figures rest on, `rows` all that user queries read, `texts` what editors publish, `any` everything.
 */
export type Part = Family | HeadPart | HoursPart | 'figures' | 'rows' | 'texts' | 'any'

export const headOf = (chain: EvmLayer): HeadPart => `head.${chain}`

const collecting = new AsyncLocalStorage<Set<Part>>()

/** Says that the answer under way rests on these parts. */
export function restsOn(parts: Iterable<Part>): void {
  const known = collecting.getStore()
  if (known === undefined) return
  for (const part of parts) known.add(part)
}

/** What `run` gives, with the parts that it said it rests on; everything where it named none. */
export async function withParts<T>(
  run: () => Promise<T>,
): Promise<{ readonly value: T; readonly parts: ReadonlySet<Part> }> {
  const parts = new Set<Part>()
  const value = await collecting.run(parts, run)
  return { value, parts: parts.size === 0 ? new Set<Part>(['any']) : parts }
}

/** Runs what all answers share: it adds nothing to what the answer under way rests on. */
export const untracked = <T>(run: () => T): T => collecting.exit(run)

/** Versions of parts; a part that is not known has none. */
export type Versions = ReadonlyMap<Part, string>

/** The parts whose versions differ. */
export const changesOf = (then: Versions, now: Versions): ReadonlySet<Part> =>
  new Set([...now].flatMap(([part, version]) => (then.get(part) === version ? [] : [part])))

/** Whether these parts were then as they are now: else what was read meanwhile is of two versions at worst. */
export function areSame(then: Versions, now: Versions, parts: Iterable<Part>): boolean {
  for (const part of parts) if (then.get(part) !== now.get(part)) return false
  return true
}
