/** Edits between two short texts (Levenshtein). */
function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const swap = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(swap, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
    previous = row
  }
  return previous[b.length] ?? 0
}

/** Edits between the first 80 letters of two names, ignoring case. */
export const editsBetween = (a: string, b: string): number =>
  distance(a.toLowerCase().slice(0, 80), b.toLowerCase().slice(0, 80))

/** Edits between two names, whatever their case, by the longer one: 0 for the same name, 1 for nothing in common. */
export const nameCost = (a: string, b: string): number =>
  editsBetween(a, b) / Math.max(Math.min(a.length, 80), Math.min(b.length, 80), 1)

/** The names most like the one asked for, best first. */
export function nearestNames(asked: string, names: readonly string[], limit = 3): string[] {
  const text = asked.toLowerCase().slice(0, 80)
  return names
    .map(name => ({ name, cost: distance(text, name.toLowerCase()) / Math.max(text.length, name.length) }))
    .sort((a, b) => a.cost - b.cost)
    .slice(0, limit)
    .map(({ name }) => name)
}
