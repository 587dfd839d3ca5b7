import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Network } from '#kernel/bitcoin.ts'
import { HEADER_BYTES, type Header, readHeader, workOfBits } from './header.ts'
import { NETWORK_MARKS } from './networks.ts'

export type ChainServer = AsyncDisposable & {
  readonly url: string
  /** The best chain from `fromHeight` on; replaced whole to play a reorg. */
  chain: readonly Uint8Array[]
  /** Answers in the node's place, or returns false to let it answer. */
  intercept: ((ask: ServerAsk, response: ServerResponse) => boolean) | undefined
  /** Methods and paths asked for, in order. */
  readonly asked: string[]
}

/** `what`: an RPC method or a REST path; `parameters` of the first call of `callCount` in one request. */
export type ServerAsk = {
  readonly what: string
  readonly parameters: readonly unknown[]
  readonly callCount: number
}

type Options = {
  readonly network: Network
  readonly chain: readonly Uint8Array[]
  /** Height of the first block of `chain`. */
  readonly fromHeight?: number
  readonly user?: string
  readonly password?: string
  /** Recorded verbose answers by block hash, given out in place of our own. */
  readonly recordedHeaders?: ReadonlyMap<string, unknown>
}

/** Answers as Bitcoin Core's RPC and REST do, from raw blocks: for tests. */
export async function openChainServer(options: Options): Promise<ChainServer> {
  const fromHeight = options.fromHeight ?? 0
  const sockets = new Set<import('node:net').Socket>()
  const server = createServer((incoming, response) => {
    void answer(incoming, response)
  })
  server.on('connection', socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const chainServer: ChainServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    chain: options.chain,
    intercept: undefined,
    asked: [],
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }

  const known = new WeakMap<Uint8Array, Header>()
  const headerOf = (block: Uint8Array): Header => {
    const header = known.get(block) ?? readHeader(block)
    known.set(block, header)
    return header
  }
  const hashAt = (height: number): string | undefined => {
    const block = chainServer.chain[height - fromHeight]
    return block && headerOf(block).hash
  }
  const heightOf = (hash: string): number | undefined => {
    const at = chainServer.chain.findIndex(block => headerOf(block).hash === hash)
    return at < 0 ? undefined : fromHeight + at
  }
  const tipHeight = (): number => fromHeight + chainServer.chain.length - 1
  const workUpTo = (height: number): string =>
    chainServer.chain
      .slice(0, height - fromHeight + 1)
      .reduce((sum, block) => sum + workOfBits(headerOf(block).bits), 0n)
      .toString(16)
      .padStart(64, '0')
  const chainInfo = () => ({
    chain: NETWORK_MARKS[options.network].coreName,
    blocks: tipHeight(),
    headers: tipHeight(),
    bestblockhash: hashAt(tipHeight()),
    initialblockdownload: false,
    chainwork: workUpTo(tipHeight()),
    pruned: false,
    warnings: [],
  })

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = incoming.url ?? '/'
    if (path.startsWith('/rest/')) return rest(path.slice('/rest/'.length), response)
    const body = JSON.parse(await text(incoming))
    const calls: { id: unknown; method: string; params: unknown[] }[] = Array.isArray(body) ? body : [body]
    const ask = { what: calls[0]?.method ?? '', parameters: calls[0]?.params ?? [], callCount: calls.length }
    chainServer.asked.push(ask.what)
    if (chainServer.intercept?.(ask, response)) return
    const { user, password } = options
    const expected = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
    if (user !== undefined && incoming.headers.authorization !== expected) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="jsonrpc"' }).end()
      return
    }
    const answers = calls.map(({ id, method, params }) => {
      try {
        return { result: call(method, params), error: null, id }
      } catch (error) {
        return { result: null, error, id }
      }
    })
    const isError = !Array.isArray(body) && answers[0]?.error !== null
    response.writeHead(isError ? 500 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(Array.isArray(body) ? answers : answers[0]))
  }

  function call(method: string, params: readonly unknown[]): unknown {
    switch (method) {
      case 'getblockchaininfo':
        return chainInfo()
      case 'getblockhash':
        return hashAt(Number(params[0])) ?? fail(-8, 'Block height out of range')
      case 'getblockheader': {
        const height = heightOf(String(params[0])) ?? fail(-5, 'Block not found')
        const recorded = options.recordedHeaders?.get(String(params[0]))
        if (recorded !== undefined) return recorded
        const { hash, prevHash, timeS } = headerOf(chainServer.chain[height - fromHeight]!)
        return { hash, height, time: timeS, chainwork: workUpTo(height), previousblockhash: prevHash }
      }
      case 'getblock': {
        const height = heightOf(String(params[0])) ?? fail(-5, 'Block not found')
        return Buffer.from(chainServer.chain[height - fromHeight]!).toString('hex')
      }
      default:
        return fail(-32601, 'Method not found')
    }
  }

  function rest(path: string, response: ServerResponse): void {
    chainServer.asked.push(path)
    if (chainServer.intercept?.({ what: path, parameters: [], callCount: 1 }, response)) return
    const [kind = '', ...rest] = path.replace(/\.(bin|json)$/, '').split('/')
    const missing = (message: string): void => {
      response.writeHead(404, { 'content-type': 'text/plain' }).end(`${message}\r\n`)
    }
    switch (kind) {
      case 'chaininfo':
        response.end(JSON.stringify(chainInfo()))
        return
      case 'blockhashbyheight': {
        const blockhash = hashAt(Number(rest[0]))
        if (blockhash === undefined) missing('Block height out of range')
        else response.end(JSON.stringify({ blockhash }))
        return
      }
      case 'headers': {
        const height = heightOf(rest[1] ?? '')
        const from = height === undefined ? 0 : height - fromHeight
        const count = height === undefined ? 0 : Number(rest[0])
        const headers = chainServer.chain
          .slice(from, from + count)
          .map(block => block.subarray(0, HEADER_BYTES))
        response.end(Buffer.concat(headers))
        return
      }
      case 'block': {
        const height = heightOf(rest[0] ?? '')
        if (height === undefined) missing(`${rest[0]} not found`)
        else response.end(chainServer.chain[height - fromHeight])
        return
      }
      default:
        missing('Not found')
    }
  }

  return chainServer
}

function fail(code: number, message: string): never {
  throw { code, message }
}
