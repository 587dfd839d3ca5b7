import { createBoundedCache } from './boundedCache.ts'
import type { DataVersion } from './dataVersion.ts'

/** Answers as values, by question, for one data version. */
export type ValueCache = {
  /** The kept answer, or what `make` gives; equal questions at once are asked once. A failure is not kept. */
  get<T>(question: string, make: () => Promise<T>): Promise<T>
}

export function createValueCache(version: DataVersion, maxBytes: number): ValueCache {
  const kept = createBoundedCache<unknown>(maxBytes)
  const asking = new Map<string, Promise<unknown>>()
  version.onChange(() => {
    kept.clear()
    asking.clear()
  })
  return {
    // A question is spelled with its kind first, so what is kept under it is of the type that `make` gives.
    async get<T>(question: string, make: () => Promise<T>): Promise<T> {
      const found = kept.get(question)
      if (found !== undefined) return found as T
      const running = asking.get(question)
      if (running) return running as Promise<T>
      const before = version.current()
      const answer = make()
        .then(value => {
          // A string takes about two bytes a character, an object somewhat more than its JSON.
          if (version.current() === before) kept.set(question, value, JSON.stringify(value).length * 3)
          return value
        })
        .finally(() => {
          if (asking.get(question) === answer) asking.delete(question)
        })
      asking.set(question, answer)
      return answer
    },
  }
}
