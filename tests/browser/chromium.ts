import { existsSync } from 'node:fs'
import process from 'node:process'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

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
  chromium.launch({ args: FLAGS, ...(path !== undefined && { executablePath: path }) })

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
  const complaints: string[] = []
  page.on('console', message => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', error => complaints.push(error.message))
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() }
}
