import { after, before } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { freePort } from '#kernel/freePort.testing.ts'
import { openOuter } from '#tests/wallets/openOuter.ts'
import type { VisitRecord } from '#web/people/states/visits.ts'
import { openChromium } from './chromium.ts'
import { openTestSite, type TestSite } from './testSite.ts'

export const kept = async (page: Page): Promise<VisitRecord | undefined> =>
  JSON.parse((await page.evaluate(() => localStorage.getItem('track-key'))) ?? 'null') ?? undefined

export let site: TestSite & { browser: Browser }

/** A page of somebody else that may frame ours. */
export let outer: { readonly url: string } & AsyncDisposable

let ready: Promise<void> | undefined

// Pages without figures suffice here, and other suites are not to meet these accounts.
async function openOnce(): Promise<void> {
  const outerPort = await freePort()
  const outerUrl = `http://localhost:${outerPort}`
  const [opened, browser] = await Promise.all([
    openTestSite({ command: 'serve', env: { ASIGNA_ORIGINS: outerUrl } }),
    openChromium(),
  ])
  site = { ...opened, browser }
  const shell = await openOuter({ port: outerPort, script: '', framed: path => site.url + path })
  outer = { ...shell, url: outerUrl }
}

/** Waits until the page asks for itself once more. A clock that is set by the test leaves the browser no record of it. */
export const reloaded = (page: Page) => page.waitForRequest(request => request.isNavigationRequest())

export const failure = (page: Page, name: string) =>
  page.getByRole('alert').getByText(`Check the connection, then load the page again. (${name})`)

after(async () => {
  await outer?.[Symbol.asyncDispose]()
  await site?.browser.close()
  await site?.[Symbol.asyncDispose]()
})

/** Opens the site and a page that frames it, once in a process. */
export function setUpPeopleSite(): void {
  before(() => {
    ready ??= openOnce()
    return ready
  })
}
