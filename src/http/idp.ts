import type { FastifyInstance } from 'fastify'
import type { Accounts } from '#accounts/index.ts'
import { callerNetwork } from '#kernel/callerNetwork.ts'

/** Hangs the embedded provider below `/idp`: it reads its requests and writes its answers itself. */
export function addIdp(app: FastifyInstance, answer: NonNullable<Accounts['idp']>): void {
  app.register(async idp => {
    idp.removeAllContentTypeParsers()
    // Left unread: the provider takes forms, and limits them itself.
    idp.addContentTypeParser('*', (_request, _body, done) => done(null))
    idp.route({
      method: ['GET', 'POST', 'OPTIONS'],
      url: '/idp/*',
      handler: async (request, reply) => {
        // A popup that signs in from the frame of a wallet answers a window below another site: any other policy cuts them apart.
        reply.header('cross-origin-opener-policy', 'unsafe-none')
        reply.hijack()
        for (const [name, value] of Object.entries(reply.getHeaders()))
          if (value !== undefined) reply.raw.setHeader(name, value)
        await answer(request.raw, reply.raw, callerNetwork(request.ip))
      },
    })
  })
}
