/** Readers could not compare chains on the home page. */
import { before, describe } from 'node:test'
import type { Browser } from 'playwright-core'
import { skipWithoutChromium } from './chromium.ts'
import { compareJourneys } from './compareJourneys.ts'
import { type SharedSite, sharedSite } from './sharedSite.ts'

describe('the comparison of chains in a browser', skipWithoutChromium, () => {
  let site: SharedSite
  let browser: Browser
  before(async () => {
    site = await sharedSite()
    browser = site.browser
  })

  compareJourneys(() => ({ site, browser }))
})
