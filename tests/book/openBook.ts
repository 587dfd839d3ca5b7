import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import fastifyStatic from '@fastify/static'
import fastify from 'fastify'
import { build } from 'vite'
import { css } from '../../vite.config.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const BOOK = join(ROOT, 'build/book')

/** The picture book at an address of this machine. */
export type OpenBook = AsyncDisposable & { readonly url: string }

/**
 * Builds the book and serves it beside the site's own style sheet and letters, so that blocks look here as they do to readers.
 * The pages must have been built; `port` 0 takes any that is free.
 */
export async function openBook(port = 0): Promise<OpenBook> {
  const sheet = await styleSheet()
  await build({
    configFile: false,
    root: ROOT,
    publicDir: false,
    logLevel: 'error',
    css,
    build: {
      outDir: BOOK,
      target: 'es2023',
      // Names of classes are those of the site's sheet, which is the only one here.
      emitAssets: false,
      cssCodeSplit: false,
      modulePreload: false,
      chunkSizeWarningLimit: 4000,
      rolldownOptions: {
        input: join(ROOT, 'tests/book/main.tsx'),
        output: { entryFileNames: 'book.js', codeSplitting: false },
      },
    },
  })
  const html = pageOf(sheet, await readFile(join(ROOT, 'tests/book/book.css'), 'utf8'))
  const app = fastify()
  app.get('/', (_, reply) => reply.type('text/html; charset=utf-8').send(html))
  await app.register(fastifyStatic, { root: BOOK, prefix: '/book/' })
  await app.register(fastifyStatic, { root: join(ROOT, 'build/client'), decorateReply: false })
  const url = await app.listen({ host: '127.0.0.1', port })
  return { url, [Symbol.asyncDispose]: () => app.close() }
}

/** Address of the style sheet that all pages of the site have. */
async function styleSheet(): Promise<string> {
  const server = pathToFileURL(join(ROOT, 'build/server/index.js')).href
  const { assets } = (await import(server)) as { assets: { routes: Record<string, { css?: string[] }> } }
  const [sheet] = assets.routes.root?.css ?? []
  if (sheet === undefined) throw new Error('the pages of the site have no style sheet: `npm run build` first')
  return sheet
}

const pageOf = (sheet: string, own: string): string =>
  `<!doctype html>
<html lang="en" data-theme="light" class="js">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Building blocks</title><link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="${sheet}"><style>${own}</style>
<script type="module" src="/book/book.js"></script></head>
<body><div id="book"></div></body></html>
`
