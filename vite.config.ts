import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { reactRouter } from '@react-router/dev/vite'
import { defineConfig, type Plugin } from 'vite'
import { version } from './src/version.ts'

/** How classes of modules are named, in the pages and in the picture book of their blocks. */
export const css = { modules: { generateScopedName: '[local]_[hash:base64:5]' } }

const own = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const loadChunk = own('src/web/people/loadChunk.ts')

/** Modules of React Router that the browser's scripts do without: by what imports them, and what stands in their place. */
const REPLACED: readonly { from: RegExp; module: string; by: string }[] = [
  { from: /lib\/dom\/ssr\/\w+\.js$/, module: 'routeModules.js', by: loadChunk },
  {
    from: /(?:index|lib\/dom\/ssr\/components)\.js$/,
    module: 'fog-of-war.js',
    by: own('src/web/router/noRouteDiscovery.ts'),
  },
  {
    from: /lib\/router\/router\.js$/,
    module: 'instrumentation.js',
    by: own('src/web/router/noInstrumentation.ts'),
  },
]

/**
 * Puts our modules in the place of some of Vite's and React Router's. Every `import()` of the pages, and React Router's of a page's
 * module, goes through `loadChunk`: theirs know no limit of time, and the latter reloads without end. Route discovery and
 * instrumentation are never used here and weigh 3 kB packed. The build fails where one of them has moved.
 */
function replacedModules(): Plugin {
  const helper = '\0vite/preload-helper.js'
  const wanted = new Set([helper, ...REPLACED.map(({ module }) => module)])
  return {
    name: 'assay:replaced-modules',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'client',
    resolveId(source, importer = '') {
      if (!importer.includes('/node_modules/react-router/')) return null
      const found = REPLACED.find(({ from, module }) => from.test(importer) && source.endsWith(module))
      if (found === undefined) return null
      wanted.delete(found.module)
      return found.by
    },
    load(id) {
      if (id !== helper) return null
      wanted.delete(helper)
      return `export { loadPart as __vitePreload } from ${JSON.stringify(loadChunk)}`
    },
    buildEnd(error) {
      if (error === undefined && wanted.size > 0)
        throw new Error(`Not found where it was replaced: ${[...wanted].join(', ')}`)
    },
  }
}

/** Pages with a sheet of their own: what only they draw is no part of the sheet of all pages. */
const OWN_SHEETS = { query: own('src/web/pages/query/') }

/**
 * Cuts the styles of some pages out of the one sheet. `virtual:sheet/NAME` is the address of each. Its name follows from the sources, since
 * the server is built with it too. Rules keep their order: those of a page come after those of all.
 */
function ownSheets(): Plugin {
  const PREFIX = 'virtual:sheet/'
  // Each is unlike all others, or the minifier would merge them.
  const mark = (name: string, end: string, of: string) => `.sheet-${name}-${end}-${of}{--sheet:${end}}`
  const files = new Map<string, string>()
  return {
    name: 'assay:own-sheets',
    apply: 'build',
    enforce: 'pre',
    async buildStart() {
      for (const [name, folder] of Object.entries(OWN_SHEETS)) {
        const hash = createHash('sha256')
        for (const path of globSync('**/*.css', { cwd: folder }).sort())
          hash.update(path).update(await readFile(join(folder, path)))
        for (const file of ['package-lock.json', 'vite.config.ts']) hash.update(await readFile(own(file)))
        files.set(name, `assets/${name}-${hash.digest('base64url').slice(0, 8)}.css`)
      }
    },
    resolveId: source => (source.startsWith(PREFIX) ? `\0${source}` : null),
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return null
      const file = files.get(id.slice(PREFIX.length + 1))
      return file === undefined ? null : `export default ${JSON.stringify(`/${file}`)}`
    },
    transform(code, id) {
      const [path = ''] = id.split('?')
      const name = Object.entries(OWN_SHEETS).find(([, folder]) => path.startsWith(folder))?.[0]
      if (name === undefined || !path.endsWith('.module.css')) return null
      const of = createHash('sha256').update(path).digest('hex').slice(0, 8)
      const [begin, end] = ['begin', 'end'].map(each =>
        mark(name, each, of).replace(/^\.[\w-]+/, ':global($&)'),
      )
      return `${begin}\n${code}\n${end}`
    },
    async writeBundle({ dir = '' }) {
      if (this.environment.name !== 'client') return
      for (const file of await readdir(join(dir, 'assets'))) {
        if (!file.endsWith('.css')) continue
        let sheet = await readFile(join(dir, 'assets', file), 'utf8')
        for (const [name, target] of files) {
          const at = (end: string) => new RegExp(mark(name, end, '\\w+').replace(/[.{}]/g, '\\$&'))
          const [before = '', ...parts] = sheet.split(at('begin'))
          const found = parts.map(part => part.split(at('end')))
          if (found.length === 0 || found.some(({ length }) => length !== 2))
            throw new Error(`The styles of ${name} are not where they were marked in ${file}`)
          sheet = before + found.map(([, rest]) => rest).join('')
          await writeFile(join(dir, target), found.map(([styles]) => styles).join(''))
        }
        await writeFile(join(dir, 'assets', file), sheet)
      }
    },
  }
}

export default defineConfig({
  plugins: [replacedModules(), ownSheets(), reactRouter()],
  // Of which version the scripts are: the page that brings them may be newer than they are.
  define: { 'import.meta.env.ASSAY_VERSION': JSON.stringify(version()) },
  publicDir: 'src/web/public',
  build: {
    target: 'es2023',
    cssMinify: 'lightningcss',
    // One sheet for all pages: it is small, and a part that loads later must not be drawn bare before its style comes.
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 400,
    reportCompressedSize: false,
    // One instance of the context keys: the server that fills them and the pages that read them must hold the same object.
    rolldownOptions: {
      // No module does work at import: what nobody uses is left out whole, the early script among it.
      treeshake: { moduleSideEffects: [{ test: /src\/web\/.*\.ts$/, sideEffects: false }] },
      external: ['#http/context.ts'],
      output: {
        codeSplitting: {
          groups: [
            // What nearly every page has: one file of it packs better than thirty.
            {
              name: 'blocks',
              test: /src\/web\/(?:ui\/(?!Sheet|WithCommands|OtherFields|keyboard|Coded)|format\/(?!usageText|chainBlocks|indexed)|assay\/address|site|shell\/(?!earlyScript|outage\.|TopBar|Sidebar|Footer|Menu|Search|Shell)|api\.ts|people\/(?:PeopleRoot\.tsx|usePeople|peopleState|createPeoplePlace|visitLog|local|toasts|useLoads|createLoads\.ts|askPerson|hint|checkVersion|loadChunk|account\/accountAuth|ad\/(?:AdBox|adWindow)|bar\/|states\/(?:visits|machine|loading))|pages\/(?:pageMeta|failure|chain\/(?!Counterparts|NotCovered|Holdings))|blocks\/(?:view|firstStep|Card|ChartCard|HeadingBlock|HowToRead\.|Kpi|PageControls|Segmented|Sparkline|State|Tabs|ShareButton|AsOfMark|CopyText|Facts|countColumn|TableCard|chart\/(?:crosshair|shape|choices|embed|entityColour)))/,
            },
            // What comes with the first step of a reader.
            {
              name: 'charts',
              test: /src\/web\/blocks\/chart\/(?:Plot\.|TimeChart|ChartFrame|ChartOptions|CrosshairLayer|drawing|scale|summary|Legend|dashes|ShareMenu)/,
            },
            // A table may need what a chart's days are, and not how it is drawn.
            { name: 'plotData', test: /src\/web\/blocks\/chart\/plotData/, priority: 1 },
            { name: 'table', test: /src\/web\/blocks\/(?:Table\.|tableView)/ },
          ],
        },
      },
    },
  },
  css,
})
