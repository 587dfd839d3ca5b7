import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'

export type ProxyCall = { readonly id: unknown; readonly method: string; readonly params: readonly unknown[] }
type Answer = { id: unknown; jsonrpc: string; result?: unknown; error?: unknown }

/** Stands before a real node and speaks its protocol, so that a test can play what lines and services do to it. */
export type RpcProxy = AsyncDisposable & {
  readonly url: string
  /** Answers in the node's place, or returns false to let it answer. */
  intercept:
    | ((calls: readonly ProxyCall[], response: ServerResponse, isBatch: boolean) => boolean)
    | undefined
  /** Changes one answer of the node: what an endpoint that lies does. */
  rewrite: ((call: ProxyCall, answer: Answer) => Answer) | undefined
  /** Every call that came, in order. */
  readonly calls: ProxyCall[]
  /** How many HTTP requests they came in. */
  requestCount: number
}

export async function openRpcProxy(target: string): Promise<RpcProxy> {
  const sockets = new Set<Socket>()
  const server = createServer((incoming, response) => {
    answer(incoming, response).catch(() => response.destroy())
  })
  server.on('connection', socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy: RpcProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    intercept: undefined,
    rewrite: undefined,
    calls: [],
    requestCount: 0,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(incoming)
    const parsed = JSON.parse(body)
    const isBatch = Array.isArray(parsed)
    const calls: ProxyCall[] = isBatch ? parsed : [parsed]
    proxy.requestCount += 1
    proxy.calls.push(...calls)
    if (proxy.intercept?.(calls, response, isBatch)) return
    const passed = await fetch(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    const came: unknown = await passed.json()
    const { rewrite } = proxy
    const change = (one: Answer): Answer => {
      const call = calls.find(({ id }) => id === one.id)
      return rewrite === undefined || call === undefined ? one : rewrite(call, one)
    }
    response.writeHead(passed.status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(Array.isArray(came) ? came.map(change) : change(came as Answer)))
  }

  return proxy
}

/** A JSON-RPC error to all calls, each in the form that its request has. */
export function refuse(
  response: ServerResponse,
  calls: readonly ProxyCall[],
  isBatch: boolean,
  error: { code: number; message: string },
  status = 200,
): true {
  const answers = calls.map(({ id }) => ({ jsonrpc: '2.0', id, error }))
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(isBatch ? answers : answers[0]))
  return true
}
