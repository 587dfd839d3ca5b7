/** Values by key, the least recently used dropped first once their sizes pass the bound. */
export type BoundedCache<Value> = {
  get(key: string): Value | undefined
  set(key: string, value: Value, sizeBytes: number): void
  /** Drops all of which this is true. */
  dropWhere(isOutdated: (value: Value) => boolean): void
  readonly sizeBytes: number
}

export function createBoundedCache<Value>(maxBytes: number): BoundedCache<Value> {
  const kept = new Map<string, { value: Value; sizeBytes: number }>()
  let total = 0
  const drop = (key: string) => {
    total -= kept.get(key)?.sizeBytes ?? 0
    kept.delete(key)
  }
  return {
    get(key) {
      const found = kept.get(key)
      if (found === undefined) return undefined
      kept.delete(key)
      kept.set(key, found)
      return found.value
    },
    set(key, value, sizeBytes) {
      drop(key)
      if (sizeBytes > maxBytes) return
      kept.set(key, { value, sizeBytes })
      total += sizeBytes
      for (const oldest of kept.keys()) {
        if (total <= maxBytes) break
        drop(oldest)
      }
    },
    dropWhere(isOutdated) {
      for (const [key, { value }] of kept) if (isOutdated(value)) drop(key)
    },
    get sizeBytes() {
      return total
    },
  }
}
