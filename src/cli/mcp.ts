import process from 'node:process'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { Command } from 'commander'
import { AssayError, ConfigError, sentenceOf } from '#kernel/errors.ts'
import { version } from '../version.ts'
import { stopped, stopSignal } from './stop.ts'

/** A query may wait this long for its end, and then its rows are read. */
const CALL_TIMEOUT_MS = 90_000

export const mcpCommand = (): Command =>
  new Command('mcp')
    .description(
      'MCP server on standard input and output for AI assistants; passes calls on to a running Assay server',
    )
    .option('--server <url>', 'address of the server; default: the local one')
    .addHelpText('after', '\nASSAY_API_KEY: API key of the server; without one the limits of guests apply.')
    .action(relay)

async function relay({ server }: { server?: string }): Promise<void> {
  const stop = stopSignal()
  const address = server ?? `http://localhost:${process.env.PORT ?? 4400}`
  const remote = await connect(address, process.env.ASSAY_API_KEY)
  const ended = new AbortController()
  const local = serveStdio(() => createRelay(remote), {
    // Standard output belongs to the protocol.
    onerror: error => process.stderr.write(`assay: ${error.message}\n`),
  })
  process.stdin.once('end', () => ended.abort())
  await stopped(AbortSignal.any([stop, ended.signal]))
  await local.close()
  await remote.close()
}

/** Opens the connection to a server. Throws ConfigError for a wrong address, AssayError where none answers. */
async function connect(address: string, key: string | undefined): Promise<Client> {
  const url = URL.parse('/mcp', address)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new ConfigError(
      'cli.mcp_server',
      `--server: ${JSON.stringify(address)} is not an http or https address.`,
    )
  const client = new Client(
    { name: 'assay mcp', version: version() },
    { versionNegotiation: { mode: 'auto' } },
  )
  try {
    await client.connect(
      new StreamableHTTPClientTransport(url, {
        ...(key !== undefined && { requestInit: { headers: { authorization: `Bearer ${key}` } } }),
      }),
    )
    return client
  } catch (cause) {
    throw new AssayError(
      'cli.mcp_away',
      `No Assay server with MCP answers at ${url.href}: ${sentenceOf(cause)}`,
      {
        hint: 'Start one with `npm start`, or name another with --server. Check ASSAY_API_KEY.',
        cause,
      },
    )
  }
}

/** A server with the tools of another one. A call that is canceled here is canceled there. */
function createRelay(remote: Client): Server {
  const instructions = remote.getInstructions()
  const relayed = new Server(
    { name: 'assay', title: 'Assay', version: version() },
    {
      capabilities: { tools: { listChanged: false } },
      ...(instructions !== undefined && { instructions }),
    },
  )
  relayed.setRequestHandler('tools/list', ({ params }, { mcpReq: { signal } }) =>
    remote.listTools(params, { signal }),
  )
  relayed.setRequestHandler('tools/call', ({ params: { name, arguments: args } }, { mcpReq: { signal } }) =>
    remote.callTool(
      { name, ...(args !== undefined && { arguments: args }) },
      { signal, timeout: CALL_TIMEOUT_MS },
    ),
  )
  return relayed
}
