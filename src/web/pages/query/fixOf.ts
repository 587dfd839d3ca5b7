import type { RunProblem } from './runs.ts'

/** The name that a fix replaces: the one at the place of the problem, else the first that its message quotes and the text has. */
export function fixOf(
  sql: string,
  { place, detail }: Pick<RunProblem, 'place' | 'detail'>,
  name: string,
): { readonly from: number; readonly to: number } | undefined {
  const names = [...sql.matchAll(/[A-Za-z_][\w.]*/g)].map(({ 0: text, index }) => ({
    text,
    from: index,
    to: index + text.length,
  }))
  const atPlace =
    place && names.find(({ from, to, text }) => from <= place.offset && place.offset <= to && text !== name)
  if (atPlace) return partOf(atPlace, name, detail)
  const words = new Set(detail.match(/[A-Za-z_]\w*/g))
  const quoted = new Set([...detail.matchAll(/[`'‘“"]([\w.]+)[`'’”"]/g)].map(([, text]) => text))
  const candidates = names.filter(({ text }) => text !== name)
  const found =
    candidates.find(({ text }) => quoted.has(text)) ??
    candidates.find(({ text }) => words.has(text) && !/^[A-Z]+$/.test(text))
  return found && { from: found.from, to: found.to }
}

/** Of `b.heigth` a fix replaces the part that is wrong. */
function partOf(
  { text, from, to }: { text: string; from: number; to: number },
  name: string,
  detail: string,
) {
  if (!text.includes('.') || name.includes('.')) return { from, to }
  const parts = text.split('.')
  const wrong = parts.findLastIndex(part => new RegExp(`\\b${part}\\b`).test(detail))
  const at = wrong === -1 ? parts.length - 1 : wrong
  const start = from + parts.slice(0, at).join('.').length + (at === 0 ? 0 : 1)
  return { from: start, to: start + (parts[at]?.length ?? 0) }
}
