import { reactRouter } from '@react-router/dev/vite'
import { defineConfig } from 'vite'

/** How classes of modules are named, in the pages and in the picture book of their blocks. */
export const css = { modules: { generateScopedName: '[local]_[hash:base64:5]' } }

export default defineConfig({
  plugins: [reactRouter()],
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
      external: ['#http/context.ts'],
      output: {
        codeSplitting: {
          groups: [
            // What nearly every page has: one file of it packs better than thirty.
            {
              name: 'blocks',
              test: /src\/web\/(?:ui\/(?!Sheet|WithCommands|OtherFields)|format|assay\/address|site|shell\/(?!TopBar|Sidebar|Footer|Menu|Search|Shell)|pages\/(?:pageMeta|failure|chain\/(?!Counterparts|NotCovered|Holdings))|blocks\/(?:view|Card|ChartCard|HeadingBlock|HowToRead\.|Kpi|PageControls|Segmented|Sparkline|State|Tabs|ShareButton|AsOfMark|CopyText|Facts|countColumn|TableCard|tableView|chart\/(?:needed|Plot\.|TimeChart|ChartFrame|ChartOptions|CrosshairLayer|crosshair|drawing|scale|shape|summary|Legend|dashes|embed|ShareMenu|entityColour)))/,
            },
          ],
        },
      },
    },
  },
  css,
})
