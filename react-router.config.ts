import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '@react-router/dev/config'

const START = 'window.__reactRouterManifest='

export default {
  appDirectory: 'src/web',
  buildDirectory: 'build',
  ssr: true,
  // The map of all addresses weighs 2.4 kB packed. Asked for in parts, each part that comes is a change of the router's state, for which
  // React draws anew all that it has not taken over yet.
  routeDiscovery: { mode: 'initial' },
  buildEnd: ({ reactRouterConfig: { buildDirectory } }) => slimMap(join(buildDirectory, 'client', 'assets')),
} satisfies Config

/**
 * Takes out of the browser's map of all addresses what a router there never reads: which files each page imports (no link of ours
 * fetches ahead; the server has a map of its own), and everything that is false or empty. That is nearly half of its weight.
 */
function slimMap(folder: string): void {
  const files = globSync('manifest-*.js', { cwd: folder })
  if (files.length !== 1) throw new Error(`One map of addresses was expected, found ${files.length}`)
  const [file = ''] = files
  const script = readFileSync(join(folder, file), 'utf8')
  if (!script.startsWith(`${START}{`)) throw new Error(`${file} is no map of addresses`)
  const map: { routes: Record<string, Record<string, unknown>> } = JSON.parse(
    script.slice(START.length).replace(/;$/, ''),
  )
  for (const route of Object.values(map.routes))
    for (const [key, value] of Object.entries(route))
      if (key === 'imports' || value === false || (Array.isArray(value) && value.length === 0))
        delete route[key]
  writeFileSync(join(folder, file), `${START}${JSON.stringify(map)};`)
}
