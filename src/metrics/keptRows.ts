/** Rows of statements, read once for all who ask while what they rest on stays as it is. */
export type KeptRows = {
  /**
   * The rows kept under this key for this basis, or what `read` gives; equal questions at once are asked once. Rows of
   * another basis are let go. A failure is not kept.
   */
  get<Row>(key: string, basis: string, read: () => Promise<readonly Row[]>): Promise<readonly Row[]>
}

type Kept = { readonly basis: string; readonly rows: readonly unknown[] }

/** Keeps at most `mostRows`, a few hundred bytes each; what was asked for longest ago goes first. */
export function createKeptRows(mostRows: number): KeptRows {
  const kept = new Map<string, Kept>()
  const asking = new Map<string, Promise<readonly unknown[]>>()
  let total = 0

  function letGo(key: string): void {
    total -= kept.get(key)?.rows.length ?? 0
    kept.delete(key)
  }

  function keep(key: string, one: Kept): void {
    letGo(key)
    if (one.rows.length > mostRows) return
    kept.set(key, one)
    total += one.rows.length
    for (const oldest of kept.keys()) {
      if (total <= mostRows) break
      letGo(oldest)
    }
  }

  return {
    // A key names one statement, so what is kept under it is of the type that its readers ask for.
    async get<Row>(key: string, basis: string, read: () => Promise<readonly Row[]>): Promise<readonly Row[]> {
      const found = kept.get(key)
      if (found?.basis === basis) {
        kept.delete(key)
        kept.set(key, found)
        return found.rows as readonly Row[]
      }
      const question = `${basis} ${key}`
      const running = asking.get(question)
      if (running !== undefined) return running as Promise<readonly Row[]>
      const reading = read()
        .then(rows => {
          keep(key, { basis, rows })
          return rows
        })
        .finally(() => asking.delete(question))
      asking.set(question, reading)
      return reading
    },
  }
}
