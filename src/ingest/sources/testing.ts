import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'
import type { LiveSource } from '#sources/live.ts'
import { createParts } from '#sources/parts.ts'
import { shaped } from '#sources/shaped.ts'

export type Publisher = AsyncDisposable & {
  readonly origin: string
  /** Headers of each request so far. */
  readonly seen: IncomingMessage['headers'][]
  /** What the next requests are answered with. */
  answer: (request: IncomingMessage, response: ServerResponse) => void
}

/** A publisher on loopback that behaves as it is told to. */
export async function openPublisher(
  serve: (listener: RequestListener) => ReturnType<typeof createServer> = createServer,
  scheme = 'http',
): Promise<Publisher> {
  const server = serve((request, response) => {
    publisher.seen.push(request.headers)
    publisher.answer(request, response)
  })
  server.listen(0, '0.0.0.0')
  await once(server, 'listening')
  const publisher: Publisher = {
    origin: `${scheme}://localhost:${(server.address() as AddressInfo).port}`,
    seen: [],
    answer: (_, response) => void response.end('[]'),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return publisher
}

export const json =
  (value: unknown, headers: Record<string, string> = {}) =>
  (_: unknown, response: ServerResponse) =>
    void response
      .writeHead(200, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(value))

const Day = z.object({ date: z.string(), tvl: z.number() })
const Answer = z.object({ days: z.array(z.unknown()), close: z.number().optional() })

/** A source that asks a local publisher for the TVL of layers by day, and for a price beside it. */
export const testSource = (origin: string, more: Partial<LiveSource> = {}): LiveSource => ({
  id: 'test.tvl',
  name: 'Test: TVL',
  url: origin,
  licence: 'none stated',
  rank: 10,
  cadenceSeconds: 3600,
  requestsPerMinute: 60_000,
  about: 'Made for tests.',
  requests: () => ['rootstock', 'bob'].map(about => ({ about, url: `${origin}/${about}` })),
  read: ({ about }, answer) => {
    const what = `TVL of ${about}`
    const { days: list, close } = shaped(Answer, answer, what)
    const parts = createParts(what)
    const days = parts.entries(Day, list, 'days').map(({ entry }) => entry)
    return parts.answer({
      observations: days.map(({ date, tvl }) => ({
        metric: 'tvl.total',
        entity: about,
        day: date,
        value: tvl,
      })),
      prices:
        close === undefined
          ? []
          : days.slice(-1).map(({ date }) => ({
              asset: 'RBTC',
              quote: 'USD',
              day: date,
              open: null,
              high: null,
              low: null,
              close,
            })),
    })
  },
  ...more,
})
