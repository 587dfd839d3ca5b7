import { knownOn } from '#warehouse/index.ts'
import { createBoundedCache } from './boundedCache.ts'
import type { DataVersion } from './dataVersion.ts'
import { areSame, type Part, restsOn, withParts } from './parts.ts'

/** Answers as values, by question, while the parts of the data that they rest on stay as they are. */
export type ValueCache = {
  /**
   * The kept answer, or what `make` gives; equal questions at once are asked once. A failure is not kept. What the answer
   * rests on is what `make` says (`restsOn`), and counts for the answer that asks for it as well.
   */
  get<T>(question: string, make: () => Promise<T>): Promise<T>
}

type Kept = { readonly value: unknown; readonly parts: ReadonlySet<Part> }

export function createValueCache(version: DataVersion, maxBytes: number): ValueCache {
  const kept = createBoundedCache<Kept>(maxBytes)
  const asking = new Map<string, Promise<Kept>>()
  version.onChange(changed => {
    kept.dropWhere(({ parts }) => !parts.isDisjointFrom(changed))
    asking.clear()
  })

  async function make(question: string, of: () => Promise<unknown>): Promise<Kept> {
    const before = version.byPart()
    const answer = await withParts(of)
    const { value, parts } = answer
    // A string takes about two bytes a character, an object somewhat more than its JSON.
    if (areSame(before, version.byPart(), parts))
      kept.set(question, answer, (JSON.stringify(value)?.length ?? 0) * 3)
    return answer
  }

  return {
    // A question is spelled with its kind first, so what is kept under it is of the type that `make` gives.
    async get<T>(asked: string, of: () => Promise<T>): Promise<T> {
      const on = knownOn()
      const question = on === undefined ? asked : `${asked} as known on ${on}`
      const found = kept.get(question)
      if (found !== undefined) {
        restsOn(found.parts)
        return found.value as T
      }
      const running = asking.get(question)
      const answer =
        running ??
        make(question, of).finally(() => {
          if (asking.get(question) === answer) asking.delete(question)
        })
      if (running === undefined) asking.set(question, answer)
      const { value, parts } = await answer
      restsOn(parts)
      return value as T
    },
  }
}
