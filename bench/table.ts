import { type Figure, rounded } from './suite.ts'

const HEADS = ['figure', 'ours', 'peer or limit', 'ratio', 'target', 'met'] as const

export type Section = {
  readonly suite: string
  readonly figures: readonly Figure[] | { readonly why: string }
}

/** The table of a run: one line a figure, a line with the reason for a suite that gave none. */
export function drawTable(sections: readonly Section[]): string {
  const rows: (readonly string[] | string)[] = []
  for (const { suite, figures } of sections) {
    if ('why' in figures) {
      rows.push(`${suite}: ${figures.why}`)
      continue
    }
    for (const one of figures) {
      rows.push([
        `${suite}: ${one.figure}`,
        one.ours,
        one.against ?? '',
        one.ratio === undefined ? '' : `${rounded(one.ratio)}×`,
        one.target ?? '',
        one.isMet === undefined ? '' : one.isMet ? 'met' : 'NOT met',
      ])
    }
  }
  const cells = rows.filter(row => typeof row !== 'string')
  const widths = HEADS.map((head, i) => Math.max(head.length, ...cells.map(row => row[i]!.length)))
  const line = (row: readonly string[]) =>
    row
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join('  ')
      .trimEnd()
  const rule = widths.map(width => '─'.repeat(width)).join('  ')
  return [line(HEADS), rule, ...rows.map(row => (typeof row === 'string' ? row : line(row)))].join('\n')
}
