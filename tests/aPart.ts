import process from 'node:process'

/**
 * One in `of` of a long list, another part with each run and all of it in a drill: what takes minutes for a whole list is
 * held often by its parts. The part is told by the value of `PART`, which repeats it.
 */
export function aPart<Item>(all: readonly Item[], of: number): Item[] {
  if (process.env.ASSAY_DRILL === '1') return [...all]
  const part = Number(process.env.PART ?? Math.floor(Math.random() * of)) % of
  console.log(`PART=${part} of ${of}`)
  return all.filter((_, index) => index % of === part)
}
