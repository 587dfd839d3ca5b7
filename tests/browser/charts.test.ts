/** Readers could not read, copy or embed a chart. */
import { before, describe } from 'node:test'
import type { Browser } from 'playwright-core'
import { chartJourneys } from './chartJourneys.ts'
import { skipWithoutChromium } from './chromium.ts'
import { type SharedSite, sharedSite } from './sharedSite.ts'

describe('charts in a browser', skipWithoutChromium, () => {
  let site: SharedSite
  let browser: Browser
  before(async () => {
    site = await sharedSite()
    browser = site.browser
  })

  chartJourneys(() => ({ url: site.url, browser }))
})
