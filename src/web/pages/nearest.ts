import { existingPages } from '../site.ts'

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

/** Existing pages whose address is most like the one asked for, best first. */
export function nearestPages(path: string, limit = 3): { path: string; label: string }[] {
  const asked = path.toLowerCase().slice(0, 80)
  return existingPages()
    .map(page => ({
      path: page.path,
      label: page.label,
      cost: distance(asked, page.path.toLowerCase()) / Math.max(asked.length, page.path.length),
    }))
    .sort((a, b) => a.cost - b.cost)
    .slice(0, limit)
    .map(({ path, label }) => ({ path, label }))
}
