import type { ValueLockedAnswer } from '#http/contract.ts'

type Row = Pick<ValueLockedAnswer['chains'][number], 'total' | 'parts'>
type Part = Row['parts'][number]['part']

/** US dollars of a part on the day of the total; null without a figure of that day. */
export const partOf = ({ parts, total }: Row, part: Part): number | null =>
  parts.find(one => one.part === part && one.figure.day === total?.day)?.figure.valueUsd ?? null

/** The total with the chosen parts, US dollars, and which of these have no figure; null without a total. */
export function sumOf(
  row: Row,
  chosen: readonly Part[],
): { valueUsd: number; missing: readonly Part[] } | null {
  if (row.total === null) return null
  const known = chosen.map(part => partOf(row, part))
  return {
    valueUsd: known.reduce<number>((sum, value) => sum + (value ?? 0), row.total.valueUsd),
    missing: chosen.filter((_, index) => known[index] === null),
  }
}
