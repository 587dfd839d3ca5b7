import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AccountError, type Accounts, demandPerson, isSameOrigin, limitedKey } from '#accounts/index.ts'
import { callerNetwork } from '#kernel/callerNetwork.ts'
import type { Features, Person } from '#kernel/people.ts'
import { zodWords } from '#kernel/zodWords.ts'
import { ApiError, problemOf } from './apiError.ts'
import type { BodyDeadlines } from './bodyDeadlines.ts'
import type { AnswerCache, Body } from './cache/answerCache.ts'
import type { SqlFormat } from './contract.ts'
import { chooseFormat } from './format.ts'
import { heeding, knownOf } from './known.ts'
import type { PastDays } from './pastDays.ts'
import { sendBody, sendEvents, sendFile, sendKept } from './send.ts'

type Shape = z.ZodType | undefined
type Out<S extends Shape> = S extends z.ZodType ? z.output<S> : undefined

/** What a handler gets: the checked parts of the request. */
export type Asked<Params extends Shape, Query extends Shape, RequestBody extends Shape> = {
  params: Out<Params>
  query: Out<Query>
  body: Out<RequestBody>
  /** Address of who asks: what limits are counted by. */
  asker: string
  /** Who asks, proved; undefined for who claims nothing, and where the route does not ask (`who`). */
  person: Person | undefined
  /** What the person may use; empty without one. */
  features: Features
  headers: IncomingHttpHeaders
  /** `HEAD` is handled like `GET`, without the body. */
  method: string
  /** The body as it came, where the route takes it so (`takesBytes`); else empty. */
  bytes: Buffer
  /** The body as it comes, where the route takes a stream; else empty. */
  stream: Readable
  /** Lets the body take longer while it makes steady progress. Only for callers who may upload. */
  allowSlowBody: () => void
  /** Aborted when the asker goes away. */
  signal: AbortSignal
  /** The form to answer in; JSON unless the route has others. */
  format: SqlFormat
}

/**
 * How a route answers: the schema of its JSON, and whether it may also come as CSV, Arrow or Parquet, as CSV alone where its
 * `format` says so, or comes as events, or says nothing.
 */
export type AnswerSpec = {
  schema: z.ZodType
  hasFormats?: boolean
  hasCsv?: boolean
  isStream?: boolean
  /** 204: nothing is said but that it is done. */
  isEmpty?: boolean
  /** Supports byte ranges (206). */
  hasRanges?: boolean
  /** Types of an answer that is no JSON. */
  media?: readonly string[]
}

/**
 * A route of the API, declared once: the schemas check the request, type the handler and make the API document. The path
 * is Fastify's: `/api/v1/metrics/:id`.
 */
export type RouteSpec<
  Params extends Shape = Shape,
  Query extends Shape = Shape,
  RequestBody extends Shape = Shape,
> = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  /** Name in the API document. */
  id: string
  summary: string
  params?: Params
  query?: Query
  body?: RequestBody
  answer: AnswerSpec
  /** Longest body, bytes, of a route that takes it as it is, whatever its type. */
  takesBytes?: number
  /** The handler reads the body itself, whatever its type, and limits it. */
  takesStream?: boolean
  /** Problems that it may answer with, besides 400, 500 and 503. */
  problems?: readonly number[]
  /** `data`: the answer follows from address and data, and is kept; `never`: it is not. */
  kept: 'data' | 'never'
  /**
   * Whom it answers: `anyone` is told who asks where that is proved; `person` demands it, and `operator` one of those
   * who run the site. Nobody is asked unless this is given. What is answered so is never kept.
   */
  who?: 'anyone' | 'person' | 'operator'
  /** For `anyone`: it answers users and keys with the scope for it, and changes count toward their limit. */
  isUsersOwn?: boolean
  /** It also answers keys that are limited to named queries, and checks itself which queries those are. */
  isForNamedQueries?: boolean
  /** It changes something, and is asked by our own pages or by no page at all; what `who` guards is so anyway. */
  isOwn?: boolean
  handle(asked: Asked<Params, Query, RequestBody>): Promise<Body | EventStream | FileStream>
}

/** Events that go out one by one until the asker goes away (`text/event-stream`, HTML Living Standard, 9.2). */
export type EventStream = {
  readonly events: AsyncIterable<{ readonly name: string; readonly data: unknown }>
}

/** A file that is too large to hold in memory, sent as it is read. */
export type FileStream = {
  readonly stream: Readable
  /** 200, or 206 for a byte range. */
  readonly status?: number
  readonly contentType: string
  readonly headers?: Readonly<Record<string, string>>
}

/** For lists of routes: the handler's own types are its business. */
export type AnyRoute = Omit<RouteSpec, 'handle'> & {
  handle(asked: never): Promise<Body | EventStream | FileStream>
}

export const route = <
  Params extends Shape = undefined,
  Query extends Shape = undefined,
  RequestBody extends Shape = undefined,
>(
  spec: RouteSpec<Params, Query, RequestBody>,
): AnyRoute => spec as AnyRoute

export const json = (value: unknown): Body => ({
  bytes: Buffer.from(JSON.stringify(value)),
  contentType: 'application/json; charset=utf-8',
})

/** What is done and has nothing to say. */
export const done = (headers: Readonly<Record<string, string>> = {}): Body => ({
  bytes: Buffer.alloc(0),
  contentType: 'application/json; charset=utf-8',
  status: 204,
  headers,
})

/** What routes share. */
export type RouteDeps = {
  readonly cache: AnswerCache
  readonly accounts: Accounts | undefined
  readonly pastDays: PastDays
  /** Absent: bodies are not timed. */
  readonly bodies?: BodyDeadlines
}

/** Registers a declared route. */
export function addRoute(app: FastifyInstance, spec: AnyRoute, deps: RouteDeps): void {
  if (spec.who !== undefined && spec.kept !== 'never')
    throw new TypeError(`${spec.id} answers persons, so its answers may not be kept`)
  const limit = spec.takesBytes
  if (limit === undefined && !spec.takesStream) {
    hang(app, spec, deps)
    return
  }
  // A scope of its own: no other route loses its parsers.
  app.register(async scope => {
    scope.removeAllContentTypeParsers()
    if (limit === undefined) scope.addContentTypeParser('*', (_request, body, done) => done(null, body))
    else
      scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: limit }, (_request, body, done) =>
        done(null, body),
      )
    hang(scope, spec, deps)
  })
}

function hang(app: FastifyInstance, spec: AnyRoute, { cache, accounts, pastDays, bodies }: RouteDeps): void {
  app.route({
    method: spec.method,
    url: spec.path,
    handler: async (request, reply) => {
      const { person, features } = await askWho(spec, request, accounts)
      const params = check(spec.params, request.params, 'in the address')
      const { on, rest } = spec.path.startsWith('/api/v1/')
        ? knownOf(request.query)
        : { on: undefined, rest: request.query }
      const asker = callerNetwork(request.ip)
      const query = check(spec.query ?? queryOf(spec), rest, 'in the query')
      const body = spec.takesStream ? undefined : check(spec.body, request.body, 'in the body')
      const named = formatIn(query) ?? formatIn(body)
      const isByHeader = spec.answer.hasFormats === true && named === undefined
      const accept = isByHeader ? (request.headers.accept ?? '*/*') : undefined
      const format = spec.answer.hasFormats
        ? chooseFormat(named, accept)
        : (spec.answer.hasCsv && named) || 'json'
      if (on !== undefined) await pastDays(asker, on)
      const signal = goneSignal(request, reply)
      const asked = {
        params,
        query,
        body,
        asker,
        person,
        features,
        bytes: Buffer.isBuffer(request.body) ? request.body : NO_BYTES,
        stream: request.body instanceof Readable ? request.body : Readable.from([]),
        allowSlowBody: () => void bodies?.allowSlow(request.raw, asker),
        headers: request.headers,
        method: request.method,
        signal,
        format,
      }
      // The list of routes forgets the handler's own types; the schemas above have just made them true.
      const handle = () => heeding(on, () => spec.handle(asked as never))
      if (spec.kept === 'never') {
        const given = await handle()
        if ('events' in given) return sendEvents(reply, given)
        return 'stream' in given ? sendFile(reply, given) : sendBody(request, reply, given)
      }
      const key = `${spec.id} ${canonical(params)} ${canonical(query)} ${format} ${on ?? ''}`
      const answer = await cache.answer(key, async () => ({ body: (await handle()) as Body, isKept: true }))
      if (request.method === 'GET') cache.remember(request.raw.url ?? '', answer, accept)
      return sendKept(request, reply, answer)
    },
  })
}

const NO_BYTES = Buffer.alloc(0)

const NO_QUERY = z.strictObject({})

/**
 * What a route of the API is not asked for is refused, also where it asks for nothing: a parameter that is misspelt or in
 * the wrong place must not look as if it had been heard. Addresses beside the API take anything (`/meta.json?t=…`).
 */
const queryOf = ({ path }: AnyRoute): z.ZodType | undefined =>
  path.startsWith('/api/v1/') ? NO_QUERY : undefined

/** Parses with the schema; every fault is told with the name of its parameter. */
function check(schema: z.ZodType | undefined, value: unknown, where: string): unknown {
  if (schema === undefined) return undefined
  const parsed = schema.safeParse(value ?? {}, { error: zodWords })
  if (parsed.success) return parsed.data
  const errors = parsed.error.issues.flatMap(issue =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map(parameter => ({ parameter, message: `is not known${namesOf(schema)}` }))
      : [{ parameter: issue.path.join('.') || 'body', message: issue.message }],
  )
  const detail = errors.map(({ parameter, message }) => `\`${parameter}\` ${where}: ${message}`).join('; ')
  throw new ApiError(problemOf('http.parameter', `${detail}.`, { errors }))
}

function namesOf(schema: z.ZodType): string {
  if (!(schema instanceof z.ZodObject)) return ''
  const names = Object.keys(schema.shape)
  return names.length > 0 ? `; there are: ${names.join(', ')}` : '; there are none'
}

/** The same question asked in another order of parameters is the same question. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  ) ?? ''

function formatIn(value: unknown): SqlFormat | undefined {
  // The schema has checked the value; here only its presence is in question.
  return typeof value === 'object' && value !== null && 'format' in value
    ? (value.format as SqlFormat | undefined)
    : undefined
}

/** Who asks, if the route wants to know. Throws AccountError, and `http.credentials` where there are no accounts. */
async function askWho(
  { who, isOwn, method, isUsersOwn, isForNamedQueries }: AnyRoute,
  request: FastifyRequest,
  accounts: Accounts | undefined,
): Promise<{ person: Person | undefined; features: Features }> {
  const { headers } = request
  const isGuarded = isOwn === true || (who !== undefined && method !== 'GET')
  if (isGuarded && accounts !== undefined && !isSameOrigin(headers, accounts.publicUrl))
    throw new AccountError(
      'accounts.origin',
      'The request came from a page on another site. Nothing was changed.',
    )
  if (who === undefined) return NOBODY
  if (accounts === undefined) refuseClaims(claimsOf(headers))
  const person = await accounts?.identify(headers)
  if (person?.queries !== undefined && !isForNamedQueries) throw limitedKey()
  if (who !== 'anyone') demandRight(demandPerson(person), who, accounts)
  if (person === undefined || accounts === undefined) return NOBODY
  if ((who !== 'anyone' || isUsersOwn) && method !== 'GET') await accounts.allowChange(person)
  return { person, features: await accounts.features(person) }
}

const NOBODY = { person: undefined, features: {} } as const

/** What is a person's own is not for keys, nor for tokens that were made for less. */
function demandRight(person: Person, who: 'person' | 'operator', accounts: Accounts | undefined): void {
  if (person.via === 'key' || !person.scopes.has('read:private'))
    throw new AccountError('accounts.scope', 'This key or token is not for what is a person’s own.', {
      hint: 'It needs a sign-in with the scope read:private.',
    })
  if (who === 'operator' && !accounts?.isOperator(person))
    throw new AccountError('accounts.operator', 'This is for those who run the site.', {
      hint: 'ASSAY_OPERATORS names them.',
    })
}

function refuseClaims(claims: readonly string[]): void {
  if (claims.length > 0)
    throw new ApiError(
      problemOf('http.credentials', `Nothing here can prove what ${claims.join(' and ')} claims.`, {
        hint: 'Ask without these headers.',
      }),
    )
}

/** A proxy's own `Basic` password is no claim to us. */
const claimsOf = (headers: FastifyRequest['headers']): string[] => [
  ...(/^bearer(\s|$)/i.test(headers.authorization ?? '') ? ['authorization'] : []),
  ...(headers['wallet-address'] === undefined ? [] : ['wallet-address']),
]

function goneSignal(request: FastifyRequest, reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableEnded) gone.abort()
  })
  // Gone before this could listen.
  if (reply.raw.destroyed || (request.raw.destroyed && !request.raw.complete)) gone.abort()
  return gone.signal
}
