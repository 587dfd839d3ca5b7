import { editsBetween } from '#kernel/nearest.ts'

/** Letters that two words share at their start to be near. */
const SHARED_START = 3

/** Share of its letters in which a name differs from the one written, lower if they share a word. Undefined if it is too far to suggest. */
export function costOf(written: string, name: string): number | undefined {
  const edits = editsBetween(written, name)
  const cost = edits / Math.max(written.length, name.length, 1)
  const theirs = wordsOf(name)
  if (wordsOf(written).some(word => theirs.some(other => areAlike(word, other))))
    return Math.min(cost, 0.3 + cost / 10)
  return edits <= mostEdits(written.length) && cost <= 0.5 ? cost : undefined
}

/** A short name has few letters to be recognized by. */
const mostEdits = (length: number): number => (length <= 4 ? 1 : length <= 8 ? 2 : 3)

const wordsOf = (name: string): string[] =>
  name
    .slice(0, 80)
    .replace(/([a-z])(?=[A-Z])/g, '$1_')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(word => word !== '')

function areAlike(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  if (long.startsWith(short)) return short.length > 2 || (short.length === 2 && long.length === 3)
  let shared = 0
  while (short[shared] !== undefined && short[shared] === long[shared]) shared++
  return shared >= SHARED_START && shared * 2 > long.length
}
