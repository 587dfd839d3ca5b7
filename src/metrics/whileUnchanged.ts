import { knownOn, type Warehouse } from '#warehouse/index.ts'

/** What was read also rests on the clock: whether a source is late, a day over. It is read anew in each half-minute. */
const TURN_MS = 30_000

/**
 * A read whose result stands for all who ask until rows may have changed (`Warehouse.changeMark`), or the half-minute is
 * over. Read each time where the warehouse does not tell its changes, and as known on a day. A failure is not kept.
 */
export function whileUnchanged<T>(
  warehouse: Pick<Warehouse, 'changeMark'>,
  read: () => Promise<T>,
  now: () => number = Date.now,
): () => Promise<T> {
  let last: { readonly mark: string; readonly result: Promise<T> } | undefined
  return async () => {
    if (knownOn() !== undefined) return read()
    // Before the read: rows that come meanwhile move the mark, so the next who asks reads them.
    const changes = await warehouse.changeMark()
    if (changes === undefined) return read()
    const mark = `${changes} ${Math.floor(now() / TURN_MS)}`
    if (last?.mark === mark) return last.result
    const result = read()
    const kept = { mark, result }
    last = kept
    result.catch(() => {
      if (last === kept) last = undefined
    })
    return result
  }
}
