import { AsyncLocalStorage } from 'node:async_hooks'
import { EVM_LAYERS, type EvmLayer } from '#kernel/evm.ts'

/** What figures rest on: rows of Bitcoin, of Stacks, of the EVM layers, what publishers say. */
export const FIGURE_PARTS = ['bitcoin', 'stacks', 'layers', 'outside'] as const
export type FigurePart = (typeof FIGURE_PARTS)[number]
/** The newest blocks of a chain that commits every few seconds: lists of blocks rest on them, figures by day do not. */
export type HeadPart = `head.${'stacks' | EvmLayer}`
/** A part of the data that changes by itself. */
export type Part = FigurePart | HeadPart

export const headOf = (chain: 'stacks' | EvmLayer): HeadPart => `head.${chain}`
export const PARTS: readonly Part[] = [
  ...FIGURE_PARTS,
  headOf('stacks'),
  ...EVM_LAYERS.map(layer => headOf(layer)),
]

const collecting = new AsyncLocalStorage<Set<Part>>()

/** Says that the answer under way rests on these parts. */
export function restsOn(parts: Iterable<Part>): void {
  const known = collecting.getStore()
  if (known === undefined) return
  for (const part of parts) known.add(part)
}

/** What `run` gives, with the parts that it said it rests on; all of them where it named none. */
export async function withParts<T>(
  run: () => Promise<T>,
): Promise<{ readonly value: T; readonly parts: ReadonlySet<Part> }> {
  const parts = new Set<Part>()
  const value = await collecting.run(parts, run)
  return { value, parts: parts.size === 0 ? new Set(PARTS) : parts }
}

/** Runs what all answers share: it adds nothing to what the answer under way rests on. */
export const untracked = <T>(run: () => T): T => collecting.exit(run)

/** Whether these parts were then as they are now: else what was read meanwhile is of two versions at worst. */
export function areSame(
  then: ReadonlyMap<Part, string>,
  now: ReadonlyMap<Part, string>,
  parts: Iterable<Part>,
): boolean {
  for (const part of parts) if (then.get(part) !== now.get(part)) return false
  return true
}
