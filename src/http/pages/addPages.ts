import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callerNetwork } from '#kernel/callerNetwork.ts'
import type { Log } from '#kernel/log.ts'
import { ApiError, wrongMethod } from '../apiError.ts'
import { type AnswerCache, canonicalSearch } from '../cache/answerCache.ts'
import type { DataVersion } from '../cache/dataVersion.ts'
import type { SharedQueries, Site } from '../context.ts'
import type { ApiFor } from '../createApi.ts'
import { heeding, isKnownDay, KNOWN } from '../known.ts'
import { sendBody, sendKept, sendKeptAs } from '../send.ts'
import type { SqlPermit } from '../sqlPermit.ts'
import {
  createDrawLimit,
  createPageDrawLimits,
  DRAW_PROBLEMS,
  type DrawKind,
  PAST_DRAWS,
} from './drawLimit.ts'
import { createPageDrawer } from './drawPage.ts'
import { createExactAddress } from './exactAddress.ts'
import type { Pages } from './loadPages.ts'
import { createQueryFilter, type ReadQuery } from './queryNames.ts'
import { DOCS } from './siteFiles.ts'

export type PagesDeps = {
  pages: Pages
  site: Omit<Site, 'nonce'>
  apiFor: ApiFor
  sharedQueries?: ((caller: string) => SharedQueries) | undefined
  cache: AnswerCache
  version: DataVersion
  permit: SqlPermit
  log: Log
  /** Whether an address belongs to the API, which answers with problems instead of pages. */
  isApi(path: string): boolean
  apiNotFound(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
}

/** Removes from a query what the page at a path does not read. */
export type OnlyRead = (path: string, search: string, caller: string) => Promise<ReadQuery>

/**
 * Answers everything that is no API route: files, redirects to the exact address, pages (unknown ones with 404). Returns the
 * filter of their queries.
 */
export function addPages(app: FastifyInstance, deps: PagesDeps): OnlyRead {
  const { pages, cache, version, permit } = deps
  const exactAddress = createExactAddress(
    pages.server.routes,
    [...deps.site.layers.map(({ id }) => id), ...deps.site.applications.map(({ slug }) => slug)],
    [DOCS],
  )
  const draw = createPageDrawer(deps)
  const past = createDrawLimit(PAST_DRAWS)
  const limits = createPageDrawLimits()
  const drawNow = (address: string, kind: DrawKind | undefined, asker: string) => {
    const key = `page ${address}`
    const isKnown = cache.isKnown(key)
    return cache.answer(key, () => {
      const drawn = () => draw({ address, asker, dataVersion: version.current() })
      return kind === undefined ? drawn() : limits[kind](asker, drawn, isKnown)
    })
  }
  const onlyRead: OnlyRead =
    pages.judgeQuery === undefined
      ? async (_, search) => ({ search, kind: undefined })
      : createQueryFilter({
          routes: pages.server.routes,
          judge: pages.judgeQuery,
          kindOfName: pages.kindOfName ?? (() => 'text'),
          pageAt: (...asked) => drawNow(...asked).then(({ body }) => body),
        })

  app.setNotFoundHandler(async (request, reply) => {
    const [path = '/', search = ''] = request.url.split(/\?(.*)/s)
    if (deps.isApi(path)) return deps.apiNotFound(request, reply)
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw wrongMethod(request.method, path, ['GET', 'HEAD'])
    const asset = pages.assets.find(path)
    if (asset) return sendKept(request, reply, await asset)
    const exact = exactAddress(path)
    if (exact !== undefined) {
      return reply.code(308).header('location', locationOf(exact, search)).send()
    }
    const asker = callerNetwork(request.ip)
    // What runs SQL is never cached.
    const isSqlPage = pages.sqlPages?.includes(path.replace(/\.data$/, '')) ?? false
    const { search: plain, kind } = isSqlPage
      ? { search, kind: undefined }
      : await onlyRead(path, search, asker)
    // The browser must have the address that the server draws; data for an open page is only read.
    if (plain !== search && !path.endsWith('.data'))
      return reply
        .code(302)
        .header('cache-control', 'no-store')
        .header('location', locationOf(path, plain))
        .send()
    const address = path + canonicalSearch(plain)
    const query = new URLSearchParams(plain)
    const known = query.get(KNOWN) ?? ''
    const on = isKnownDay(known) ? known : undefined
    const drawn = () => draw({ address, asker, dataVersion: version.current() })
    try {
      if (isSqlPage) {
        const isAllowed = permit.allows({ headers: request.headers, query, caller: asker })
        const sqlRun = { isAllowed, token: permit.ofCaller(asker) }
        const { body } = await limits.query(asker, () =>
          heeding(on, () => draw({ address, asker, dataVersion: version.current(), sqlRun })),
        )
        return sendBody(request, reply, body)
      }
      const answer =
        on === undefined
          ? await drawNow(address, kind, asker)
          : await cache.answer(`page ${address}`, () => past(asker, () => heeding(on, drawn)))
      if ((answer.body.status ?? 200) !== 200) return sendBody(request, reply, answer.body)
      // There is no end of spellings with unread names: only the plain one is remembered.
      if (plain === search) cache.remember(request.url, answer)
      return sendKept(request, reply, answer)
    } catch (thrown) {
      if (!(thrown instanceof ApiError) || !DRAW_PROBLEMS.has(thrown.code) || path.endsWith('.data'))
        throw thrown
      // Cached as any page is: a caller who is refused costs no drawing.
      const page = await drawNow(`/errors/${thrown.code}`, undefined, asker).catch(() => {
        throw thrown
      })
      return sendKeptAs(request, reply, page, {
        status: thrown.status,
        headers: { 'retry-after': String(thrown.retryAfterSeconds) },
      })
    }
  })
  return onlyRead
}

/** An address on this site; browsers take `/\\` for the `//` that leads to another one. */
const locationOf = (path: string, search: string): string =>
  path.replace(/[\\\s]/g, encodeURIComponent) + (search === '' ? '' : `?${search}`)
