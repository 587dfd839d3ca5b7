/** A page whose scripts or styles fail to load would stay broken without a word. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newPage, skipWithoutChromium } from './chromium.ts'
import { beginScripts } from './pageFaults.ts'
import { failure, reloaded, setUpPeopleSite, site } from './sharedPeopleSite.ts'

describe('scripts and styles that fail', skipWithoutChromium, () => {
  setUpPeopleSite()

  test('scripts that do not come are asked for once more, then the page says so', async () => {
    await using opened = await newPage(site.browser)
    const { page } = opened
    await page.route('**/assets/*.js', route => route.abort())
    await page.goto(`${site.url}/pricing`)
    await page.getByRole('alert').getByText('A part of this page could not be loaded').waitFor()
    assert.equal(
      await page.evaluate(() => performance.getEntriesByType('navigation')[0]?.toJSON().type),
      'reload',
    )
  })

  test('a style sheet that fails is asked for once more, then the page says so, bare', async () => {
    await using opened = await newPage(site.browser)
    const { page } = opened
    let documents = 0
    page.on('request', request => {
      if (request.isNavigationRequest()) documents += 1
    })
    await page.route('**/assets/*.css', route => route.abort())
    await page.goto(`${site.url}/pricing`, { waitUntil: 'commit' })
    await failure(page, 'CSS_CHUNK_LOAD_FAILED').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Pricing' }).waitFor()
    assert.equal(documents, 2)
    // In sight without anything that would put it there.
    const place = await page.getByRole('alert').boundingBox()
    assert.ok(place && place.y + place.height <= 900, JSON.stringify(place))
  })

  test('the script of a further page that fails loads the page again once, then it is said', async () => {
    await using opened = await newPage(site.browser)
    const { page } = opened
    await page.route('**/assets/StatusPage*.js', route => route.abort())
    await page.goto(`${site.url}/pricing`)
    for (const isAgain of [false, true]) {
      await beginScripts(page)
      const again = isAgain ? failure(page, 'ChunkLoadError').waitFor() : reloaded(page)
      await page.evaluate(() => {
        const router: { navigate(path: string): Promise<void> } = Reflect.get(
          window,
          '__reactRouterDataRouter',
        )
        void router.navigate('/status')
      })
      await again
    }
  })
})
