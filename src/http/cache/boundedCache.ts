/** Values by key, the least recently used dropped first once their sizes pass the bound. */
export type BoundedCache<Value> = {
  get(key: string): Value | undefined
  set(key: string, value: Value, sizeBytes: number): void
  drop(key: string): void
  /** Drops all of which this is true; `handleDropped` gets each of them. */
  dropWhere(
    isOutdated: (value: Value) => boolean,
    handleDropped?: (key: string, value: Value, sizeBytes: number) => void,
  ): void
  /** Every value; none of them counts as used. */
  values(): Iterable<Value>
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
    drop,
    dropWhere(isOutdated, handleDropped) {
      for (const [key, { value, sizeBytes }] of kept) {
        if (!isOutdated(value)) continue
        drop(key)
        handleDropped?.(key, value, sizeBytes)
      }
    },
    *values() {
      for (const { value } of kept.values()) yield value
    },
    get sizeBytes() {
      return total
    },
  }
}
