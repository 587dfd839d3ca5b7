import { createServer, type IncomingMessage, type RequestListener, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { Billing } from '#accounts/billing/index.ts'
import type { Accounts } from '#accounts/index.ts'
import type { StacksClient } from '#chains/stacks/node/index.ts'
import type { Cms } from '#content/index.ts'
import type { AvailabilityWatch } from '#kernel/availability.ts'
import { sentenceOf } from '#kernel/errors.ts'
import { isRequestPath } from '#kernel/localPath.ts'
import type { Log } from '#kernel/log.ts'
import type { QueryTool, RecordRun } from '#queries/index.ts'
import { ApiError, problemOf, toApiError, wrongMethod } from './apiError.ts'
import { type BodyPace, createBodyDeadlines } from './bodyDeadlines.ts'
import { createAnswerCache } from './cache/answerCache.ts'
import type { DataVersion } from './cache/dataVersion.ts'
import { type Changes, createChanges } from './changes.ts'
import type { SiteEntities } from './context.ts'
import type { ApiFor } from './createApi.ts'
import { healthRoutes } from './health/routes.ts'
import type { PartState } from './health/watch.ts'
import { hotListener } from './hotListener.ts'
import { addIdp } from './idp.ts'
import { mcpRoutes } from './mcp/routes.ts'
import { openApiOf } from './openapi.ts'
import { operationsOf } from './operations.ts'
import { addPages } from './pages/addPages.ts'
import { addCards } from './pages/cards.ts'
import type { Pages } from './pages/loadPages.ts'
import { createPageReader } from './pages/readPage.ts'
import { addSiteFiles } from './pages/siteFiles.ts'
import { createPastDays } from './pastDays.ts'
import type { ProblemCode } from './problems.ts'
import { createProvenanceApi } from './provenance/api.ts'
import { provenanceRoutes } from './provenance/routes.ts'
import { createProxyWarning } from './proxyWarning.ts'
import { createQueriesApi } from './queries/api.ts'
import { callerOf } from './queries/callers.ts'
import { commentRoutes } from './queries/comments/routes.ts'
import { queryExampleRoutes } from './queries/examples.ts'
import { queryRoutes } from './queries/routes.ts'
import { scheduleRoutes } from './queries/schedules/routes.ts'
import { createRequestIds, givenRequestId } from './requestId.ts'
import { type AnyRoute, addRoute, json } from './route.ts'
import { accountRoutes } from './routes/account.ts'
import { acrossRoutes } from './routes/across.ts'
import { applicationRoutes } from './routes/applications.ts'
import { assetRoutes } from './routes/assets.ts'
import { balanceRoutes } from './routes/balances.ts'
import { billingRoutes } from './routes/billing.ts'
import { bitcoinRoutes } from './routes/bitcoin.ts'
import { changeRoutes } from './routes/changes.ts'
import { cmsRoutes } from './routes/cms.ts'
import { compareRoutes } from './routes/compare.ts'
import { contentRoutes } from './routes/content.ts'
import { developerRoutes } from './routes/developers.ts'
import { directoryRoutes } from './routes/directory.ts'
import { editorRoutes } from './routes/editor.ts'
import { featureRoutes } from './routes/features.ts'
import { indexRoutes } from './routes/indices.ts'
import { layerRoutes } from './routes/layers.ts'
import { metricRoutes } from './routes/metrics.ts'
import { opportunityRoutes } from './routes/opportunities.ts'
import { sbtcRoutes } from './routes/sbtc.ts'
import { searchRoutes } from './routes/search.ts'
import { signalRoutes } from './routes/signals.ts'
import { sqlRoutes } from './routes/sql.ts'
import { stacksRoutes } from './routes/stacks.ts'
import { stacksNamesRoute } from './routes/stacksNames.ts'
import { stacksNodeRoutes } from './routes/stacksNode.ts'
import { stateRoutes } from './routes/state.ts'
import { treasuryRoutes } from './routes/treasuries.ts'
import { baseHeaders } from './security.ts'
import { sendBody } from './send.ts'
import { checkAddresses } from './siteOf.ts'
import { createSqlPermit } from './sqlPermit.ts'
import { createNodeDesk } from './stacksNode.ts'
import { teamRoutes } from './teams/routes.ts'
import { createUploadsApi } from './uploads/api.ts'
import { uploadRoutes } from './uploads/routes.ts'

/** Layers and applications of the catalogue (`siteOf`), and what else a site is told. */
const ANYBODY = { person: undefined, features: {} } as const

export type HttpConfig = SiteEntities & {
  /** The one origin, without a closing slash. */
  publicUrl: string
  /** Address of the API without a closing slash; `/api` of the origin unless given. */
  apiUrl?: string | undefined
  version: string
  /** Targets of the shell's outward links; absent: not drawn. */
  links: {
    signUp: string
    analytics: string | undefined
    newsletter: string | undefined
    social: string | undefined
    docs: string
    /** Stacks address that readers may send STX to. */
    support: string | undefined
  }
  /** Proxies whose X-Forwarded-For counts, as addresses or networks; none unless given. */
  trustProxy?: string[]
  /** Bytes of answers to keep; 96 MiB unless given. */
  cacheBytes?: number
  /** How long bodies of requests may take to arrive. */
  bodyPace?: BodyPace
}

export type HttpDeps = {
  config: HttpConfig
  apiFor: ApiFor
  version: DataVersion
  /** Whether the data engine answers; while it does not, the last good answers are sent. Absent: always. */
  availability?: AvailabilityWatch
  /** Texts, pictures and advertisements. */
  cms: Cms
  /** Selling of Premium; absent where no payment is configured. */
  billing?: Billing
  /** The state of what the server needs, from memory. */
  health: () => readonly PartState[]
  /** The build of the pages; without one only the API answers. */
  pages?: Pages
  /** Who people are; without them nobody signs in. */
  accounts?: Accounts
  /** The query tool; without it queries are answered at once and stored nowhere. */
  queryTool?: QueryTool
  /** Asked on behalf of readers; without one such questions are refused. */
  stacksNode?: StacksClient
  log: Log
}

/** Longest body, bytes: a statement and its parameters. */
const BODY_LIMIT = 256 * 1024
const HEADERS_TIMEOUT_MS = 30_000
/**
 * How long an idle connection stays open. Longer than the usual 60 s of proxies, so that they close it first: a server that
 * closes first drops a request that is already on its way.
 */
const KEEP_ALIVE_MS = 75_000
const CACHE_BYTES = 96 * 1024 * 1024

/** The web server: API, pages, health. The caller listens and closes. */
export function createHttp({
  config,
  apiFor,
  version,
  availability,
  cms,
  billing,
  health,
  pages,
  accounts,
  queryTool,
  stacksNode,
  log,
}: HttpDeps): FastifyInstance {
  const cache = createAnswerCache(version, config.cacheBytes ?? CACHE_BYTES, {
    ...(availability && { availability }),
    log,
  })
  const headers = baseHeaders(config.publicUrl)
  const newRequestId = createRequestIds()
  const bodies = createBodyDeadlines(socket => {
    const error = Object.assign(new Error('The request body did not arrive in time.'), {
      code: 'ERR_HTTP_REQUEST_TIMEOUT',
    })
    refuseRaw(error, socket, headers, newRequestId())
  }, config.bodyPace)
  const hot = (url: string, accept: string | undefined) => pages?.assets.hot(url) ?? cache.hot(url, accept)
  const app = Fastify({
    logger: false,
    bodyLimit: BODY_LIMIT,
    requestTimeout: 0,
    forceCloseConnections: true,
    trustProxy: config.trustProxy ?? false,
    genReqId: (request: IncomingMessage) => givenRequestId(request) ?? newRequestId(),
    routerOptions: { maxParamLength: 200 },
    // Wrong addresses (a broken percent sign, a part too long) are told like any other error.
    frameworkErrors: (error, request, reply) => {
      reply.headers(headers).header('x-request-id', request.id)
      void sendProblem(request, reply, fromFastify(error), log)
    },
    clientErrorHandler: (error, socket) => refuseRaw(error, socket, headers, newRequestId()),
    serverFactory: handler => {
      const answer = hotListener(hot, headers, newRequestId, handler)
      const listener: RequestListener = (request, response) => {
        bodies.watch(request, response)
        answer(request, response)
      }
      // Node would answer a missing Host and an unknown expectation itself, without our headers.
      const options = {
        headersTimeout: HEADERS_TIMEOUT_MS,
        // `bodies` enforces the timeout of request bodies.
        requestTimeout: 0,
        keepAliveTimeout: KEEP_ALIVE_MS,
        requireHostHeader: false,
      }
      return createServer(options, listener).on('checkExpectation', listener)
    },
  })

  // A body is JSON or nothing: Fastify would take plain text as well.
  app.removeContentTypeParser(['text/plain', 'application/json'])
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    // Many clients name JSON with a DELETE that carries nothing.
    if (body === '' && request.method === 'DELETE') done(null)
    else parseJson(request, body, done)
  })

  const warnOfProxy = createProxyWarning(config.trustProxy !== undefined, log)
  app.addHook('onRequest', async (request, reply) => {
    const { forwarded, 'x-forwarded-for': forwardedFor } = request.headers
    warnOfProxy(request.raw.socket.remoteAddress, (forwarded ?? forwardedFor) !== undefined)
    reply.headers(headers)
    reply.header('x-request-id', request.id)
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1')
      throw new ApiError(problemOf('http.malformed', 'The request has no Host header.'))
    if (!isRequestPath(request.raw.url ?? ''))
      throw new ApiError(
        problemOf(
          'http.address',
          'The path must begin with a single slash and contain no backslash or number sign.',
        ),
      )
  })
  app.setErrorHandler<FastifyError>((error, request, reply) =>
    sendProblem(request, reply, fromFastify(error), log),
  )

  const changes = createChanges({ version, cache, ...(availability && { availability }) })
  const desk = createNodeDesk(stacksNode)
  const queries =
    queryTool && createQueriesApi(queryTool, accounts && (person => accounts.keys.list(person)), log)
  const provenance =
    queryTool &&
    queries &&
    createProvenanceApi({
      tool: queryTool,
      queries,
      apiFor,
      version,
      site: { publicUrl: config.publicUrl, version: config.version },
    })
  const apiUrl = config.apiUrl ?? `${config.publicUrl}/api`
  const documented = [
    ...allRoutes({
      config,
      apiFor,
      health,
      changes,
      cms,
      billing,
      accounts,
      recordRun: queryTool?.recordRun,
    }),
    ...(queries === undefined ? [] : queryRoutes(queries)),
    ...(queryTool === undefined ? [] : commentRoutes(queryTool.comments)),
    ...(queryTool === undefined ? [] : scheduleRoutes(queryTool.schedules)),
    ...(queryTool === undefined ? [] : uploadRoutes(createUploadsApi(queryTool))),
    ...(provenance === undefined ? [] : provenanceRoutes(provenance)),
    ...stacksNodeRoutes(desk),
    stacksNamesRoute(address => apiFor({ address }), desk),
    ...(accounts === undefined ? [] : [...accountRoutes(accounts, queries), ...teamRoutes(accounts.teams)]),
  ]
  const routes = [
    ...documented,
    ...(queries === undefined
      ? []
      : mcpRoutes({
          apiFor: address => apiFor({ address }),
          queries,
          site: { publicUrl: config.publicUrl, apiUrl },
          version: config.version,
          log,
        })),
  ]
  const shared = { cache, accounts, pastDays: createPastDays(), bodies }
  for (const spec of routes) addRoute(app, spec, shared)
  if (accounts?.idp !== undefined) addIdp(app, accounts.idp)
  const document = openApiOf(documented, { version: config.version, apiUrl })
  app.get('/api/openapi.json', (request, reply) => sendBody(request, reply, json(document)))

  const apiNotFound = (request: FastifyRequest, reply: FastifyReply) =>
    sendProblem(request, reply, unknownAddress(request, routes), log)
  if (pages === undefined) {
    app.setNotFoundHandler(apiNotFound)
  } else {
    checkAddresses(config, pages.server.routes)
    const permit = createSqlPermit(config.publicUrl)
    const site = {
      version: config.version,
      publicUrl: config.publicUrl,
      apiUrl: config.apiUrl,
      signUpUrl: config.links.signUp,
      analyticsUrl: config.links.analytics,
      newsletterUrl: config.links.newsletter,
      socialUrl: config.links.social,
      supportAddress: config.links.support,
      layers: config.layers,
      applications: config.applications,
      sqlToken: permit.ofPages,
      operations: operationsOf(document),
      ...(accounts && { people: accounts.shown }),
    }
    const isApi = (path: string) => /^\/api(?:\/|$)/.test(path) || methodsOf(path, routes).length > 0
    addSiteFiles(app, {
      site,
      docsUrl: config.links.docs,
      routes: pages.server.routes,
      api: apiFor({ address: '' }),
    })
    const onlyRead = addPages(app, {
      pages,
      site,
      apiFor,
      sharedQueries:
        queries &&
        (asker => ({
          read: id => queries.read(id, ANYBODY),
          list: () => queries.list(ANYBODY, {}),
          result: hash => queries.drawn(hash, callerOf({ asker, ...ANYBODY })),
        })),
      cache,
      version,
      permit,
      log,
      isApi,
      apiNotFound,
    })
    if (pages.cards !== undefined) {
      const read = createPageReader({ routes: pages.server.routes, site, apiFor, log })
      addCards(app, { cards: pages.cards, read, onlyRead, cache })
    }
  }
  return app
}

function allRoutes({
  config,
  apiFor,
  health,
  changes,
  cms,
  billing,
  accounts,
  recordRun,
}: Pick<HttpDeps, 'config' | 'apiFor' | 'health' | 'cms'> & {
  changes: Changes
  billing: Billing | undefined
  accounts: Accounts | undefined
  recordRun: RecordRun | undefined
}): AnyRoute[] {
  const forAddress = (address: string) => apiFor({ address })
  return [
    ...metricRoutes(forAddress),
    ...compareRoutes(forAddress),
    ...bitcoinRoutes(forAddress),
    ...stacksRoutes(forAddress),
    ...sbtcRoutes(forAddress),
    ...directoryRoutes(forAddress),
    ...applicationRoutes(forAddress),
    ...contentRoutes(forAddress),
    ...queryExampleRoutes(forAddress),
    ...cmsRoutes(cms, forAddress),
    ...editorRoutes(cms, accounts),
    ...billingRoutes(billing),
    ...developerRoutes(forAddress),
    ...treasuryRoutes(forAddress),
    ...indexRoutes(forAddress),
    ...opportunityRoutes(forAddress),
    ...signalRoutes(forAddress),
    ...acrossRoutes(forAddress),
    ...balanceRoutes(forAddress),
    ...assetRoutes(forAddress),
    ...layerRoutes(forAddress),
    ...searchRoutes(forAddress),
    ...sqlRoutes(apiFor, recordRun),
    ...changeRoutes(changes),
    ...featureRoutes,
    ...stateRoutes({ apiFor: forAddress, version: config.version }),
    ...healthRoutes(health, config.version),
  ]
}

/** Fastify's own refusals in our words. */
function fromFastify(error: FastifyError): unknown {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ApiError(problemOf('http.body_too_large', `The body is longer than ${BODY_LIMIT} bytes.`))
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ApiError(
        problemOf('http.media_type', 'The body is not JSON.', {
          hint: 'Send it with `content-type: application/json`.',
        }),
      )
    case 'FST_ERR_BAD_URL':
      return new ApiError(problemOf('http.address', 'The address is not written as addresses are.'))
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new ApiError(problemOf('http.not_found', 'URL too long.'))
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new ApiError(
        problemOf('http.body', 'The body is not whole JSON.', {
          errors: [{ parameter: 'body', message: 'must be JSON' }],
        }),
      )
    default:
      return error instanceof SyntaxError && error.statusCode === 400
        ? new ApiError(
            problemOf('http.body', 'The body is not whole JSON.', {
              errors: [{ parameter: 'body', message: 'must be JSON' }],
            }),
          )
        : error
  }
}

const UNSENT = 'The request was not sent within its time.'

const RAW_REFUSALS: Readonly<Record<string, readonly [code: ProblemCode, detail: string]>> = {
  HPE_HEADER_OVERFLOW: ['http.headers_too_large', 'Address and headers together are too long.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['http.too_slow', UNSENT],
}

/** What Node's parser gives up on, before there is a request that could be answered. */
function refuseRaw(
  error: NodeJS.ErrnoException,
  socket: Socket,
  headers: Readonly<Record<string, string>>,
  requestId: string,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [code, detail] = RAW_REFUSALS[error.code ?? ''] ?? [
    'http.malformed',
    'This is no request as HTTP writes them.',
  ]
  const problem = { ...problemOf(code, detail), instance: requestId }
  const { status } = problem
  const body = JSON.stringify(problem)
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      'connection: close',
      'cache-control: no-store',
      'content-type: application/problem+json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${requestId}`,
      '',
      body,
    ].join('\r\n'),
  )
}

/** Whether what was thrown is only that the connection ended before the whole body had come. */
const isUnsentBody = ({ raw }: FastifyRequest, thrown: unknown): boolean =>
  raw.destroyed &&
  !raw.complete &&
  thrown instanceof Error &&
  /^(?:ECONNRESET|ERR_STREAM_PREMATURE_CLOSE|ABORT_ERR)$/.test((thrown as NodeJS.ErrnoException).code ?? '')

async function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  thrown: unknown,
  log: Log,
): Promise<FastifyReply> {
  const isUnsent = isUnsentBody(request, thrown)
  const error = isUnsent ? new ApiError(problemOf('http.too_slow', UNSENT)) : toApiError(thrown)
  if (isUnsent)
    log.info('a client closed the connection, or was too slow, before its request was complete', {
      requestId: request.id,
      path: request.url.split('?')[0],
    })
  if (error.status >= 500) {
    const { cause } = error
    log.error('a request failed', {
      requestId: request.id,
      path: request.url.split('?')[0],
      code: error.code,
      cause: cause instanceof Error ? (cause.stack ?? cause.message) : sentenceOf(cause ?? error),
    })
  }
  const { status, problem, retryAfterSeconds } = error
  return sendBody(request, reply, {
    bytes: Buffer.from(JSON.stringify({ ...problem, instance: request.id })),
    contentType: 'application/problem+json; charset=utf-8',
    status,
    headers: {
      ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
      ...(typeof error.facts.allow === 'string' && { allow: error.facts.allow }),
      ...(typeof error.facts.contentRange === 'string' && {
        'content-range': error.facts.contentRange,
        'accept-ranges': 'bytes',
      }),
    },
  })
}

/** 405 where the address exists under another method, else 404. */
function unknownAddress(request: FastifyRequest, routes: readonly AnyRoute[]): ApiError {
  const path = request.url.split('?')[0] ?? ''
  const methods = methodsOf(path, routes)
  if (methods.length > 0) return wrongMethod(request.method, path, methods)
  return new ApiError(
    problemOf('http.not_found', `Nothing answers at ${path.slice(0, 200)}.`, {
      hint: 'GET /api/openapi.json lists what there is.',
    }),
  )
}

const methodsOf = (path: string, routes: readonly AnyRoute[]): string[] =>
  routes
    .filter(spec => new RegExp(`^${spec.path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`).test(path))
    .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
