import type { MutantResult, MutationReport } from './runMutants.ts'

export type Tally = {
  killed: number
  timedOut: number
  typeErrors: number
  survived: number
  uncovered: number
  percent: number
}

export function tallyOf(results: readonly MutantResult[]): Tally {
  const count = (outcome: MutantResult['outcome']) => results.filter(each => each.outcome === outcome).length
  const killed = count('killed')
  const timedOut = count('timed out')
  const typeErrors = count('type error')
  const noticed = killed + timedOut + typeErrors
  return {
    killed,
    timedOut,
    typeErrors,
    survived: count('survived'),
    uncovered: count('no coverage'),
    percent: results.length === 0 ? 100 : (noticed / results.length) * 100,
  }
}

/** One line for each file, each mutant that lives, and a last line with the totals. */
export function mutationTable({ results, mutants, failing }: MutationReport): string {
  const files = Map.groupBy(results, ({ file }) => file)
  const rows = [...files].map(([file, own]) => `${line(tallyOf(own))}  ${file}`)
  const alive = results
    .filter(({ outcome }) => outcome === 'survived' || outcome === 'no coverage')
    .map(({ file, mutant, outcome }) => `${outcome}  ${file}:${mutant.line}  ${mutant.change}`)
  return [
    HEAD,
    ...rows,
    ...(alive.length > 0 ? ['', ...alive] : []),
    ...(failing.length > 0
      ? ['', ...failing.map(test => `fails without any mutant, left out: ${test}`)]
      : []),
    '',
    `${line(tallyOf(results))}  total: ${results.length} of ${mutants} mutants`,
  ].join('\n')
}

const HEAD = 'killed timed out type error survived uncovered percent'
const line = ({ killed, timedOut, typeErrors, survived, uncovered, percent }: Tally): string =>
  [
    String(killed).padStart(6),
    String(timedOut).padStart(9),
    String(typeErrors).padStart(10),
    String(survived).padStart(8),
    String(uncovered).padStart(9),
    `${percent.toFixed(1)}%`.padStart(7),
  ].join(' ')
