import { z } from 'zod'
import { WALLET_COOKIE } from '#accounts/index.ts'
import { MEDIA_TYPES } from './format.ts'
import { KNOWN } from './known.ts'
import type { AnyRoute } from './route.ts'
import { problem } from './schemas/common.ts'
import { SQL_FORMATS } from './vocabulary.ts'

type Json = Record<string, unknown>

/** The API document (OpenAPI 3.1) of the declared routes, from the very schemas that check them. */
export function openApiOf(
  routes: readonly AnyRoute[],
  { version, apiUrl }: { version: string; apiUrl: string },
): Json {
  const components = new Map<string, Json>()
  const paths: Record<string, Json> = {}
  for (const spec of routes) {
    const path = spec.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [spec.method.toLowerCase()]: operationOf(spec, components) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Assay',
      version,
      description:
        'Analytics on Bitcoin and its layers. Every response includes its age, its sources and its SQL.',
    },
    // Paths bring `/api` along themselves.
    servers: [{ url: apiUrl.replace(/\/api$/, '') }],
    paths,
    components: {
      schemas: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: PROOFS,
    },
  }
}

/** Every answer that follows from the data may be asked for as of a day. */
const KNOWN_PARAMETER: Json = {
  name: KNOWN,
  in: 'query',
  required: false,
  description: 'UTC day: the response as of the end of that day. Default: today',
  schema: { type: 'string', format: 'date' },
}

/** How a request proves who asks (`#accounts` `createIdentify`). */
const PROOFS: Json = {
  account: { type: 'http', scheme: 'bearer', description: 'Access token of an account' },
  key: { type: 'http', scheme: 'bearer', description: 'Key for programs, from the account page' },
  wallet: { type: 'apiKey', in: 'header', name: 'wallet-address', description: 'A Stacks address' },
  walletSession: {
    type: 'apiKey',
    in: 'cookie',
    name: WALLET_COOKIE,
    description: 'What that address was given for a signed message',
  },
}
/** One of these; the address of a wallet goes with its session. */
const OWN_PROOFS: readonly Json[] = [{ account: [] }, { wallet: [], walletSession: [] }]

/** Nothing for who is never asked; an empty choice first where nobody is answered too. What is a person's own is not for keys. */
const securityOf = ({ who, isUsersOwn }: AnyRoute): Json => {
  if (who === undefined) return {}
  if (who !== 'anyone') return { security: OWN_PROOFS }
  return { security: [...(isUsersOwn ? [] : [{}]), { key: [] }, ...OWN_PROOFS] }
}

function operationOf(spec: AnyRoute, components: Map<string, Json>): Json {
  const answer = schemaOf(spec.answer.schema, 'output', components)
  return {
    operationId: spec.id,
    summary: spec.summary,
    ...securityOf(spec),
    parameters: [
      ...parametersOf(spec.params, 'path', components),
      ...parametersOf(spec.query, 'query', components),
      ...(takesDay(spec) ? [KNOWN_PARAMETER] : []),
    ],
    ...((spec.takesBytes !== undefined || spec.takesStream) && {
      requestBody: { required: true, content: { '*/*': { schema: { type: 'string', format: 'binary' } } } },
    }),
    ...(spec.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemaOf(spec.body, 'input', components) } },
      },
    }),
    responses: {
      ...(spec.answer.isEmpty && { 204: { description: 'It is done' } }),
      ...(!spec.answer.isEmpty && {
        200: {
          description: 'The answer',
          content: Object.fromEntries(
            spec.answer.isStream
              ? [['text/event-stream', { schema: answer }]]
              : spec.answer.media !== undefined
                ? spec.answer.media.map(type => [
                    type,
                    { schema: type === 'application/json' ? answer : { type: 'string', format: 'binary' } },
                  ])
                : (spec.answer.hasFormats
                    ? SQL_FORMATS
                    : spec.answer.hasCsv
                      ? (['json', 'csv'] as const)
                      : (['json'] as const)
                  ).map(format => [MEDIA_TYPES[format][0], format === 'json' ? { schema: answer } : {}]),
          ),
        },
      }),
      ...(spec.answer.hasRanges && {
        206: {
          description: 'The requested byte range',
          content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
        },
      }),
      ...(spec.kept === 'data' && { 304: { description: 'What If-None-Match names is still the answer' } }),
      ...Object.fromEntries(
        [...new Set([400, ...(spec.problems ?? []), ...(takesDay(spec) ? [429] : []), 500, 503])].map(
          status => [
            status,
            {
              description: 'A problem',
              content: { 'application/problem+json': { schema: schemaOf(problem, 'output', components) } },
            },
          ],
        ),
      ),
    },
  }
}

/** Whether a route can answer for a past day; such requests are limited. */
const takesDay = ({ path, kept, id }: AnyRoute): boolean =>
  path.startsWith('/api/v1/') && (kept === 'data' || id === 'runSql')

function parametersOf(
  schema: z.ZodType | undefined,
  place: 'path' | 'query',
  components: Map<string, Json>,
): Json[] {
  if (!(schema instanceof z.ZodObject)) return []
  const { properties = {}, required = [] } = schemaOf(schema, 'input', components) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...property }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description !== undefined && { description }),
    schema: property,
  }))
}

/** JSON schema of a zod schema; those with an id of their own move to the components. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', components: Map<string, Json>): Json {
  const {
    $schema: _,
    $defs = {},
    ...rest
  } = z.toJSONSchema(schema, { io, target: 'draft-2020-12' }) as Json & {
    $defs?: Record<string, Json>
  }
  for (const [name, definition] of Object.entries($defs)) components.set(name, pointed(definition))
  const { id, ...own } = pointed(rest)
  if (typeof id !== 'string') return own
  components.set(id, own)
  return { $ref: `#/components/schemas/${id}` }
}

/** Definitions move from `$defs` to the document's components, and so do the pointers to them. */
function pointed(value: Json): Json {
  return JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json
}
