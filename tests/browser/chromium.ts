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

/** A page of a new profile, with what it complained of: console errors, broken scripts, refused by the content policy. */
export async function newPage(
  browser: Browser,
  options: BrowserContextOptions & { theme?: 'light' | 'dark' } = {},
): Promise<{ page: Page; complaints: string[] } & AsyncDisposable> {
  const { theme, ...rest } = options
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
    ...rest,
  })
  context.setDefaultTimeout(PATIENCE_MS)
  if (theme) await context.addInitScript(`localStorage.setItem('theme', '${theme}')`)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', message => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', error => complaints.push(error.message))
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() }
}
