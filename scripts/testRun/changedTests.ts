import { spawnSync } from 'node:child_process'
import { distancesFrom, type ImportGraph } from './importGraph.ts'

/** Paths below the root of files that differ from a commit, new and deleted ones included. Throws with git's own words. */
export function changedFiles(root: string, since: string): string[] {
  const git = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
    if (status !== 0) throw new Error(`git ${args[0]} failed: ${stderr.trim()}`)
    return stdout.split('\0').filter(path => path !== '')
  }
  return [
    ...git('diff', '--name-only', '--no-renames', '-z', '--end-of-options', since),
    ...git('ls-files', '--others', '--exclude-standard', '-z'),
  ]
}

export type ChangedTests = {
  /** What runs, nearest to the change first. */
  tests: string[]
  /** What a change can reach too, beyond the seconds given. */
  leftOut: string[]
}

/**
 * Chooses the tests that a change can reach, nearest first: by the steps of imports between them, then by the folders that they
 * share, then the short ones; as many as the seconds of CPU allow. The nearest always runs.
 */
export function chooseTests(
  graph: ImportGraph,
  changed: readonly string[],
  { secondsOf, budget }: { secondsOf: (test: string) => number; budget: number },
): ChangedTests {
  const distances = distancesFrom(graph, changed)
  const reached = [...graph.keys()]
    .filter(file => file.endsWith('.test.ts') && distances.has(file))
    .map(test => ({
      test,
      distance: distances.get(test) ?? 0,
      shared: Math.max(...changed.map(file => sharedFolders(test, file))),
    }))
    .sort(
      (a, b) =>
        a.distance - b.distance ||
        b.shared - a.shared ||
        secondsOf(a.test) - secondsOf(b.test) ||
        (a.test < b.test ? -1 : 1),
    )
    .map(({ test }) => test)
  const tests: string[] = []
  const leftOut: string[] = []
  let left = budget
  for (const test of reached) {
    // A long one is passed over; shorter ones behind it may still fit.
    if (tests.length > 0 && secondsOf(test) > left) leftOut.push(test)
    else {
      tests.push(test)
      left -= secondsOf(test)
    }
  }
  return { tests, leftOut }
}

function sharedFolders(one: string, other: string): number {
  const folders = other.split('/')
  const apart = one.split('/').findIndex((folder, index) => folder !== folders[index])
  return apart < 0 ? folders.length : apart
}
