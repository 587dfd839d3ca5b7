import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callerNetwork } from '#kernel/callerNetwork.ts'
import type { Log } from '#kernel/log.ts'
import { wrongMethod } from '../apiError.ts'
import { type AnswerCache, canonicalSearch } from '../cache/answerCache.ts'
import type { DataVersion } from '../cache/dataVersion.ts'
import type { Site } from '../context.ts'
import type { ApiFor } from '../createApi.ts'
import { heeding, isKnownDay, KNOWN } from '../known.ts'
import { sendBody, sendKept } from '../send.ts'
import type { SqlPermit } from '../sqlPermit.ts'
import { createPageDrawer } from './drawPage.ts'
import { createExactAddress } from './exactAddress.ts'
import type { Pages } from './loadPages.ts'
import { DOCS } from './siteFiles.ts'

export type PagesDeps = {
  pages: Pages
  site: Omit<Site, 'nonce'>
  apiFor: ApiFor
  cache: AnswerCache
  version: DataVersion
  permit: SqlPermit
  log: Log
  /** Whether an address belongs to the API, which answers with problems instead of pages. */
  isApi(path: string): boolean
  apiNotFound(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
}

/** Answers everything that is no API route: files, redirects to the exact address, pages (unknown ones with 404). */
export function addPages(app: FastifyInstance, deps: PagesDeps): void {
  const { pages, cache, version, permit } = deps
  const exactAddress = createExactAddress(
    pages.server.routes,
    [...deps.site.layers.map(({ id }) => id), ...deps.site.applications.map(({ slug }) => slug)],
    [DOCS],
  )
  const draw = createPageDrawer(deps)

  app.setNotFoundHandler(async (request, reply) => {
    const [path = '/', search = ''] = request.url.split(/\?(.*)/s)
    if (deps.isApi(path)) return deps.apiNotFound(request, reply)
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw wrongMethod(request.method, path, ['GET', 'HEAD'])
    const asset = pages.assets.find(path)
    if (asset) return sendKept(request, reply, await asset)
    const exact = exactAddress(path)
    if (exact !== undefined) {
      return reply
        .code(308)
        .header('location', search === '' ? exact : `${exact}?${search}`)
        .send()
    }
    const address = path + canonicalSearch(search)
    const asker = callerNetwork(request.ip)
    const query = new URLSearchParams(search)
    const known = query.get(KNOWN) ?? ''
    const on = isKnownDay(known) ? known : undefined
    if (pages.sqlPages?.includes(path.replace(/\.data$/, ''))) {
      const isAllowed = permit.allows({ headers: request.headers, query, caller: asker })
      const sqlRun = { isAllowed, token: permit.ofCaller(asker) }
      const { body } = await heeding(on, () =>
        draw({ address, asker, dataVersion: version.current(), sqlRun }),
      )
      return sendBody(request, reply, body)
    }
    const answer = await cache.answer(`page ${address}`, () =>
      heeding(on, () => draw({ address, asker, dataVersion: version.current() })),
    )
    if ((answer.body.status ?? 200) !== 200) return sendBody(request, reply, answer.body)
    cache.remember(request.url, answer)
    return sendKept(request, reply, answer)
  })
}
