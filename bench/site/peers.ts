import fastifyStatic from '@fastify/static'
import fastify from 'fastify'
import { openHelper } from '../helper.ts'
import { fileOf } from './record.ts'

/** An answer as it came: what a bare handler repeats. */
export type Recorded = { readonly headers: Readonly<Record<string, string>>; readonly body: string }

export type PeerRequest =
  /** A Fastify whose handler answers every address with these bytes (base64), and nothing else. */
  | { readonly type: 'bare'; readonly recorded: Recorded }
  /** A Fastify with the static plugin over a folder of saved pages; `x.br` beside `x` is sent where the browser takes it. */
  | { readonly type: 'static'; readonly folder: string; readonly pages: readonly string[] }
export type PeerAnswer = { readonly origin: string }

/** What we are measured against over HTTP, in a process of its own as we are. */
export const openPeer = () => openHelper<PeerRequest, PeerAnswer>(import.meta.filename)

if (process.send !== undefined && process.argv[1] === import.meta.filename) {
  process.on('message', async (request: PeerRequest) => {
    const app = fastify({ logger: false })
    if (request.type === 'static') {
      await app.register(fastifyStatic, {
        root: request.folder,
        preCompressed: true,
        index: false,
      })
      // Under its own address: its script would load the page anew under any other.
      for (const page of request.pages) app.get(page, (_, reply) => reply.sendFile(fileOf(page)))
    } else {
      const body = Buffer.from(request.recorded.body, 'base64')
      app.get('/*', (_, reply) => {
        reply.headers(request.recorded.headers).send(body)
      })
    }
    const origin = await app.listen({ port: 0, host: 'localhost' })
    process.send!({ origin } satisfies PeerAnswer)
  })
  process.on('disconnect', () => process.exit())
}
