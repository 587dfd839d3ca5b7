/** API users would read documentation that does not match the server. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openApiOf } from './openapi.ts'
import { openTestSite, type TestSite } from './testing.ts'

type Operation = {
  operationId: string
  parameters: { name: string; in: string; required: boolean; schema: { type?: string; enum?: string[] } }[]
  security?: Record<string, string[]>[]
  requestBody?: { content: Record<string, { schema: unknown }> }
  responses: Record<string, { content?: Record<string, { schema?: { $ref?: string } }> }>
}
type Document = {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, unknown>; securitySchemes: Record<string, unknown> }
}

let site: TestSite
let document: Document
before(async () => {
  site = await openTestSite()
  document = (await site.app.inject({ url: '/api/openapi.json' })).json<Document>()
})
after(() => site[Symbol.asyncDispose]())

/** Every route that the server answers, as `METHOD /path/{name}`, read from its own tree. */
function routesOf(tree: string): string[] {
  const parts: string[] = []
  return tree.split('\n').flatMap(line => {
    const [, indent = '', part = '', methods = ''] =
      /^((?:│ {3}| {4})*)[├└]── (\S*) ?(?:\((.*)\))?$/.exec(line) ?? []
    if (part === '') return []
    const depth = indent.length / 4
    parts.length = depth
    parts[depth] = part
    const path = parts.join('').replace(/:(\w+)/g, '{$1}')
    return methods
      .split(', ')
      .filter(method => method !== '' && method !== 'HEAD')
      .map(method => `${method} ${path}`)
  })
}

test('every route of the server is in the document, and nothing else', () => {
  const documented = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map(method => `${method.toUpperCase()} ${path}`),
  )
  // MCP lists its tools itself.
  const others = ['GET /api/openapi.json', 'POST /mcp']
  const served = routesOf(site.app.printRoutes({ commonPrefix: false })).filter(
    route => !others.includes(route),
  )
  assert.ok(served.length > 10)
  assert.deepEqual(documented.sort(), served.sort())
})

test('whom an operation answers is in the document: nobody is asked, anyone is told, a person proves it', () => {
  const proofs = [{ account: [] }, { wallet: [], walletSession: [] }]
  const of = (path: string) => document.paths[path]?.get?.security
  assert.equal(of('/api/v1/metrics'), undefined)
  assert.deepEqual(of('/api/v1/features'), [{}, { key: [] }, ...proofs])
  assert.deepEqual(of('/api/v1/cms/texts'), proofs)
  const named = Object.values(document.paths)
    .flatMap(operations => Object.values(operations))
    .flatMap(({ security = [] }) => security.flatMap(Object.keys))
  assert.deepEqual(
    [...new Set(named)].filter(name => !(name in document.components.securitySchemes)),
    [],
  )
})

test('every reference leads to a schema of the document', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(
    ([, target]) => target ?? '',
  )
  assert.ok(references.length > 10)
  for (const target of references) {
    const name = target.replace('#/components/schemas/', '')
    assert.ok(name in document.components.schemas, target)
  }
  assert.doesNotMatch(JSON.stringify(document), /\$defs/)
})

test('operations have names of their own, parameters their place and type', () => {
  const operations = Object.values(document.paths).flatMap(path => Object.values(path))
  assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length)
  const series = document.paths['/api/v1/metrics/{id}']?.get
  assert.deepEqual(
    series?.parameters.map(parameter => [parameter.name, parameter.in, parameter.required]),
    [
      ['id', 'path', true],
      ['entity', 'query', false],
      ['from', 'query', false],
      ['to', 'query', false],
      ['range', 'query', false],
      ['grain', 'query', false],
      ['unit', 'query', false],
      ['breakdown', 'query', false],
      ['switches', 'query', false],
      ['format', 'query', false],
      ['known', 'query', false],
    ],
  )
  const blocks = document.paths['/api/v1/bitcoin/blocks']?.get
  assert.equal(blocks?.parameters.find(({ name }) => name === 'limit')?.schema.type, 'integer')
})

test('answers are documented in each form they come in, refusals as problems', () => {
  const run = document.paths['/api/v1/sql']?.post
  assert.deepEqual(Object.keys(run?.responses['200']?.content ?? {}), [
    'application/json',
    'text/csv',
    'application/vnd.apache.arrow.file',
    'application/vnd.apache.parquet',
  ])
  assert.ok(run?.requestBody?.content['application/json'])
  assert.equal(
    run?.responses['429']?.content?.['application/problem+json']?.schema?.$ref,
    '#/components/schemas/Problem',
  )
})

test('the document names where the API is asked', async () => {
  const servers = (await site.app.inject({ url: '/api/openapi.json' })).json<{ servers: unknown }>().servers
  assert.deepEqual(servers, [{ url: 'http://localhost:4400' }])
  const elsewhere = openApiOf([], { version: '1', apiUrl: 'https://assay.example/figures/api' })
  assert.deepEqual(elsewhere.servers, [{ url: 'https://assay.example/figures' }])
})
