import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** CPU seconds that a browser test that runs alone spends on its site. */
const SITE_S = 20
/** CPU seconds of tests from which on a second site saves more time than it costs. */
const WORTH_A_SITE_S = 120

/** Whether a browser test looks at the shared site (`tests/browser/sharedSite.ts`): such files run in few processes. */
export const usesSharedSite = (root: string, file: string): boolean =>
  dirname(file) === join(root, 'tests/browser') && readFileSync(file, 'utf8').includes('sharedSite()')

/** Groups of files for one process and one site each: two that take about as long, or one where there is little to do. */
export function siteGroups(files: readonly string[], secondsOf: (file: string) => number): string[][] {
  const ownSeconds = (file: string): number => Math.max(1, secondsOf(file) - SITE_S)
  const sum = (group: readonly string[]): number => group.reduce((all, file) => all + ownSeconds(file), 0)
  if (sum(files) < WORTH_A_SITE_S) return files.length > 0 ? [[...files]] : []
  const [one, other]: [string[], string[]] = [[], []]
  for (const file of files.toSorted((a, b) => ownSeconds(b) - ownSeconds(a)))
    (sum(one) <= sum(other) ? one : other).push(file)
  return [one, other].filter(group => group.length > 0)
}

/** Writes a module that runs the files of a group one after another in its process. */
export function writeGroup(folder: string, name: string, files: readonly string[]): string {
  const path = join(folder, `${name}.mts`)
  writeFileSync(
    path,
    files.map(file => `await import(${JSON.stringify(pathToFileURL(file).href)})\n`).join(''),
  )
  return path
}
