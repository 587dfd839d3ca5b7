import { fileURLToPath } from 'node:url'
import { reactRouter } from '@react-router/dev/vite'
import { defineConfig, type Plugin } from 'vite'
import { version } from './src/version.ts'

/** How classes of modules are named, in the pages and in the picture book of their blocks. */
export const css = { modules: { generateScopedName: '[local]_[hash:base64:5]' } }

/**
 * Has every `import()` of the pages, and React Router’s of a page’s module, go through `loadChunk`, in the place of what Vite and React Router
 * bring for it: both know no limit of time, and the latter reloads without end. The build fails where one of them has moved.
 */
function guardedParts(): Plugin {
  const ours = fileURLToPath(new URL('src/web/people/loadChunk.ts', import.meta.url))
  const helper = '\0vite/preload-helper.js'
  const met = new Set<string>()
  return {
    name: 'assay:guarded-parts',
    apply: 'build',
    enforce: 'pre',
    resolveId(source, importer = '') {
      if (source !== './routeModules.js' || !/react-router\/dist\/\w+\/lib\/dom\/ssr\//.test(importer))
        return null
      met.add('React Router')
      return ours
    },
    load(id) {
      if (id !== helper) return null
      met.add('Vite')
      return `export { loadPart as __vitePreload } from ${JSON.stringify(ours)}`
    },
    buildEnd(error) {
      if (error === undefined && this.environment.name === 'client' && met.size < 2)
        throw new Error(`Parts are loaded without a limit: met only ${[...met].join()}`)
    },
  }
}

export default defineConfig({
  plugins: [guardedParts(), reactRouter()],
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
