import type { LoaderFunctionArgs, ServerBuild } from 'react-router'
import { apiContext, siteContext, sqlRunContext } from '../context.ts'
import type { JudgeQuery } from './queryNames.ts'

export const THEME_SCRIPT = 'document.title = document.title'

export const html = (text: string, init: ResponseInit = {}): Response =>
  new Response(`<!doctype html><title>t</title>${text}`, {
    ...init,
    headers: { 'content-type': 'text/html; charset=utf-8', ...init.headers },
  })

export let drawn = 0
export let problemPages = 0

/** Slow pages wait here until the test lets them go on. */
export let gate = Promise.withResolvers<void>()

export const closeGate = (): void => {
  gate = Promise.withResolvers()
}

/** What the test's pages read of their query. */
export const isRead = (name: string): boolean => ['a', 'b', 'q', 'nonce', 'known'].includes(name)

export const judgeQuery: JudgeQuery = () => (name, value) => {
  if (name === 'each') return 'own list'
  if (isRead(name)) return value !== 'unknown' && 'own'
  const [, card] = /^(\w+)\.scale$/.exec(name) ?? []
  return card !== undefined && { html: `<section id="${card}"` }
}

/** A small map of pages in the framework's own form; each answers as a drawn page would. */
const LOADERS: Record<string, (args: LoaderFunctionArgs) => Response | Promise<Response>> = {
  bitcoin: async ({ context, url }) => {
    drawn += 1
    const { nonce, version, sqlToken } = context.get(siteContext)
    const { items } = await context.get(apiContext).blocks({ limit: 1 })
    return html(
      `<script>${THEME_SCRIPT}</script><script nonce="${nonce}"></script><p>${version} ${items[0]?.height} ${url.search}</p><i>${sqlToken}</i><section id="fees"></section>${' '.repeat(1000)}`,
    )
  },
  'bitcoin/block/:block': async ({ context, params }) => {
    const block = await context
      .get(apiContext)
      .block(params.block ?? '')
      .catch((error: { status: number; message: string }) => error)
    return 'height' in block
      ? html(`<p>${block.hash}</p>`)
      : html(`<p>${block.message}</p>`, { status: block.status })
  },
  Query: () => {
    drawn += 1
    return html('<p>own</p>', { headers: { 'cache-control': 'private, no-store' } })
  },
  'assay/run': async ({ context, url }) => {
    const { isAllowed, token } = context.get(sqlRunContext)
    if (!isAllowed) return html(`<p>not run</p><a data-token="${token}">Run query</a>`, { status: 403 })
    const { rows } = await context.get(apiContext).sql({ sql: url.searchParams.get('sql') ?? 'SELECT 1' })
    return html(`<p>${JSON.stringify(rows)}</p>`)
  },
  gone: () => new Response(null, { status: 302, headers: { location: '/bitcoin' } }),
  'embed/chart': () => html('<p>chart</p>'),
  slow: () => gate.promise.then(() => html('<p>slow</p>')),
  'errors/:code': ({ params }) => {
    problemPages += 1
    return html(`<p>page of ${params.code}</p>`)
  },
  half: async ({ context }) => {
    drawn += 1
    const api = context.get(apiContext)
    // The third at once is sent back: the page goes out without it.
    await Promise.allSettled([1, 2, 3].map(n => api.sql({ sql: `SELECT ${n}` })))
    return html('<p>half</p>')
  },
  '*': () => html('<p>no such page</p>', { status: 404 }),
}

// Of a build only what the request handler reads is made.
export const server = {
  entry: { module: { default: () => html('') } },
  routes: Object.fromEntries(
    Object.entries(LOADERS).map(([path, loader]) => [
      path,
      { id: path, path, caseSensitive: true, module: { loader } },
    ]),
  ),
  assets: { version: 'test', entry: { imports: [], module: '' }, routes: {}, url: '' },
  publicPath: '/',
  assetsBuildDirectory: '',
  future: {},
  ssr: true,
  isSpaMode: false,
  prerender: [],
  routeDiscovery: { mode: 'initial', manifestPath: '' },
} as unknown as ServerBuild
