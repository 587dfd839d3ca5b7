import { existsSync } from 'node:fs'
import process from 'node:process'
import { type Browser, type BrowserContextOptions, chromium, type Page, type Request } from 'playwright-core'
import { inPhase } from '#kernel/phases.testing.ts'

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const path = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser'].find(
  candidate => candidate !== undefined && existsSync(candidate),
)

/** Spread into a suite's options: skips with the reason where there is no Chromium. */
export const skipWithoutChromium: { skip: string | false } = {
  skip: path === undefined ? 'no Chromium: install Debian’s, or name one in CHROMIUM' : false,
}

/** How long a page may take on a machine that has much else to do. */
const PATIENCE_MS = 120_000

/** The machine's Chromium with a fresh profile. */
export const openChromium = (): Promise<Browser> =>
  inPhase('browser', () =>
    chromium.launch({ args: FLAGS, ...(path !== undefined && { executablePath: path }) }),
  )

/** Local storage keeps a reader’s visits under it. */
const TRACK_KEY = 'track-key'

/**
 * A page of a new profile, with what it complained of: console errors, broken scripts, refused by the content policy. Tests walk more
 * pages than a reader without features may: each load is by one who comes for the first time, unless visits are to be kept.
 */
export async function newPage(
  browser: Browser,
  options: BrowserContextOptions & { theme?: 'light' | 'dark'; keepsVisits?: boolean } = {},
): Promise<{ page: Page; complaints: string[] } & AsyncDisposable> {
  const { theme, keepsVisits = false, ...rest } = options
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
    ...rest,
  })
  context.setDefaultTimeout(PATIENCE_MS)
  if (theme) await context.addInitScript(`localStorage.setItem('theme', '${theme}')`)
  if (!keepsVisits) await context.addInitScript(`try { localStorage.removeItem('${TRACK_KEY}') } catch {}`)
  const page = await context.newPage()
  watchNetwork(page)
  const complaints: string[] = []
  page.on('console', message => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', error => complaints.push(error.message))
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() }
}

type Network = { readonly under: Set<Request>; last: number }
const networks = new WeakMap<Page, Network>()

/** Keeps what a page is asking for. Streams of changes never end, and nobody waits for them. */
function watchNetwork(page: Page): void {
  const network: Network = { under: new Set(), last: 0 }
  networks.set(page, network)
  page.on('request', request => {
    if (request.resourceType() === 'eventsource') return
    // What the page that is left asked for is told to nobody.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) network.under.clear()
    network.under.add(request)
    network.last = Date.now()
  })
  const end = (request: Request) => {
    if (network.under.delete(request)) network.last = Date.now()
  }
  page.on('requestfinished', end)
  page.on('requestfailed', end)
}

/** Twice the longest pause of a page before a request (menus 100 ms, search 70 ms): no event tells of a timer that still runs. */
const QUIET_MS = 200

/** Waits until a page has asked for nothing for a moment; unlike a browser’s own word, after a step within the page too. */
export const quietNetwork = (page: Page): Promise<void> => inPhase('waiting for quiet', () => quiet(page))

async function quiet(page: Page): Promise<void> {
  const network = networks.get(page)
  const deadline = Date.now() + PATIENCE_MS
  const isBusy = ({ under, last }: Network) => under.size > 0 || Date.now() - last < QUIET_MS
  while (network && isBusy(network)) {
    while (isBusy(network)) {
      if (Date.now() > deadline)
        throw new Error(`${page.url()} still waits for ${[...network.under].map(each => each.url())}`)
      await new Promise(resolve => setTimeout(resolve, 20))
    }
    // On a busy machine the page may not have handled the answers yet, and handling them may lead to more requests.
    await idle(page)
  }
}

/** Waits until a page with scripts is idle, at most five seconds. On a page with a stopped clock: until its queued tasks have run. */
export const idle = (page: Page): Promise<void> =>
  page
    .evaluate(
      () =>
        new Promise<void>(resolve => {
          if (!document.documentElement.classList.contains('js')) resolve()
          else if (String(requestIdleCallback).includes('[native code]'))
            requestIdleCallback(() => resolve(), { timeout: 5000 })
          else {
            const { port1, port2 } = new MessageChannel()
            port1.onmessage = () => resolve()
            port2.postMessage(0)
          }
        }),
    )
    .catch(cause => {
      // Otherwise it has navigated, and the new page has no work yet.
      if (page.isClosed()) throw cause
    })

/** What a page has copied, once it is what was meant: a button says so for two seconds only, which a slow machine may miss. */
export async function copiedOn(page: Page, isMeant: (text: string) => boolean): Promise<string> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const text = String(await page.evaluate('navigator.clipboard.readText()'))
    if (isMeant(text)) return text
    if (Date.now() > deadline) throw new Error(`copied is still “${text}”`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}
