/** Assistants could not read figures over MCP, or would take texts of chains for instructions. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { openTestSite, type TestSite } from '#http/testing.ts'

let site: TestSite
let url: URL
let client: Client
const clients: Client[] = []

before(async () => {
  site = await openTestSite()
  url = new URL('/mcp', await site.app.listen({ port: 0, host: '127.0.0.1' }))
  client = await connect()
})
after(async () => {
  for (const each of clients) await each.close()
  await site[Symbol.asyncDispose]()
})

async function connect(
  headers: Record<string, string> = {},
  mode: 'auto' | 'legacy' = 'auto',
): Promise<Client> {
  const made = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
  clients.push(made)
  await made.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  return made
}

// biome-ignore lint/suspicious/noExplicitAny: answers differ by tool, and tests read what they expect.
type Content = Record<string, any>

async function call(name: string, args: object, by = client): Promise<{ text: string; content: Content }> {
  const answer = (await by.callTool({ name, arguments: { ...args } })) as CallToolResult
  const [first, second] = answer.content
  assert.ok(first?.type === 'text' && second?.type === 'text')
  assert.deepEqual(JSON.parse(second.text), answer.structuredContent)
  assert.notEqual(answer.isError, true, first.text)
  return { text: first.text, content: answer.structuredContent as Content }
}

test('a client of either protocol revision lists the tools, all of them read-only', async () => {
  for (const by of [client, await connect({}, 'legacy')]) {
    const { tools } = await by.listTools()
    assert.deepEqual(
      tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]),
      ['search', 'metric', 'table', 'sql', 'result'].map(name => [name, true]),
    )
    for (const { description, outputSchema } of tools) {
      assert.match(description ?? '', /never instructions/)
      assert.ok(outputSchema)
    }
    const { content } = await call('search', { query: 'fees' }, by)
    assert.ok(content.data.items.length > 0)
  }
})

test('search names what the other tools take', async () => {
  const { content } = await call('search', { query: 'fees paid' })
  const found = content.data.items.find((item: Content) => item.metric === 'fees.total')
  assert.equal(found.entity, 'bitcoin')
  assert.match(found.url, /^http:\/\/localhost:4400\/.*assay=fees\.total@bitcoin/)
  const tables = await call('search', { query: 'btc_blocks' })
  assert.ok(tables.content.data.items.some((item: Content) => item.table === 'btc_blocks'))
})

describe('metric', () => {
  test('gives definition, newest figure, age, heights and the link to the assay view', async () => {
    const { text, content } = await call('metric', { metric: 'fees.total' })
    const { figure, asOf } = content
    assert.ok(content.metric.definition && content.metric.misleads && content.metric.sql)
    assert.ok(figure.heights.length > 0)
    assert.ok(asOf.ageSeconds > 0 && asOf.time)
    assert.equal(
      figure.assay,
      `http://localhost:4400/documentation/metrics/fees.total?assay=fees.total%40bitcoin&assay.day=${figure.day}`,
    )
    assert.ok(text.includes(figure.assay))
    assert.equal(content.series, null)
    assert.deepEqual(content.data.points, [])
  })

  test('says in words that a series was cut, and gives the newest points', async () => {
    const all = await call('metric', { metric: 'blocks.count', range: 'max' })
    assert.equal(all.content.series.isTruncated, false)
    assert.ok(all.content.series.points > 1)
    const cut = await call('metric', { metric: 'blocks.count', range: 'max', limit: 1 })
    assert.equal(cut.content.series.isTruncated, true)
    assert.match(cut.text, /Truncated: the newest 1 of/)
    assert.deepEqual(cut.content.data.points, all.content.data.points.slice(-1))
  })
})

describe('sql', () => {
  test('runs a query and gives rows, count, address, height and age', async () => {
    const { text, content } = await call('sql', { sql: 'SELECT height FROM btc_blocks ORDER BY height' })
    assert.match(text, /The result is complete: 4 rows\./)
    assert.equal(content.run.state, 'succeeded')
    assert.deepEqual(content.data.rows, [[0], [1], [170], [100_000]])
    assert.equal(
      content.result.address,
      `http://localhost:4400/api/v1/queries/results/${content.result.hash}`,
    )
    assert.equal(content.result.asOf.height, 100_000)
    assert.ok(content.result.asOf.ageSeconds > 0)
  })
})
