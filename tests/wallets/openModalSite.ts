import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { openPeopleSite } from '#http/people.testing.ts'
import { pagePolicy } from '#http/security.ts'
import { freePort } from '#kernel/freePort.testing.ts'
import { css } from '../../vite.config.ts'
import { openOuter } from './openOuter.ts'

/** A page with the modal of wallets, under the policy of our pages, beside the real server of accounts. */
export type ModalSite = AsyncDisposable & {
  readonly url: string
  /** A page of somebody else that frames ours; `script` runs in it. */
  readonly outerUrl: string
}

export async function openModalSite(outerScript: string): Promise<ModalSite> {
  await using opening = new AsyncDisposableStack()
  const [port, outerPort] = [await freePort(), await freePort()]
  const [url, outerUrl] = [`http://localhost:${port}`, `http://localhost:${outerPort}`]
  const site = opening.use(
    await openPeopleSite({ publicUrl: url, audience: `${url}/api/v1`, asignaOrigins: [outerUrl] }),
  )
  const { script, sheet } = await bundle()
  const policy = pagePolicy('/', 'none', [], site.accounts.shown)
  const page = `<!doctype html><html lang="en" data-theme="light"><head><meta charset="utf-8"><title>Wallets</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
<link rel="stylesheet" href="/page.css"><script type="module" src="/page.js"></script></head><body><div id="stage"></div></body></html>`
  const own: Readonly<Record<string, readonly [type: string, text: string]>> = {
    '/': ['text/html; charset=utf-8', page],
    '/page.js': ['text/javascript; charset=utf-8', script],
    '/page.css': ['text/css; charset=utf-8', sheet],
  }
  const inner = createServer(async (request, reply) => {
    const { url: path = '/', method = 'GET', headers } = request
    const file = own[path]
    if (file !== undefined) {
      reply.writeHead(200, { 'content-type': file[0], 'content-security-policy': policy })
      reply.end(file[1])
      return
    }
    const answer = await site.app.inject({
      url: path,
      method: method as 'GET',
      headers,
      payload: await bodyOf(request),
    })
    reply.writeHead(answer.statusCode, answer.headers as Record<string, string>)
    reply.end(answer.rawPayload)
  })
  inner.listen(port, 'localhost')
  await once(inner, 'listening')
  opening.defer(async () => {
    inner.closeAllConnections()
    inner.close()
    await once(inner, 'close')
  })
  opening.use(await openOuter({ port: outerPort, script: outerScript, framed: () => `${url}/` }))
  const opened = opening.move()
  return { url, outerUrl, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts)
}

async function bundle(): Promise<{ script: string; sheet: string }> {
  const made = await build({
    configFile: false,
    logLevel: 'silent',
    publicDir: false,
    css,
    build: {
      write: false,
      minify: false,
      target: 'es2023',
      modulePreload: false,
      cssCodeSplit: false,
      assetsInlineLimit: 10_000_000,
      rolldownOptions: {
        input: fileURLToPath(new URL('modalPage.tsx', import.meta.url)),
        output: { entryFileNames: 'page.js', codeSplitting: false },
      },
    },
  })
  const [first] = Array.isArray(made) ? made : [made]
  if (first === undefined || !('output' in first)) throw new Error('vite gave no output')
  const sheet = first.output.find(({ fileName }) => fileName.endsWith('.css'))
  return {
    script: first.output[0].code,
    // Letters of this sheet alone would be written into it, which the policy forbids.
    sheet:
      sheet !== undefined && 'source' in sheet
        ? String(sheet.source).replaceAll(/@font-face\s*\{[^}]*\}/g, '')
        : '',
  }
}
