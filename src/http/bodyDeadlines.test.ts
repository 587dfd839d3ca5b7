/** A slow client could hold a connection for ever, or a slow but steady upload would be cut off. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { until } from '#kernel/until.testing.ts'
import { createBodyDeadlines } from './bodyDeadlines.ts'

const PACE = { wholeMs: 100, windowMs: 300, bytesPerSecond: 1_000, perNetwork: 2 }
const deadlines = createBodyDeadlines(
  socket => socket.end('HTTP/1.1 408 Request Timeout\r\nconnection: close\r\n\r\n'),
  PACE,
)
/** By the path that was asked for. */
const allowed = new Map<string, boolean>()
const server = createServer({ requestTimeout: 0 }, (request: IncomingMessage, response) => {
  deadlines.watch(request, response)
  const { url = '' } = request
  const network = /^\/slow\/(\w+)/.exec(url)?.[1]
  if (network !== undefined) allowed.set(url, deadlines.allowSlow(request, network))
  if (url === '/early' || url === '/held') response.writeHead(200).write('a')
  request.resume().on('end', () => url !== '/held' && response.end('done'))
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

/** A client that has sent the head of a request, and whatever it sends itself. */
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
const steadily = (client: Client, windows: number) => {
  const end = performance.now() + windows * PACE.windowMs
  return until('so many windows have passed', () => {
    if (client.isOver) return true
    client.socket.write('x'.repeat(100))
    return performance.now() > end
  })
}

test('a body that does not arrive within its time is refused, and one behind an answer that has begun is cut off', async () => {
  const [late, trickling, early] = [post('/'), post('/', 'transfer-encoding: chunked'), post('/early')]
  trickling.socket.write('1\r\na\r\n')
  await Promise.all([late, trickling, early].map(isOver))
  assert.match(late.text, /^HTTP\/1\.1 408 /)
  assert.match(trickling.text, /^HTTP\/1\.1 408 /)
  assert.doesNotMatch(early.text, /408/)
})

test('a body behind a request that is being answered is cut off without a word inside that answer', async () => {
  const client = post('/held', 'content-length: 0', 'GET')
  client.socket.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1000000\r\n\r\n')
  await isOver(client)
  assert.match(client.text, /^HTTP\/1\.1 200 /)
  assert.doesNotMatch(client.text, /408/)
})

test('a connection stays open after a whole body, and for requests without one', async () => {
  const client = post('/', 'content-length: 1')
  client.socket.write('a')
  await until(
    'it is answered',
    () => client.text.endsWith('done\r\n0\r\n\r\n') || client.text.endsWith('done'),
  )
  const end = performance.now() + 3 * PACE.wholeMs
  await until('the time of a body has passed', () => performance.now() > end)
  client.text = ''
  client.socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  await until('it is answered again', () => client.text.includes('done'))
  client.socket.destroy()
})

test('a slow body is taken as long as it makes progress, and refused once it stops', async () => {
  const client = post('/slow/steady')
  await steadily(client, 4)
  assert.equal(client.isOver, false, client.text)
  await isOver(client)
  assert.match(client.text, /^HTTP\/1\.1 408 /)
})

test('so many bodies of a network may be slow at once, and others are not in the way', async () => {
  const own = [post('/slow/a1/1'), post('/slow/a1/2')]
  await until('both are known', () => allowed.has('/slow/a1/1') && allowed.has('/slow/a1/2'))
  const [third, other] = [post('/slow/a1/3'), post('/slow/b1/1')]
  const keepUp = Promise.all([...own, other].map(client => steadily(client, 3)))
  await isOver(third)
  assert.match(third.text, /^HTTP\/1\.1 408 /)
  await keepUp
  assert.deepEqual([allowed.get('/slow/a1/3'), allowed.get('/slow/b1/1')], [false, true])
  for (const client of [...own, other]) {
    assert.equal(client.isOver, false)
    client.socket.destroy()
  }
  await Promise.all([...own, other].map(isOver))
  let tries = 0
  await until('a place is free again', async () => {
    const path = `/slow/a1/again${tries++}`
    const client = post(path)
    await until('it is known', () => allowed.has(path))
    client.socket.destroy()
    return allowed.get(path)
  })
})
