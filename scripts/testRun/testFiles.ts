import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { changedFiles, chooseTests } from './changedTests.ts'
import { distancesFrom, PAGES, readImportGraph } from './importGraph.ts'
import { readSeconds } from './seconds.ts'

// Which test files a run has, as paths below the root.

const ALL = ['src/**/*.test.ts', 'scripts/**/*.test.ts', 'tests/**/*.test.ts']
/** All but the first check every metric, or every page, for which a run of all tests has no time (`aPart`). */
const DRILLS = [
  'tests/drills/**/*.test.ts',
  'src/http/api.test.ts',
  'src/http/apiSql.test.ts',
  'src/metrics/snapshot/figures.test.ts',
  'src/metrics/snapshot/snapshotSeries.test.ts',
  'src/metrics/stacks/stacks.test.ts',
  'tests/browser/everyPage.test.ts',
]
/** CPU seconds for the tests near a change: with types, lint and a build of the pages, two minutes in all. */
const CHANGED_BUDGET_S = 80

const matching = (root: string, patterns: readonly string[]): string[] => [
  ...new Set(patterns.flatMap(pattern => globSync(pattern, { cwd: root }))),
]

/** All test files, long ones first: one that starts last would leave the other core idle. */
export function allFiles(root: string): string[] {
  const { of } = readSeconds()
  return matching(root, ALL).sort((a, b) => of(b) - of(a) || (a < b ? -1 : 1))
}

export const drillFiles = (root: string): string[] => matching(root, DRILLS)

/** The test files of a name: a path, or part of one. Throws where there is none. */
export function filesNamed(root: string, name: string): string[] {
  if (name.endsWith('.ts') && existsSync(join(root, name))) return [name]
  const found = matching(root, ALL).filter(file => file.includes(name))
  if (found.length === 0) throw new Error(`No test file has "${name}" in its path.`)
  return found
}

/** The tests nearest to what differs from a commit; builds the pages if one of them needs these. Throws where git or the build fails. */
export function filesOfChange(root: string, since: string): string[] {
  const graph = readImportGraph(root)
  const changed = changedFiles(root, since)
  const { tests, leftOut } = chooseTests(graph, changed, {
    secondsOf: readSeconds().of,
    budget: CHANGED_BUDGET_S,
  })
  console.log(`\nchanged files: ${changed.length}, test files to run: ${tests.length}`)
  if (leftOut.length > 0) console.log(`too far away for a short run: npm test -- ${leftOut.join(' ')}`)
  const needsPages = distancesFrom(graph, PAGES)
  if (!tests.some(file => needsPages.has(file))) return tests
  const { status } = spawnSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit' })
  if (status !== 0) throw new Error('The pages could not be built.')
  return tests
}
