import process from 'node:process'
import { newSeed } from '#kernel/seed.testing.ts'

/**
 * One in `of` of a long list, another part with each run and all of it in a drill: what takes minutes for a whole list is
 * checked often by its parts. The seed is printed; the variable `SEED` repeats the part.
 */
export function aPart<Item>(all: readonly Item[], of: number): Item[] {
  if (process.env.ASSAY_DRILL === '1') return [...all]
  const seed = newSeed()
  console.log(`SEED=${seed} (part ${seed % of} of ${of})`)
  return all.filter((_, index) => index % of === seed % of)
}
