import { once } from 'node:events'
import { createServer } from 'node:http'

type Outer = {
  readonly port: number
  /** Runs in the outer page before it frames ours. */
  readonly script: string
  /** Address of the page of ours that is framed, by the path of the outer page. */
  readonly framed: (path: string) => string
}

/** A page of somebody else that frames ours, as Asigna does. */
export async function openOuter({ port, script, framed }: Outer): Promise<AsyncDisposable> {
  const server = createServer(({ url: path = '/' }, reply) => {
    const isScript = path === '/outer.js'
    reply.writeHead(200, { 'content-type': `text/${isScript ? 'javascript' : 'html'}; charset=utf-8` })
    reply.end(
      isScript
        ? script
        : `<!doctype html><html lang="en"><head><title>Outer</title><link rel="icon" href="data:,"><script src="/outer.js"></script></head><body><iframe title="Assay" src="${framed(path)}" width="900" height="800"></iframe></body></html>`,
    )
  })
  server.listen(port, 'localhost')
  await once(server, 'listening')
  return {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
