/** The middle value; the upper of the two where their number is even. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** The value below which `share` of the values lie, by nearest rank. Throws on an empty list: there is no such value. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const value = sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]
  if (value === undefined) throw new RangeError('quantile of no values')
  return value
}

/**
 * Runs the contestants in turn, `rounds` times, the order reversed every other round, so that drift of the machine falls on all of
 * them alike. Returns each contestant's measurements by name.
 */
export async function interleave<T>(
  contestants: Readonly<Record<string, () => Promise<T>>>,
  rounds: number,
): Promise<Record<string, T[]>> {
  const names = Object.keys(contestants)
  const measured: Record<string, T[]> = Object.fromEntries(names.map(name => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      measured[name]!.push(await contestants[name]!())
    }
  }
  return measured
}

/** Milliseconds that `work` takes. */
export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
