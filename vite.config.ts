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

export default defineConfig({
  plugins: [replacedModules(), reactRouter()],
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
              test: /src\/web\/(?:ui\/(?!Sheet|WithCommands|OtherFields)|format|assay\/address|site|shell\/(?!earlyScript|outage\.|TopBar|Sidebar|Footer|Menu|Search|Shell)|api\.ts|people\/(?:PeopleRoot\.tsx|usePeople|peopleState|createPeoplePlace|visitLog|local|toasts|useLoads|createLoads\.ts|askPerson|hint|checkVersion|loadChunk|account\/accountAuth|ad\/(?:AdBox|adWindow)|bar\/|states\/(?:visits|machine|loading))|pages\/(?:pageMeta|failure|chain\/(?!Counterparts|NotCovered|Holdings))|blocks\/(?:view|firstStep|Card|ChartCard|HeadingBlock|HowToRead\.|Kpi|PageControls|Segmented|Sparkline|State|Tabs|ShareButton|AsOfMark|CopyText|Facts|countColumn|TableCard|chart\/(?:crosshair|shape|choices|embed|entityColour)))/,
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
