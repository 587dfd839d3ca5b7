/** A slow client could hold a connection forever, or a slow but steady upload would be cut off. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { until } from '#kernel/until.testing.ts'
import { createBodyDeadlines } from './bodyDeadlines.ts'

const PACE = { wholeMs: 30_000, windowMs: 60_000, bytesPerSecond: 10, perNetwork: 2 }
/** Minimum bytes of a slow body per window. */
const ENOUGH = 600
type Timer = { at: number; readonly everyMs: number | undefined; run(): void }
const timers = new Set<Timer>()
let now = 0
const add = (ms: number, everyMs: number | undefined, run: () => void) => {
  const timer = { at: now + ms, everyMs, run }
  timers.add(timer)
  return () => void timers.delete(timer)
}
const pass = (ms: number) => {
  now += ms
  for (const timer of [...timers].filter(({ at }) => at <= now)) {
    if (timer.everyMs === undefined) timers.delete(timer)
    else timer.at = now + timer.everyMs
    timer.run()
  }
}
const deadlines = createBodyDeadlines(
  socket => socket.end('HTTP/1.1 408 Request Timeout\r\nconnection: close\r\n\r\n'),
  PACE,
  { after: (ms, run) => add(ms, undefined, run), every: (ms, run) => add(ms, ms, run) },
)
/** By request path. */
const allowed = new Map<string, boolean>()
const requests = new Map<string, IncomingMessage>()
const received = new Map<string, number>()
const isAnswered = new Set<string>()
const server = createServer({ requestTimeout: 0 }, (request: IncomingMessage, response) => {
  deadlines.watch(request, response)
  const { url = '' } = request
  requests.set(url, request)
  const network = /^\/slow\/(\w+)/.exec(url)?.[1]
  if (network !== undefined) allowed.set(url, deadlines.allowSlow(request, network))
  if (url === '/early') response.writeHead(200).write('a')
  if (url === '/unanswered') return
  if (url === '/slow/unread') return
  request.on('data', (chunk: Buffer) => received.set(url, (received.get(url) ?? 0) + chunk.length))
  request.on('end', () => {
    isAnswered.add(url)
    response.end('done')
  })
})
let port: number
before(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as { port: number }).port
})
after(() => {
  server.closeAllConnections()
  server.close()
})

type Client = { readonly socket: Socket; text: string; isOver: boolean }

/** A client that has sent request headers. Tests send the body. */
function post(path: string, headers = 'content-length: 1000000', method = 'POST'): Client {
  const socket = connect(port, '127.0.0.1')
  const client: Client = { socket, text: '', isOver: false }
  socket.on('data', chunk => {
    client.text += chunk
  })
  socket.on('close', () => {
    client.isOver = true
  })
  socket.on('error', () => {})
  socket.write(`${method} ${path} HTTP/1.1\r\nhost: a\r\n${headers}\r\n\r\n`)
  return client
}
const isOver = (client: Client) => until('the connection is closed', () => client.isOver)
const isKnown = (...paths: string[]) =>
  until('the server has the requests', () => paths.every(path => requests.has(path)))
/** Sends enough bytes for one window and waits until they arrive. */
async function bring(paths: ReadonlyMap<string, Client>): Promise<void> {
  const wanted = [...paths].map(([path, client]) => {
    client.socket.write('x'.repeat(ENOUGH))
    return [path, (received.get(path) ?? 0) + ENOUGH] as const
  })
  await until('all has arrived', () => wanted.every(([path, bytes]) => (received.get(path) ?? 0) >= bytes))
}

test('a late body gets 408, or closes the connection if the response has already started', async () => {
  const [late, trickling, early] = [post('/late'), post('/t', 'transfer-encoding: chunked'), post('/early')]
  trickling.socket.write('1\r\na\r\n')
  await isKnown('/late', '/t', '/early')
  pass(PACE.wholeMs)
  await Promise.all([late, trickling, early].map(isOver))
  assert.match(late.text, /^HTTP\/1\.1 408 /)
  assert.match(trickling.text, /^HTTP\/1\.1 408 /)
  assert.doesNotMatch(early.text, /408/)
})

test('a late pipelined body closes the connection without corrupting the earlier response', async () => {
  const client = post('/unanswered', 'a: b', 'GET')
  client.socket.write('POST /behind HTTP/1.1\r\nhost: a\r\ncontent-length: 1000000\r\n\r\n')
  await isKnown('/unanswered', '/behind')
  pass(PACE.wholeMs)
  await isOver(client)
  assert.equal(client.text, '')
})

test('a connection stays open after a complete body and for requests without a body', async () => {
  const client = post('/whole', 'content-length: 1')
  client.socket.write('a')
  await until('it is answered', () => isAnswered.has('/whole') && client.text.includes('done'))
  pass(3 * PACE.wholeMs)
  client.text = ''
  client.socket.write('GET /again HTTP/1.1\r\nhost: a\r\n\r\n')
  await until('it is answered again', () => client.text.includes('done'))
  client.socket.destroy()
})

test('a slow body is accepted while it makes progress and gets 408 once it stops', async () => {
  const client = post('/slow/steady')
  await isKnown('/slow/steady')
  for (let window = 0; window < 4; window++) {
    await bring(new Map([['/slow/steady', client]]))
    pass(PACE.windowMs)
  }
  await bring(new Map([['/slow/steady', client]]))
  assert.equal(client.isOver, false, client.text)
  pass(PACE.windowMs)
  pass(PACE.windowMs)
  await isOver(client)
  assert.match(client.text, /^HTTP\/1\.1 408 /)
})

test('a body that waits for the server does not time out', async () => {
  const client = post('/slow/unread')
  await isKnown('/slow/unread')
  const request = requests.get('/slow/unread')
  client.socket.write('x'.repeat(900_000))
  await until('the buffer is full', () => request && request.readableLength >= request.readableHighWaterMark)
  for (let window = 0; window < 4; window++) pass(PACE.windowMs)
  request?.resume()
  await until('it is read', () => request?.readableLength === 0)
  // The window that began while it waited does not count either.
  pass(PACE.windowMs)
  client.socket.write('x'.repeat(100_000))
  await until('the whole body is read', () => request?.complete)
  client.socket.destroy()
})

test('the number of slow bodies is limited per network, and other networks do not count', async () => {
  const [first, second, other] = [post('/slow/a1/1'), post('/slow/a1/2'), post('/slow/b1/1')]
  await isKnown('/slow/a1/1', '/slow/a1/2', '/slow/b1/1')
  const third = post('/slow/a1/3')
  await isKnown('/slow/a1/3')
  await bring(
    new Map([
      ['/slow/a1/1', first],
      ['/slow/a1/2', second],
      ['/slow/b1/1', other],
    ]),
  )
  pass(PACE.windowMs)
  await isOver(third)
  assert.match(third.text, /^HTTP\/1\.1 408 /)
  assert.deepEqual([allowed.get('/slow/a1/3'), allowed.get('/slow/b1/1')], [false, true])
  for (const client of [first, second, other]) {
    assert.equal(client.isOver, false)
    client.socket.destroy()
  }
  let tries = 0
  await until('a slot is free again', async () => {
    const path = `/slow/a1/again${tries++}`
    const client = post(path)
    await isKnown(path)
    client.socket.destroy()
    return allowed.get(path)
  })
})
