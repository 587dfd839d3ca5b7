/** Edits between two short words, where two neighbours that changed places are one (optimal string alignment). */
export function slipsBetween(a: string, b: string): number {
  let before: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const swap = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const least = Math.min(swap, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1)
      const isTurned = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row.push(isTurned ? Math.min(least, (before[j - 2] ?? 0) + 1) : least)
    }
    before = previous
    previous = row
  }
  return previous[b.length] ?? 0
}
