import { readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** CPU seconds of one group from which on setting up its shared part twice costs less time than a long last process. */
const SPLIT_S = 300

/** Test files for one process, and their seconds. `name` is that of what they share. */
export type Group = { readonly name: string; readonly files: readonly string[]; readonly seconds: number }

/**
 * Puts test files that import the same `shared….ts` into one process, which sets up once what they share: a site, a snapshot.
 * A group that would run long is split in two that take about as long. Long groups come first: one that starts last would leave
 * the other cores idle.
 */
export function groupFiles(files: readonly string[], secondsOf: (file: string) => number): Group[] {
  const sum = (group: readonly string[]): number => group.reduce((all, file) => all + secondsOf(file), 0)
  return [...Map.groupBy(files, file => sharedModuleOf(file) ?? file)]
    .flatMap(([shared, group]) =>
      (group.length > 1 && sum(group) > SPLIT_S ? halves(group, secondsOf) : [group]).map((part, index) => ({
        name: `${basename(shared, '.ts')}-${index + 1}`,
        files: part,
        seconds: sum(part),
      })),
    )
    .sort((a, b) => b.seconds - a.seconds)
}

function halves(files: readonly string[], secondsOf: (file: string) => number): string[][] {
  const [one, other]: [string[], string[]] = [[], []]
  let ahead = 0
  for (const file of files.toSorted((a, b) => secondsOf(b) - secondsOf(a))) {
    const isBehind = ahead <= 0
    ahead += isBehind ? secondsOf(file) : -secondsOf(file)
    ;(isBehind ? one : other).push(file)
  }
  return [one, other]
}

/** Path of the module `shared….ts` that a test file imports. */
function sharedModuleOf(file: string): string | undefined {
  const [, path] =
    /from '([.#][^']*\/shared[A-Z]\w*(?:\.testing)?\.ts)'/.exec(readFileSync(file, 'utf8')) ?? []
  return path?.startsWith('.') ? join(dirname(file), path) : path
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
