/** Rows of one statement, read once for all who ask under one data version. */
export type KeptRows = {
  /** The rows kept under this key, or what `read` gives; equal questions at once are asked once. A failure is not kept. */
  get<Row>(key: string, read: () => Promise<readonly Row[]>): Promise<readonly Row[]>
}

/** Keeps at most `mostRows`, a few hundred bytes each; what was asked for longest ago goes first. */
export function createKeptRows(mostRows: number): KeptRows {
  const kept = new Map<string, readonly unknown[]>()
  const asking = new Map<string, Promise<readonly unknown[]>>()
  let total = 0

  function keep(key: string, rows: readonly unknown[]): void {
    if (rows.length > mostRows) return
    kept.set(key, rows)
    total += rows.length
    for (const [oldest, { length }] of kept) {
      if (total <= mostRows) break
      kept.delete(oldest)
      total -= length
    }
  }

  return {
    // A key names one statement, so what is kept under it is of the type that its readers ask for.
    async get<Row>(key: string, read: () => Promise<readonly Row[]>): Promise<readonly Row[]> {
      const found = kept.get(key)
      if (found !== undefined) {
        kept.delete(key)
        kept.set(key, found)
        return found as readonly Row[]
      }
      const running = asking.get(key)
      if (running !== undefined) return running as Promise<readonly Row[]>
      const reading = read()
        .then(rows => {
          keep(key, rows)
          return rows
        })
        .finally(() => asking.delete(key))
      asking.set(key, reading)
      return reading
    },
  }
}
