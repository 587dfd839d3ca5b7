import { once } from 'node:events'
import { createServer } from 'node:http'
import { type Browser, chromium } from 'playwright-core'

export const CHROMIUM = '/usr/bin/chromium'

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })

/** A page of another site, where a reader comes from. */
export async function openElsewhere(): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((_, reply) => {
    reply.writeHead(200, { 'content-type': 'text/html' })
    reply.end('<!doctype html><title>Elsewhere</title><p>Elsewhere')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port was given')
  return {
    url: `http://127.0.0.1:${address.port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/**
 * First contentful paint of a load with nothing in the browser's cache, milliseconds. The reader comes `from` a page of another site, as by
 * a link: the browser then begins a process for the page whatever its headers say. From an empty tab it would begin one for
 * `cross-origin-opener-policy` alone, some 36 ms that no reader waits for.
 */
export async function firstPaintMs(browser: Browser, url: string, from: string): Promise<number> {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await page.goto(from)
    await page.goto(url, { waitUntil: 'load' })
    return await page.evaluate(
      () =>
        new Promise<number>(resolve => {
          new PerformanceObserver(entries => {
            const paint = entries.getEntriesByName('first-contentful-paint')[0]
            if (paint !== undefined) resolve(paint.startTime)
          }).observe({ type: 'paint', buffered: true })
        }),
    )
  } finally {
    await context.close()
  }
}
