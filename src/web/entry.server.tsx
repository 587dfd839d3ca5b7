import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { renderToPipeableStream } from 'react-dom/server'
import { type EntryContext, type RouterContextProvider, ServerRouter } from 'react-router'
import { siteContext } from '#http/context.ts'
import { handoffElement, NOTHING_PACKED } from './handoff.server.ts'
import { earlyTabsScript } from './pages/query/earlyTabs.ts'
import { shareHead, withHead } from './share/head.ts'
import { toldOf } from './share/told.ts'
import { earlyScript, LATER } from './shell/earlyScript.ts'
import { waitsOf } from './shell/waits.server.ts'

export { namedPages } from './namedPages.server.ts'
export { judgeQuery, kindOfName } from './queryNames.server.ts'

/** Longest time a page may take to draw, ms. */
export const streamTimeout = 15_000

/** Scripts that stand in every page word for word: the server lets exactly these run beside the ones with its nonce. */
export const inlineScripts: readonly string[] = [earlyScript, earlyTabsScript]

/** Pages that run the SQL in their address. */
export const sqlPages: readonly string[] = ['/assay/run']

/** Pictures of pages for those who show links. */
export { cards } from './cards/cards.server.ts'

/**
 * The page is whole without its scripts: what the first paint waits for (style sheet, font) has the line to itself, and the early
 * script of the head lets them follow, on a calm page once its reader does something. React Router offers no such order of its own.
 */
const scriptsAfterPaint = (html: string, waits: string | undefined): string =>
  html
    .replaceAll('<link rel="modulepreload" ', `<link rel="${LATER}" `)
    .replaceAll(' type="module" async="">', ` type="${LATER}"${waits ? ` data-waits="${waits}"` : ''}>`)

const BODY_END = '</body>'

/** Behind all that is read. */
function withHandoff(html: string, handed = ''): string {
  const at = html.lastIndexOf(BODY_END)
  return at === -1 ? html : html.slice(0, at) + handed + html.slice(at)
}

/** Draws the whole page before the first byte leaves: what is read without JavaScript must be in the HTML. */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  loadContext: RouterContextProvider,
): Promise<Response> {
  headers.set('content-type', 'text/html; charset=utf-8')
  if (request.method === 'HEAD') return Promise.resolve(new Response(null, { status, headers }))
  const { nonce, publicUrl } = loadContext.get(siteContext)
  const { staticHandlerContext: found, routeModules } = routerContext
  const moduleOf = (id: string) => routeModules[id]
  const handed = handoffElement(found)
  if (handed !== undefined) routerContext.serverHandoffStream = new Blob([NOTHING_PACKED]).stream()
  return new Promise((resolve, reject) => {
    let answered = status
    const page = <ServerRouter context={routerContext} url={request.url} nonce={nonce} />
    const { pipe, abort } = renderToPipeableStream(page, {
      nonce,
      // One piece: a part that arrives on its own would need a script to be put in its place.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onAllReady() {
        clearTimeout(timer)
        const body = new PassThrough()
        pipe(body)
        const told = answered === 200 ? toldOf({ found, moduleOf, publicUrl }) : undefined
        text(body).then(html => {
          const whole = withHandoff(told ? withHead(html, shareHead(told)) : html, handed)
          resolve(
            new Response(scriptsAfterPaint(whole, waitsOf(found, moduleOf)), { status: answered, headers }),
          )
        }, reject)
      },
      onShellError(error) {
        clearTimeout(timer)
        reject(error)
      },
      onError() {
        answered = 500
      },
    })
    const timer = setTimeout(abort, streamTimeout + 1000)
  })
}
