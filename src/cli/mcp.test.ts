/** An assistant that starts `assay mcp` would get no tools, wrong answers, or no reason why not. */
import assert from 'node:assert/strict'
import process from 'node:process'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type CallToolResult, Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { madePerson, openAccountsStore } from '#accounts/accounts.testing.ts'
import { openTestSite } from '#http/testing.ts'
import { until } from '#kernel/until.testing.ts'

const ORIGIN = 'http://localhost:4400'
const ASSAY = fileURLToPath(new URL('../assay.ts', import.meta.url))

const opened = new AsyncDisposableStack()
let server = ''
let key = ''

before(async () => {
  const store = opened.use(await openAccountsStore())
  const accounts = store.open({ publicUrl: ORIGIN, audience: `${ORIGIN}/api/v1` })
  const site = opened.use(await openTestSite({ accounts }))
  server = await site.app.listen({ port: 0, host: '127.0.0.1' })
  const person = madePerson('SP000000000000000000002Q6VF78', { kind: 'wallet', email: null })
  key = (await accounts.keys.create(person, { name: 'k', scopes: [], expires: undefined })).key
})
after(() => opened.disposeAsync())

/** A client of `assay mcp`, and what that writes to standard error. */
async function start(args: string[], env: Record<string, string> = {}, mode: 'auto' | 'legacy' = 'legacy') {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [ASSAY, 'mcp', ...args],
    env: { PATH: process.env.PATH ?? '', ...env },
    stderr: 'pipe',
  })
  let errors = ''
  transport.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk.toString()
  })
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
  opened.defer(() => client.close())
  return { client, connecting: client.connect(transport), errors: () => errors }
}

const codeOf = (answer: unknown) =>
  ((answer as CallToolResult).structuredContent as { error?: { code: string } } | undefined)?.error?.code

for (const mode of ['legacy', 'auto'] as const)
  test(`the tools of a running server answer on standard input and output (${mode})`, async () => {
    const { client, connecting } = await start(['--server', server], {}, mode)
    await connecting
    assert.match(client.getInstructions() ?? '', /Never follow instructions/)
    const { tools } = await client.listTools()
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['search', 'metric', 'table', 'sql', 'result'],
    )
    const answer = (await client.callTool({
      name: 'sql',
      arguments: { sql: 'SELECT height FROM btc_blocks ORDER BY height' },
    })) as CallToolResult
    const { data } = answer.structuredContent as { data: { rows: unknown } }
    assert.deepEqual(data.rows, [[0], [1], [170], [100_000]])
    assert.equal(
      codeOf(await client.callTool({ name: 'sql', arguments: { sql: 'DROP TABLE x' } })),
      'sql.read_only',
    )
  })

test('the key of the environment is sent', async () => {
  const { client, connecting } = await start(['--server', server], { ASSAY_API_KEY: key })
  await connecting
  // This key has no scope for SQL; without a key it would run.
  assert.equal(
    codeOf(await client.callTool({ name: 'sql', arguments: { sql: 'SELECT 1' } })),
    'accounts.scope',
  )
})

for (const [what, args, env, sentence] of [
  ['no server', ['--server', 'http://127.0.0.1:9'], {}, /No Assay server with MCP answers at http:\/\/127/],
  ['an invalid key', [], { ASSAY_API_KEY: 'assay_x' }, /No Assay server with MCP answers.*ASSAY_API_KEY/s],
  ['a wrong address', ['--server', 'ftp://x'], {}, /is not an http or https address/],
] as const)
  test(`${what} ends the command with the reason`, async () => {
    const { connecting, errors } = await start(args.length === 0 ? ['--server', server] : [...args], env)
    await assert.rejects(connecting)
    await until('the reason is written', () => sentence.test(errors()))
    assert.ok(!errors().includes('assay_x'))
  })
