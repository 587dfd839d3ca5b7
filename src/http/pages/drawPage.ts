import { createHmac, randomBytes } from 'node:crypto'
import { createRequestHandler, RouterContextProvider } from 'react-router'
import { sentenceOf } from '#kernel/errors.ts'
import type { Log } from '#kernel/log.ts'
import type { Made } from '../cache/answerCache.ts'
import {
  apiContext,
  type SharedQueries,
  type Site,
  type SqlRun,
  sharedQueriesContext,
  siteContext,
  sqlRunContext,
} from '../context.ts'
import type { ApiFor } from '../createApi.ts'
import { pagePolicy, scriptHash } from '../security.ts'
import type { Pages } from './loadPages.ts'

export type PageQuestion = {
  /** Path and query in canonical spelling. */
  address: string
  asker: string
  dataVersion: string
  /** Absent: it runs no SQL. */
  sqlRun?: SqlRun | undefined
}

type DrawDeps = {
  pages: Pages
  site: Omit<Site, 'nonce'>
  apiFor: ApiFor
  /** For each caller, because reads of results are rate-limited per caller. */
  sharedQueries?: ((caller: string) => SharedQueries) | undefined
  log: Log
}

/** Headers of the framework's answer that belong to its transport, not to the page. */
const DROPPED = new Set(['connection', 'content-length', 'content-type', 'transfer-encoding', 'keep-alive'])

/**
 * Draws a page, or its data for a page already open. The whole of it is drawn before the first byte leaves. It does not
 * depend on cookies or other headers of the request; it is worth keeping when it is a 200 that lacks no part.
 */
export function createPageDrawer({
  pages,
  site,
  apiFor,
  sharedQueries,
  log,
}: DrawDeps): (question: PageQuestion) => Promise<Made> {
  const draw = createRequestHandler(pages.server, 'production')
  const hashes = pages.inlineScripts.map(scriptHash)
  const others = [site.analyticsUrl].flatMap(to => (to === undefined ? [] : (URL.parse(to)?.origin ?? [])))
  const secret = randomBytes(32)

  return async ({ address, asker, dataVersion, sqlRun }) => {
    let isWhole = true
    let lacksPart = false
    const api = apiFor({
      address: asker,
      onPassingFailure: error => {
        isWhole = false
        lacksPart ||= error.status >= 500
        // The page shows a sentence in the figure's place; what was behind it is told here.
        log.warn('a page lacks a part', {
          address,
          code: error.code,
          cause: sentenceOf(error.cause ?? error),
        })
      },
    })
    // Unknown before the page is drawn, and the same if it is drawn again: a browser that holds the page still fits.
    const nonce = createHmac('sha256', secret)
      .update(`${dataVersion} ${address}`)
      .digest('base64url')
      .slice(0, 22)
    const context = new RouterContextProvider()
    context.set(apiContext, api)
    context.set(siteContext, { ...site, nonce })
    context.set(sharedQueriesContext, sharedQueries?.(asker) ?? null)
    if (sqlRun !== undefined) context.set(sqlRunContext, sqlRun)
    // Joined, not resolved: no address leads to another host.
    const url = new URL(site.publicUrl + address)
    const response = await draw(new Request(url), context)
    const headers = Object.fromEntries([...response.headers].filter(([name]) => !DROPPED.has(name)))
    const isPrivate = /no-store|private/.test(headers['cache-control'] ?? '') || 'set-cookie' in headers
    return {
      isKept: response.status === 200 && isWhole && !isPrivate,
      lacksPart,
      body: {
        status: response.status,
        bytes: Buffer.from(await response.arrayBuffer()),
        contentType: response.headers.get('content-type') ?? 'text/html; charset=utf-8',
        headers: {
          vary: 'accept-encoding',
          'content-security-policy': pagePolicy(
            url.pathname,
            nonce,
            hashes,
            site.people,
            site.publicUrl,
            others,
          ),
          ...headers,
        },
      },
    }
  }
}
