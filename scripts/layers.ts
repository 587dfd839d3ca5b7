import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { importsOf } from './testRun/importGraph.ts'

/** Rooms in the order of imports: a room imports from rooms of earlier rows only, never from its own row. */
const ORDER = [
  ['kernel'],
  ['catalog', 'processes'],
  ['chains', 'sources', 'warehouse', 'store'],
  ['ingest'],
  ['metrics'],
  ['accounts', 'wallets', 'queries', 'explorer', 'dashboards', 'content', 'search', 'alerts'],
  ['http'],
  ['web'],
] as const

/** Files outside all rooms that may import any of them. */
const ROOTS = ['main.ts', 'assay.ts', 'config.ts', 'version.ts', 'cli/']
const CONTRACT = ['#http/contract.ts', '#http/context.ts']

const rankOf = (room: string): number => ORDER.findIndex(row => (row as readonly string[]).includes(room))

/** Sentences, one for each import that the order of rooms forbids. */
export function layerFaults(root: string): string[] {
  const faults: string[] = []
  for (const file of globSync('src/**/*.{ts,tsx}', { cwd: root })) {
    const inside = relative('src', file)
    if (/\.test\.tsx?$/.test(file) || ROOTS.some(path => inside.startsWith(path))) continue
    const room = inside.split('/')[0] ?? ''
    if (rankOf(room) < 0) {
      faults.push(`${file}: "${room}" is no room; add it to the order in scripts/layers.ts or move the file`)
      continue
    }
    for (const { specifier, isType } of importsOf(readFileSync(join(root, file), 'utf8'))) {
      if (specifier.startsWith('.')) {
        const path = join(dirname(file), specifier)
        // Facts are data: any room may read them.
        if (path.startsWith('catalog/') && path.endsWith('.json')) continue
        const target = relative('src', path).split('/')[0]
        if (target !== room) faults.push(`${file}: imports ${specifier}; across rooms write #${target}/…`)
        continue
      }
      if (!specifier.startsWith('#')) continue
      const target = specifier.slice(1).split('/')[0] ?? ''
      if (target === room) faults.push(`${file}: imports ${specifier}; inside a room write ./…`)
      else if (target === 'tests') faults.push(`${file}: product code imports test code (${specifier})`)
      else if (room === 'web' && target !== 'kernel' && !(isType || CONTRACT.includes(specifier))) {
        faults.push(`${file}: web imports types and the API contract only, not ${specifier}`)
      } else if (rankOf(target) < 0 || rankOf(target) >= rankOf(room)) {
        faults.push(`${file}: ${room} may not import ${specifier}`)
      }
    }
  }
  return faults
}
