import { globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** An import as it is written, with `isType` for a type import. */
export type Import = { specifier: string; isType: boolean }

/** Each import of the text of a module. */
export function importsOf(text: string): Import[] {
  const found = [
    ...text.matchAll(
      /^\s*(?:import|export)\s+(type\s+)?[^'";]*?from\s+'([^']+)'|import\('([^']+)'\)|^import\s+'([^']+)'/gm,
    ),
  ]
  return found.map(match => ({
    specifier: match[2] ?? match[3] ?? match[4] ?? '',
    isType: match[1] !== undefined,
  }))
}

/** Modules of the project by path below its root, and the files and folders that each needs when it runs. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>

const MODULES = ['{src,tests,scripts,bench}/**/*.{ts,tsx,mjs}', '*.config.ts']
/** The built pages start from here; the first names modules of pages as strings. */
const ROUTES = 'src/web/routes.ts'
export const PAGES: readonly string[] = [ROUTES, 'src/web/root.tsx']

/**
 * Reads what each module needs: imports except of types, files and folders named relative to it, the pages where it loads the
 * build, and of a browser test the pages whose addresses it names.
 */
export function readImportGraph(root: string): ImportGraph {
  const texts = new Map(
    MODULES.flatMap(pattern => globSync(pattern, { cwd: root })).map(file => [
      file,
      readFileSync(join(root, file), 'utf8'),
    ]),
  )
  const pages = [...(texts.get(ROUTES) ?? '').matchAll(/'(\/[^':]*)[^']*'[:,]\s*'([^']+\.tsx)'/g)].map(
    ([, address = '', file]) => ({ address, file: `src/web/${file}` }),
  )
  return new Map(
    [...texts].map(([file, text]) => {
      const named = file.startsWith('tests/browser/') ? pages.filter(page => names(text, page.address)) : []
      return [file, [...needsOf(root, file, text), ...named.map(page => page.file)]]
    }),
  )
}

/** Whether the text has the address in quotes, alone or with more behind it. */
const names = (text: string, address: string): boolean =>
  address.length > 1 && [`'${address}'`, `'${address}?`, `\`${address}?`].some(form => text.includes(form))

function needsOf(root: string, file: string, text: string): string[] {
  const imported = importsOf(text)
    .filter(({ isType }) => !isType)
    .map(({ specifier }) => pathOf(file, specifier))
  const named = [...text.matchAll(/new URL\(\s*'([^']+)',\s*import\.meta\.url/g)].map(([, path = '']) =>
    join(dirname(file), path),
  )
  const pages =
    file === ROUTES ? [...text.matchAll(/'([^']+\.tsx)'/g)].map(([, path]) => `src/web/${path}`) : []
  return [...imported, ...named, ...pages]
    .filter(path => path !== undefined)
    .map(path => relative('.', path))
    .flatMap(path => (path.split('/')[0] === 'build' ? PAGES : existsIn(root, path) ? [path] : []))
}

function pathOf(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return join(dirname(file), specifier)
  if (specifier.startsWith('#tests/')) return specifier.slice(1)
  return specifier.startsWith('#') ? `src/${specifier.slice(1)}` : undefined
}

/** The root of the project, and what lies outside of it, would be needed by everything. */
function existsIn(root: string, path: string): boolean {
  return (
    path !== '' &&
    !path.startsWith('..') &&
    statSync(join(root, path), { throwIfNoEntry: false }) !== undefined
  )
}

/**
 * How many steps lie between each module that needs one of the changed files and the nearest of them: 0 for a changed module
 * itself. Paths are below the root; a deleted file counts as changed.
 */
export function distancesFrom(graph: ImportGraph, changed: readonly string[]): Map<string, number> {
  const neededBy = Map.groupBy(
    [...graph].flatMap(([file, needs]) => needs.map(need => ({ file, need }))),
    ({ need }) => need,
  )
  const distances = new Map(changed.map(file => [file, 0]))
  for (const [file, distance] of distances)
    for (const need of [file, ...foldersOf(file)])
      for (const { file: by } of neededBy.get(need) ?? [])
        if (!distances.has(by)) distances.set(by, distance + 1)
  return distances
}

function foldersOf(file: string): string[] {
  const parts = file.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
}
